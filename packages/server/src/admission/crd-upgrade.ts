/**
 * An opt-in check on updates of definitions: what would refuse or lose objects that are accepted today is refused, or
 * warned about, with an object that shows it.
 *
 * No other API server does this. A user acknowledges a breaking change with an annotation on the CRD: fingerprints
 * separated by commas, or a JSON list of acknowledgements with owner, reason and expiry.
 */
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import type { AdmissionPlugin, AdmissionRequest } from "@portcullis/engine/internal/review/cluster-view";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { groupResourceOf } from "@portcullis/engine/internal/review/kind";
import { forbidden, StatusError } from "@portcullis/engine/internal/status/error";
import type { UpgradeFinding } from "@portcullis/engine/internal/upgrade/finding";
import {
  type Acknowledgement,
  DEFAULT_POLICY,
  gradeFinding,
  parseAcknowledgements,
} from "@portcullis/engine/internal/upgrade/policy/policy";
import { compareDefinitions } from "@portcullis/engine/internal/upgrade/questions";
import { deepEqual } from "@portcullis/engine/internal/value/equal";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf, textOf } from "@portcullis/engine/internal/value/metadata";
import * as messages from "./crd-upgrade-messages.ts";

export const ACKNOWLEDGE_ANNOTATION = "upgrade.portcullis.dev/acknowledge";

export interface DefinitionUpgradeCheck {
  /** Refuse, or only warn. */
  readonly mode: "warn" | "error";
  /** Whether what is neither proved safe nor shown unsafe is refused too. Default closed: it is. */
  readonly failMode?: "open" | "closed";
  /** How many objects may be tried for each open question. */
  readonly budget?: number;
}

/** Far less than the command line takes: the request waits for it. */
const DEFAULT_BUDGET = 1500;
/** `not-accepted` is reported by the ordinary validation. */
const VALIDATED: readonly string[] = ["upgrade/not-accepted"];
const MAX_SHOWN = 3;

export function definitionUpgradeCheck(
  check: DefinitionUpgradeCheck,
  engine: EngineOptions,
  now: () => number,
): AdmissionPlugin {
  return {
    name: "DefinitionUpgrade",
    validate: async (request) => {
      if (!isUpgrade(request)) return;
      const found = openFindings(request, check, engine, now);
      if (found.length === 0) return;
      if (check.mode === "error") throw refusal(request, found);
      for (const finding of found) request.warn(messages.unsafeUpgrade(finding));
    },
  };
}

interface Upgrade extends AdmissionRequest {
  readonly object: JsonObject;
  readonly old: JsonObject;
}

function isUpgrade(request: AdmissionRequest): request is Upgrade {
  const { endpoint, operation, object, old } = request;
  const { type, subresource } = endpoint;
  if (type.group !== "apiextensions.k8s.io" || type.plural !== "customresourcedefinitions") return false;
  if (operation !== "UPDATE" || subresource !== undefined || object === undefined || old === undefined) return false;
  return !deepEqual(object["spec"] ?? null, old["spec"] ?? null);
}

/** Errors of the policy that are not acknowledged. */
function openFindings(
  request: Upgrade,
  { failMode = "closed", budget = DEFAULT_BUDGET }: DefinitionUpgradeCheck,
  engine: EngineOptions,
  now: () => number,
): UpgradeFinding[] {
  const [old, next] = [decodeDefinition(request.old).value, decodeDefinition(request.object).value];
  const { findings } = compareDefinitions(old, next, { ...engine, writersOnly: true, budget });
  const unknown = failMode === "closed" ? "error" : "note";
  const policy = { ...DEFAULT_POLICY, unknown, acknowledgements: acknowledgements(request) } as const;
  const today = new Date(now()).toISOString().slice(0, 10);
  return findings.filter(
    (finding) => !VALIDATED.includes(finding.code) && gradeFinding(finding, policy, today).level === "error",
  );
}

const NEVER = "9999-12-31";

function acknowledgements(request: Upgrade): readonly Acknowledgement[] {
  const { annotations } = metaOf(request.object);
  const text = (isObject(annotations) ? textOf(annotations[ACKNOWLEDGE_ANNOTATION]) : "").trim();
  if (text.startsWith("[")) {
    const read = decodeJson(text);
    const parsed = read.error === undefined ? parseAcknowledgements(read.value) : { error: read.error };
    if (parsed.error !== undefined)
      throw forbidden(groupResourceOf(request.endpoint.type), request.name, messages.badAcknowledgement(parsed.error));
    return parsed.value;
  }
  const fingerprints = text.split(",").map((each) => each.trim());
  return fingerprints
    .filter((each) => each !== "")
    .map((fingerprint) => ({ fingerprint, owner: request.user.name, reason: "", expires: NEVER }));
}

function refusal({ endpoint, name }: Upgrade, found: readonly UpgradeFinding[]): StatusError {
  const shown = found.slice(0, MAX_SHOWN).map(messages.unsafeUpgrade);
  const text = messages.unsafeUpgrades(shown, found.length, ACKNOWLEDGE_ANNOTATION);
  const { code, reason, message, details } = forbidden(groupResourceOf(endpoint.type), name, text);
  const causes = found.map((finding) => ({
    type: finding.code,
    message: messages.unsafeUpgrade(finding),
    field: [finding.version, finding.path].filter((part) => part !== "").join(" "),
  }));
  return new StatusError({ code, reason, message, details: { ...details, causes } });
}
