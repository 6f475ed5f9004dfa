/** An AdmissionReview with its answer and its time on one line, as `portcullis replay` reads it. */
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { copyObject } from "@portcullis/engine/internal/value/rewrite";
import { canonicalJson } from "@portcullis/engine/internal/value/text";

/** `request` and `answer` are AdmissionReviews that were decoded before. */
export function recordedReview(request: Uint8Array, answer: string, timestamp: string): string {
  const review = copyObject(objectIn(request));
  const response = objectIn(answer)["response"];
  review["timestamp"] = timestamp;
  if (response !== undefined) review["response"] = response;
  return canonicalJson(review);
}

function objectIn(text: string | Uint8Array): JsonObject {
  const decoded = decodeJson(text);
  return decoded.error === undefined && isObject(decoded.value) ? decoded.value : {};
}
