/** Objects that SOPS encrypted: the `sops` field is removed before they are applied, and values are decrypted. */
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";

const ENCRYPTED = "ENC[AES256_GCM,";
/** Any base64: the decrypted value of a Secret's `data` is base64 as well. */
const STAND_IN = "ZW5jcnlwdGVk";

/** The object as far as it can be known without the key; the same object if it is not encrypted. */
export function withoutSops(object: JsonObject): JsonObject {
  if (!isObject(object["sops"])) return object;
  const copy = Object.assign(newObject(), object);
  delete copy["sops"];
  if (copy["kind"] === "Secret" && isObject(copy["data"])) copy["data"] = decryptedData(copy["data"]);
  return copy;
}

function decryptedData(data: JsonObject): JsonObject {
  const copy = newObject();
  for (const [key, value] of Object.entries(data)) {
    copy[key] = typeof value === "string" && value.startsWith(ENCRYPTED) ? STAND_IN : value;
  }
  return copy;
}
