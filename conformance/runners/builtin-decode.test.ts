/** JSON bodies of built-in kinds against the API server's decoder; see corpora/builtin/PROVENANCE.md. */
import { readFileSync } from "node:fs";
import { decodeTyped } from "@portcullis/engine/internal/builtin/decode";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { StatusError } from "@portcullis/engine/internal/status/error";
import type { JsonObject, JsonValue } from "@portcullis/engine/internal/value/json";
import { withoutMember } from "@portcullis/engine/internal/value/rewrite";
import { asVersion } from "@portcullis/engine/internal/value/server-version";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { expect, test } from "vitest";
import { RECORDED_VERSION } from "./recorded-version.ts";

interface Recorded {
  readonly kind: string;
  readonly body: string;
  readonly error?: string;
  readonly strict?: readonly string[];
  readonly object?: unknown;
}

const lines = readFileSync(new URL("../corpora/builtin/decode.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const cases = lines.map((line, index): [string, Recorded] => {
  const recorded: Recorded = JSON.parse(line);
  return [`${recorded.kind} ${index}`, recorded];
});

test.each(cases)("%s", (_, { kind, body, error, strict, object }) => {
  const outcome = asVersion(RECORDED_VERSION, () => decode(kind, body));
  if (error !== undefined) expect(outcome).toEqual({ error });
  else expect(outcome).toEqual({ strict: strict ?? [], object: canonicalJson(parse(JSON.stringify(object))) });
});

function decode(text: string, body: string): object {
  const [group = "", version = "", kind = ""] = text.split("/");
  const { value, strictErrors } = parsed(body);
  try {
    const decoded = decodeTyped({ value, strictErrors, text: body }, { group, version, kind }, "Warn");
    return { strict: decoded.warnings, object: canonicalJson(withoutKind(decoded.object)) };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { error: error.message.replace(/^.*? cannot be handled as an? \w+: /s, "") };
  }
}

/** The recorded decoder gets the kind as an argument and does not record it. */
function withoutKind(object: JsonObject): JsonObject {
  return withoutMember(withoutMember(object, "kind"), "apiVersion");
}

function parse(text: string): JsonValue {
  return parsed(text).value;
}

function parsed(text: string) {
  const decoded = decodeJson(text, { duplicates: true });
  if (decoded.error !== undefined) throw new Error(decoded.error);
  return decoded;
}
