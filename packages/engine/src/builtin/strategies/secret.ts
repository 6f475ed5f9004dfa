/** Secrets: `stringData` is only a way to write. */
import { encodeBase64 } from "@portcullis/gostd/base64";
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import type { JsonObject } from "../../value/json.ts";
import { type Draft, inner } from "../defaults/draft.ts";
import { objectOf, textOf } from "../object.ts";

export function prepareSecret(secret: Draft): void {
  const strings = objectOf(secret, "stringData");
  delete secret["stringData"];
  for (const [key, value] of Object.entries(strings ?? {})) {
    inner(secret, "data")[key] = encodeBase64(encodeUtf8(typeof value === "string" ? value : ""));
  }
}

export function prepareSecretUpdate(secret: Draft, old: JsonObject): void {
  prepareSecret(secret);
  if (textOf(secret, "type") === "") secret["type"] = textOf(old, "type");
}
