/** Keys of config maps and secrets. */
import { byteLength } from "@portcullis/gostd/utf8";
import { type FieldError, invalid } from "../../field/error.ts";
import type { FieldPath } from "../../field/path.ts";
import * as messages from "./messages.ts";

const CONFIG_KEY = /^[-._a-zA-Z0-9]+$/;
const MAX_KEY = 253;

export function configKey(key: string, path: FieldPath): FieldError[] {
  const problems: string[] = [];
  if (byteLength(key) > MAX_KEY) problems.push(messages.keyTooLong());
  if (!CONFIG_KEY.test(key)) problems.push(messages.badConfigKey());
  if (key === "." || key === "..") problems.push(messages.mustNotBe(key));
  else if (key.startsWith("..")) problems.push(messages.mustNotStartWith(".."));
  return problems.map((problem) => invalid(path, key, problem, "configKey"));
}
