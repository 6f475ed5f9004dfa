/** Server-side apply: the configuration of one manager merged into the live object. */
import { decodeUtf8 } from "@portcullis/gostd/utf8";
import { convertingYaml } from "../../codec/messages.ts";
import { applyFieldValidation } from "../../codec/strict.ts";
import { decodeYaml } from "../../codec/yaml.ts";
import { notAMap } from "../../patch/messages.ts";
import { badRequest } from "../../status/error.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { asServer, since } from "../../value/server-version.ts";
import { rulesOf } from "../kind.ts";
import type { ReviewContext } from "../review-context.ts";
import { goJsonName } from "../type-meta.ts";
import type { PatchWrite } from "../write.ts";

export function proposeApply(
  write: PatchWrite,
  { cluster, recorder }: ReviewContext,
): (live: JsonObject | undefined) => Promise<JsonObject> {
  const { endpoint, manager, force, fieldValidation } = write;
  return async (live) => {
    const what = patchName(write);
    const decoded = decodeYaml(write.patch, { duplicates: true });
    if (decoded.error !== undefined) throw badRequest(`error decoding ${what}: ${convertingYaml(decoded.error)}`);
    if (decoded.value !== null && !isObject(decoded.value)) throw badRequest(notAMapInYaml(decoded.value, what));
    const config = decoded.value ?? newObject();
    await write.pause?.();
    const applied = await cluster.fieldManager.apply(live, config, { endpoint, manager, force, pause: write.pause });
    // Duplicates are looked for after the merge, so that a conflict is reported before them.
    const findings = decoded.strictErrors.map(convertingYaml);
    const outcome = applyFieldValidation(fieldValidation, findings);
    if (outcome.error !== undefined) throw badRequest(`error strict decoding ${what}: ${findings.join(", ")}`);
    recorder.onFindings(findings);
    outcome.warnings.forEach(recorder.warn);
    // Nothing is pruned here: the types have refused unknown fields, and validation handles nulls.
    return applied;
  };
}

/** What messages call the body. */
function patchName({ endpoint }: PatchWrite): string {
  return asServer(rulesOf(endpoint), () => (since("1.37") ? "patch" : "YAML"));
}

/** Since 1.37 a body that is not YAML at all is refused before the object is read. One that looks like JSON is not read. */
export function checkApplyBody({ patch }: PatchWrite): void {
  if (/^\s*\{/.test(decodeUtf8(patch))) return;
  const { error } = decodeYaml(patch, { duplicates: false });
  if (error !== undefined) throw badRequest(`error encoding patch: ${error}`);
}

function notAMapInYaml(value: JsonValue, what: string): string {
  const problem = notAMap(goJsonName(value));
  return `error decoding ${what}: error unmarshaling JSON: while decoding JSON: ${problem}`;
}
