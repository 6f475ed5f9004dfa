/** The playground's worker without its page: the verdict, and what it shows as printed by kubectl. */
import { LABEL_PREFIX } from "@portcullis/engine/internal/podsecurity/level";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import * as policies from "../../../packages/playground/src/review/policies.ts";
import * as proofs from "../../../packages/playground/src/review/proofs.ts";
import { Reviewer } from "../../../packages/playground/src/review/review.ts";
import * as upgrades from "../../../packages/playground/src/review/upgrades.ts";
import { EMPTY_STATE, type State } from "../../../packages/playground/src/state.ts";
import { BOOTSTRAP, type RequestCase } from "../policy/request-case.ts";
import { RECORDED_VERSION } from "../recorded-version.ts";
import { steadyText } from "../vectors/normal.ts";
import { anonymous } from "../vectors/replay.ts";
import type { Outcome } from "../vectors/vector.ts";
import { readWritten } from "./check-surface.ts";
import { requestReason } from "./request.ts";
import { type ManifestWrite, manifestText, manifestWrites, NAMES } from "./situation.ts";
import type { Surface, SurfaceAnswer, Unanswered } from "./surface.ts";

type Json = ReturnType<typeof JSON.parse>;

const parts = {
  policies: () => Promise.resolve(policies),
  proofs: () => Promise.resolve(proofs),
  upgrades: () => Promise.resolve(upgrades),
};
const reviewer = new Reviewer(() => "2026-01-01", parts);

const RECORDED_STATE: State = { ...EMPTY_STATE, version: RECORDED_VERSION };

export const playgroundSurface: Surface = {
  name: "surface-playground",
  async answerSteps(vector) {
    const answers: (SurfaceAnswer | Unanswered)[] = [];
    for (const [index, write] of manifestWrites(vector).entries()) {
      answers.push("unanswered" in write ? write : await answerWrite(write, vector.expect[index] ?? {}));
    }
    return answers;
  },
  async answerRequest(recorded) {
    const reason = requestReason(recorded);
    return reason === undefined ? show(requestState(recorded)) : { unanswered: reason };
  },
};

async function answerWrite(write: ManifestWrite, wanted: Outcome): Promise<SurfaceAnswer | Unanswered> {
  const document = readWritten(write);
  if ("unanswered" in document) return document;
  if (isOfAnotherKind(write, document.object)) return { unanswered: "HTTP: the body is of another kind than the path" };
  if (write.old !== undefined && !write.isVersioned) return { unanswered: "the stored object has another version" };
  if ([document.object, ...write.there].some(isSecured))
    return { unanswered: "Pod Security: the page has no namespaces" };
  const isUnderPolicies = write.there.some(isPolicy) && !isPolicy(document.object);
  if (!isUnderPolicies) return show(objectState(write, document.object));
  const isDecidedByPolicies = (wanted.code ?? 0) < 300 || /policy '/i.test(wanted.message ?? "");
  if (!isDecidedByPolicies) return { unanswered: "under policies: only what policies decide is shown" };
  return show(policyState(write, document.object));
}

function isOfAnotherKind({ group, version }: ManifestWrite, object: JsonObject): boolean {
  return object["apiVersion"] !== (group === "" ? version : `${group}/${version}`);
}

/** A namespace with a level of Pod Security. */
function isSecured(object: Json): boolean {
  const labels = Object.keys(object.metadata?.labels ?? {});
  return object.kind === "Namespace" && labels.some((key) => key.startsWith(LABEL_PREFIX));
}

function isPolicy(object: Json): boolean {
  return object.apiVersion?.startsWith("admissionregistration.k8s.io/") === true;
}

function objectState({ there, old, fieldValidation, text, namespace }: ManifestWrite, object: JsonObject): State {
  const definitions = there.filter(({ kind }) => kind === "CustomResourceDefinition").map(manifestText);
  const isInDefault = namespace === "" || namespace === "default";
  const texts = { definition: definitions.join("\n---\n"), object: isInDefault ? text : canonicalJson(object) };
  if (old === undefined) return { ...RECORDED_STATE, mode: "create", fieldValidation, texts };
  return { ...RECORDED_STATE, mode: "update", fieldValidation, texts: { ...texts, old: manifestText(old) } };
}

const ADMIN = { user: { username: "admin", uid: "1", groups: ["system:masters"] } };

function policyState({ there, old }: ManifestWrite, object: JsonObject): State {
  const texts = {
    policy: there.filter(isPolicy).map(manifestText).join("\n---\n"),
    cluster: there
      .filter((each) => !isPolicy(each))
      .map(manifestText)
      .join("\n---\n"),
    object: canonicalJson(object),
    ...(old !== undefined && { old: manifestText(old) }),
    request: JSON.stringify(ADMIN),
  };
  return { ...RECORDED_STATE, mode: "policy", texts };
}

function requestState(recorded: RequestCase): State {
  const { bindings, params = [], namespaces = [], definitions = [], rbac = [], request } = recorded;
  const { name: username, uid = "", groups, extra = {} } = request.user;
  const cluster = [...params, ...namespaces, ...definitions, ...rbac, ...BOOTSTRAP];
  const { operation, namespace, dryRun } = request;
  const texts = {
    policy: [...recorded.policies, ...bindings].map(manifestText).join("\n---\n"),
    cluster: cluster.map(manifestText).join("\n---\n"),
    ...(request.object !== undefined && { object: manifestText(request.object) }),
    ...(request.oldObject !== undefined && { old: manifestText(request.oldObject) }),
    request: JSON.stringify({ operation, namespace, dryRun, user: { username, uid, groups, extra } }),
  };
  return { ...RECORDED_STATE, mode: "policy", texts };
}

/** Every object has the same uid on the page. */
const FIXED_UID = "00000000-0000-0000-0000-000000000000";

async function show(state: State): Promise<SurfaceAnswer | Unanswered> {
  const { verdict } = (await reviewer.review(state)).outcome;
  const transcript = verdict.transcripts.at(state.mode === "policy" ? 0 : -1);
  if (transcript?.output.startsWith("error: resource mapping not found") === true) {
    return { unanswered: "HTTP: the body is of another kind than the path" };
  }
  if (verdict.tone === "failed" || transcript === undefined)
    return { printed: `${verdict.headline}: ${verdict.summary}` };
  const output = transcript.output.replace(/error when (creating|replacing|deleting) "[a-z]+.yaml": /, "");
  const printed = steadyText(output, Date.now()).replaceAll(FIXED_UID, "<uid>");
  return { printed: anonymous({ message: printed }, NAMES).message ?? "" };
}
