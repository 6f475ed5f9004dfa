/**
 * Checks one random edit: every witness is replayed, and sampled objects must not contradict a safe result.
 */
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import { readDefinition } from "@portcullis/engine/internal/crd/definition";
import { prepareForCreate } from "@portcullis/engine/internal/crd/prepare";
import { validateDefinition } from "@portcullis/engine/internal/crd/validate/validate";
import type { FieldError } from "@portcullis/engine/internal/field/error";
import { formatFieldError } from "@portcullis/engine/internal/field/format";
import {
  type CustomResource,
  compileResource,
  type EngineOptions,
} from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { RuleCache } from "@portcullis/engine/internal/rules/rule-cache";
import type { Change } from "@portcullis/engine/internal/upgrade/change";
import { compareResources } from "@portcullis/engine/internal/upgrade/compare";
import { isAccepted, Replay } from "@portcullis/engine/internal/upgrade/witness/replay";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { Random } from "../apply/random.ts";
import { randomSchema } from "../engine/generate-schema.ts";
import { randomValue } from "../engine/generate-value.ts";
import { editSchema } from "./edit-schema.ts";
import { randomPair, randomWidget } from "./random-rules.ts";

const ENGINE: EngineOptions = {
  version: "1.36",
  gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true },
  ruleCache: new RuleCache(),
};

export interface Trial {
  readonly changes: readonly Change[];
  /** Errors in the verdicts; empty if all are right. */
  readonly complaints: readonly string[];
  readonly accepted: number;
}

/** Undefined if the seed does not give two CRDs that the API server accepts. */
export function runTrial(seed: number, samples: number): Trial | undefined {
  const random = new Random(seed);
  const schema = randomSchema(random, 1);
  return checkPair(schema, editSchema(random, schema), samples, () => randomValue(random, schema, 0.05));
}

/** The same for rules over one schema. */
export function runRuleTrial(seed: number, samples: number): Trial | undefined {
  const random = new Random(seed);
  const pair = randomPair(random);
  const [schema, edited] = [fromPlain(pair.old), fromPlain(pair.new)];
  if (!isObject(schema) || !isObject(edited)) return undefined;
  return checkPair(schema, edited, samples, () => randomWidget(random));
}

function checkPair(schema: JsonObject, edited: JsonObject, samples: number, draw: () => JsonValue): Trial | undefined {
  const [old, next] = [resourceOf(schema), resourceOf(edited)];
  if (old === undefined || next === undefined) return undefined;
  const changes = compareResources(old, next, { minor: 36, budget: 1500 });
  const validity = changes.filter(({ axis }) => axis === "validity");
  const reported = validity.filter(({ verdict }) => verdict !== "safe");
  const replay = new Replay(old, next);
  const complaints = [
    ...validity.flatMap((change) => wrongWitness(change, replay)),
    ...validity
      .filter(({ isContradicted }) => isContradicted === true)
      .map(({ keyword }) => `${keyword} was proved and is refuted`),
  ];
  let accepted = 0;
  for (let left = samples; left > 0; left--) {
    const body = newObject();
    body["f"] = draw();
    const stored = replay.rest(body, old);
    if (!isAccepted(stored)) continue;
    accepted++;
    const validated = replay.reread(stored.object);
    if (
      validated === undefined ||
      isAccepted(validated) ||
      validated.errors.some((error) => reported.some((change) => mayExplain(change, error)))
    )
      continue;
    const message = validated.problem ?? validated.errors.map(formatFieldError).join("; ");
    complaints.push(
      `called safe, but ${canonicalJson(body)} is refused: ${message}\n  old ${canonicalJson(schema)}\n  new ${canonicalJson(edited)}`,
    );
    break;
  }
  return { changes, complaints, accepted };
}

/** Whether the change may explain the error. Only a rule without a message is identified, by its text. */
function mayExplain({ keyword, detail }: Change, { origin, detail: text }: FieldError): boolean {
  if (keyword !== "x-kubernetes-validations") return true;
  if (!text.startsWith("failed rule:")) return true;
  return origin === "rule" && text.includes(detail.split("\n")[0]?.slice(0, 60) ?? "");
}

export function wrongWitness({ witness, verdict, keyword }: Change, replay: Replay): string[] {
  if (verdict !== "unsafe") return [];
  if (witness === undefined) return [`unsafe ${keyword} without a witness`];
  const { old, new: next } = replay;
  if (witness.before !== undefined) {
    const isShown =
      isAccepted(replay.update(witness.object, witness.before, old)) &&
      !isAccepted(replay.update(witness.object, witness.before, next));
    return isShown ? [] : [`the pair for ${keyword} shows nothing`];
  }
  const stored = replay.rest(witness.object, old);
  const read = replay.reread(stored.object);
  const writes = [...(read === undefined ? [] : [read]), replay.create(witness.object, next)];
  if (old.hasStatus && next.hasStatus) writes.push(replay.update(witness.object, stored.object, next, "status"));
  return isAccepted(stored) && writes.some((write) => !isAccepted(write))
    ? []
    : [`the witness for ${keyword} shows nothing`];
}

function resourceOf(schema: JsonObject): CustomResource | undefined {
  return resourceOfRoot({ type: "object", properties: { f: schema } }, false);
}

/** Undefined if the API server does not accept the CRD. */
export function resourceOfRoot(schema: object, hasStatus: boolean): CustomResource | undefined {
  const json = fromPlain({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          ...(hasStatus ? { subresources: { status: {} } } : {}),
        },
      ],
    },
  });
  if (!isObject(json)) return undefined;
  const { value } = decodeDefinition(json);
  const { errors } = validateDefinition(prepareForCreate(value, ENGINE.gates), undefined, ENGINE);
  if (errors.length > 0) return undefined;
  const definition = readDefinition(value);
  const [version] = definition.versions;
  return version && compileResource(definition, version, ENGINE);
}
