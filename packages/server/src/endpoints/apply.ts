/** Server-side apply: the configuration of one manager merged into the live object. The merging itself is the engine's. */
import { convertingYaml } from "@portcullis/engine/codec/messages";
import { applyFieldValidation } from "@portcullis/engine/codec/strict";
import { decodeYaml } from "@portcullis/engine/codec/yaml";
import { notAMap } from "@portcullis/engine/patch/messages";
import { badRequest } from "@portcullis/engine/status/error";
import { isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/value/json";
import { goJsonName } from "../registry/type-meta.ts";
import type { Call } from "./call.ts";
import type { WriteOptions } from "./options.ts";

export function proposeApply(
  call: Call,
  bytes: Uint8Array,
  options: WriteOptions,
): (live: JsonObject | undefined) => Promise<JsonObject> {
  const { endpoint, server, warnings } = call;
  return async (live) => {
    const decoded = decodeYaml(bytes, { duplicates: true });
    if (decoded.error !== undefined) throw badRequest(`error decoding YAML: ${convertingYaml(decoded.error)}`);
    if (decoded.value !== null && !isObject(decoded.value)) throw badRequest(notAMapInYaml(decoded.value));
    const config = decoded.value ?? newObject();
    const request = { endpoint, manager: options.fieldManager, force: options.force ?? false };
    const applied = await server.fieldManager.apply(live, config, request);
    // Duplicates are looked for after the merge, so that a conflict is reported before them.
    const findings = decoded.strictErrors.map(convertingYaml);
    const outcome = applyFieldValidation(options.fieldValidation, findings);
    if (outcome.error !== undefined) throw badRequest(`error strict decoding YAML: ${findings.join(", ")}`);
    outcome.warnings.forEach(warnings.add);
    // Nothing is pruned here: the types have refused what they do not know, and nulls are for validation to judge.
    return applied;
  };
}

function notAMapInYaml(value: JsonValue): string {
  const problem = notAMap(goJsonName(value));
  return `error decoding YAML: error unmarshaling JSON: while decoding JSON: ${problem}`;
}
