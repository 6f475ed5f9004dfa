/** Strategic merge patches against the answers of the real library; see corpora/builtin/PROVENANCE.md. */
import { readFileSync } from "node:fs";
import { patchTypeOf } from "@portcullis/engine/internal/builtin/patch-meta";
import { structOfKind } from "@portcullis/engine/internal/builtin/types";
import { fromUnstructured } from "@portcullis/engine/internal/builtin/unstructured";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { strictDecoding } from "@portcullis/engine/internal/codec/messages";
import { applyStrategicPatch } from "@portcullis/engine/internal/patch/strategic";
import { StatusError } from "@portcullis/engine/internal/status/error";
import { isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { expect, test } from "vitest";

const lines = readFileSync(new URL("../corpora/builtin/strategic.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");

test.each(lines.map((line) => [nameOf(line), line]))("%s", (_, line) => {
  const recorded = parse(line);
  const kind = String(recorded["kind"]);
  const type = structOfKind(kind === "Deployment" ? "apps" : "", "v1", kind);
  if (type === undefined) throw new Error(`no type for ${kind}`);
  const outcome = attempt(() =>
    applyStrategicPatch(member(recorded, "original"), member(recorded, "patch"), patchTypeOf(type)),
  );
  if (outcome instanceof StatusError) {
    expect(outcome.message).toBe(expectedError(String(recorded["error"])));
    return;
  }
  expect(recorded["error"]).toBeUndefined();
  expect(canonicalJson(outcome.object)).toBe(canonicalJson(member(recorded, "result")));
  const converted = fromUnstructured(outcome.object, type);
  const findings =
    converted.error === undefined && converted.findings.length > 0 ? strictDecoding(converted.findings) : undefined;
  expect(converted.error ?? findings).toBe(recorded["conversion"]);
});

function nameOf(line: string): string {
  return String(parse(line)["name"]);
}

/** The server hides two messages: that of a crash, and that of errors it calls unprocessable. */
function expectedError(text: string): string {
  if (text.startsWith("panic: ")) return "This request caused apiserver to panic. Look in the logs for details.";
  if (text === "lists of lists are not supported") {
    return "the server rejected our request due to an error in our request";
  }
  return text;
}

function attempt<T>(run: () => T): T | StatusError {
  try {
    return run();
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
}

function parse(text: string): JsonObject {
  const decoded = decodeJson(text);
  if (decoded.error !== undefined || !isObject(decoded.value)) throw new Error("a line of the corpus is not an object");
  return decoded.value;
}

function member(object: JsonObject, key: string): JsonObject {
  const value: JsonValue | undefined = object[key];
  return isObject(value) ? value : newObject();
}
