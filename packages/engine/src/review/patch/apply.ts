/** Server-side apply: the configuration of one manager merged into the live object. */
import { convertingYaml } from "../../codec/messages.ts";
import { applyFieldValidation } from "../../codec/strict.ts";
import { decodeYaml } from "../../codec/yaml.ts";
import { notAMap } from "../../patch/messages.ts";
import { badRequest } from "../../status/error.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import type { ReviewContext } from "../review-context.ts";
import { goJsonName } from "../type-meta.ts";
import type { PatchWrite } from "../write.ts";

export function proposeApply(
  write: PatchWrite,
  { cluster, recorder }: ReviewContext,
): (live: JsonObject | undefined) => Promise<JsonObject> {
  const { endpoint, manager, force, fieldValidation } = write;
  return async (live) => {
    const decoded = decodeYaml(write.patch, { duplicates: true });
    if (decoded.error !== undefined) throw badRequest(`error decoding YAML: ${convertingYaml(decoded.error)}`);
    if (decoded.value !== null && !isObject(decoded.value)) throw badRequest(notAMapInYaml(decoded.value));
    const config = decoded.value ?? newObject();
    await write.pause?.();
    const applied = await cluster.fieldManager.apply(live, config, { endpoint, manager, force, pause: write.pause });
    // Duplicates are looked for after the merge, so that a conflict is reported before them.
    const findings = decoded.strictErrors.map(convertingYaml);
    const outcome = applyFieldValidation(fieldValidation, findings);
    if (outcome.error !== undefined) throw badRequest(`error strict decoding YAML: ${findings.join(", ")}`);
    recorder.onFindings(findings);
    outcome.warnings.forEach(recorder.warn);
    // Nothing is pruned here: the types have refused unknown fields, and validation handles nulls.
    return applied;
  };
}

function notAMapInYaml(value: JsonValue): string {
  const problem = notAMap(goJsonName(value));
  return `error decoding YAML: error unmarshaling JSON: while decoding JSON: ${problem}`;
}
