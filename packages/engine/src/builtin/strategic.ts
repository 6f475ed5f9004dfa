/** A strategic merge patch of a built-in object, from the live object to a draft. */
import { strictDecoding } from "../codec/messages.ts";
import { applyFieldValidation, type FieldValidation } from "../codec/strict.ts";
import { invalid } from "../field/error.ts";
import { newPath } from "../field/path.ts";
import { goText } from "../kubecel/go-data.ts";
import { applyStrategicPatch } from "../patch/strategic.ts";
import { invalid as invalidStatus, type StatusError } from "../status/error.ts";
import type { JsonObject } from "../value/json.ts";
import { type DecodedObject, type Kind, withHeader } from "./decode.ts";
import { applyDefaults } from "./defaults/apply.ts";
import { patchTypeOf } from "./patch-meta.ts";
import { structOfKind } from "./types.ts";
import { fromUnstructured } from "./unstructured.ts";

export interface StrategicPatch {
  readonly patch: JsonObject;
  /** Duplicate keys of the patch, as the codec found them. */
  readonly strictErrors: readonly string[];
  readonly fieldValidation: FieldValidation;
}

/** `live` is as Go writes it. Throws the API server's refusal where the patch cannot be applied. */
export function patchStrategically(live: JsonObject, kind: Kind, request: StrategicPatch): DecodedObject {
  const type = structOfKind(kind.group, kind.version, kind.kind);
  if (type === undefined) throw new Error(`no built-in kind ${kind.kind}`);
  const { object, patch } = applyStrategicPatch(live, request.patch, patchTypeOf(type));
  const converted = fromUnstructured(object, type);
  if (converted.error !== undefined) throw refusal(patch, converted.error);
  const findings = [...request.strictErrors, ...converted.findings];
  if (request.fieldValidation === "Strict" && findings.length > 0) throw refusal(patch, strictDecoding(findings));
  const { warnings } = applyFieldValidation(request.fieldValidation, findings);
  return { object: applyDefaults(withHeader(converted.object, kind), kind), warnings };
}

/** About no kind in particular, which is why the message starts with a blank. */
function refusal(patch: JsonObject, reason: string): StatusError {
  return invalidStatus({ group: "", kind: "" }, "", [invalid(newPath("patch"), goText(patch), reason)]);
}
