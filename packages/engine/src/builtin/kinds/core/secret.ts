/** Secret: bytes by key, with a type that decides which keys must be there. */
import { encodeBase64 } from "@portcullis/gostd/base64";
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import type { JsonObject } from "../../../value/json.ts";
import { AGE, memberCount, NAME, text } from "../../columns/column.ts";
import { type Draft, fillZero, inner } from "../../defaults/draft.ts";
import { objectOf, textOf } from "../../object.ts";
import { validateSecret, validateSecretUpdate } from "../../validate/config.ts";
import { secretWarnings } from "../../warnings/tls.ts";
import { defineKind, onEveryWrite } from "../kind.ts";

export const secret = defineKind("v1", "Secret", {
  defaults: { "v1.Secret": fillSecret },
  metadata: { update: "both" },
  prepareUpdate: keepType,
  validate: validateSecret,
  validateUpdate: validateSecretUpdate,
  warnings: onEveryWrite(secretWarnings),
  columns: [
    NAME,
    text("Type", (object) => textOf(object, "type")),
    text("Data", (object) => memberCount(object, "data")),
    AGE,
  ],
  selectableFields: { fields: ["type"] },
});

function fillSecret(draft: Draft): void {
  fillZero(draft, "type", "Opaque");
  takeStringData(draft);
}

/** `stringData` is write-only: upstream's conversion moves it, so that it has no owner. */
function takeStringData(draft: Draft): void {
  const strings = objectOf(draft, "stringData");
  delete draft["stringData"];
  for (const [key, value] of Object.entries(strings ?? {})) {
    inner(draft, "data")[key] = encodeBase64(encodeUtf8(typeof value === "string" ? value : ""));
  }
}

/** An update that leaves the type out keeps it. */
function keepType(draft: Draft, old: JsonObject): void {
  if (textOf(draft, "type") === "") draft["type"] = textOf(old, "type");
}
