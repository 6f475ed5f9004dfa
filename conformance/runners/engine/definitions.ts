/** Our engine's result for a CRD that is created or updated. */
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import { prepareForCreate, prepareForUpdate } from "@portcullis/engine/internal/crd/prepare";
import { type DefinitionOptions, validateDefinition } from "@portcullis/engine/internal/crd/validate/validate";
import { isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { RECORDED_VERSION } from "../recorded-version.ts";
import type { Answer, Cost, EngineCase } from "./case.ts";
import { toFinding } from "./subject.ts";

const GATES = { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true };
const NOTHING: Answer = { unknown: [], errors: [], warnings: [], costs: [] };

export function answerDefinition(asked: Pick<EngineCase, "object" | "old">): Answer {
  const decoded = decode(asked.object);
  if (decoded.error !== undefined) return { ...NOTHING, decode: decoded.error };
  const costs: Cost[] = [];
  const options: DefinitionOptions = {
    version: RECORDED_VERSION,
    gates: GATES,
    onRule: ({ path, compiled, cost }) => {
      costs.push({ path: path.toString(), cost: String(cost) });
      if (compiled.messageProgram === undefined) return;
      const message = path.toString().replace(/\.rule$/, ".messageExpression");
      costs.push({ path: message, cost: String(compiled.messageMaxCost) });
    },
  };
  const { errors, warnings } = verdict(decoded.value, asked.old, options);
  const findings = errors.map(toFinding);
  // If the schema itself is refused, the costs were not recorded.
  const hasCosts = findings.every(({ type, text }) => type === "FieldValueForbidden" && text.includes("estimated"));
  return { ...NOTHING, errors: findings, warnings, costs: hasCosts ? costs : [] };
}

function verdict(json: JsonObject, old: JsonValue | undefined, options: DefinitionOptions) {
  if (old === undefined) return validateDefinition(prepareForCreate(json, GATES), undefined, options);
  const before = decode(old).value;
  return validateDefinition(prepareForUpdate(json, before, GATES), before, options);
}

function decode(json: JsonValue | undefined) {
  return decodeDefinition(isObject(json) ? json : newObject());
}
