/** Paths inside volumes. */
import { type FieldError, invalid } from "../../field/error.ts";
import type { FieldPath } from "../../field/path.ts";
import * as messages from "./messages.ts";

export function noBacksteps(text: string, path: FieldPath): FieldError[] {
  return text.split("/").includes("..") ? [invalid(path, text, messages.noBacksteps())] : [];
}

/** Below where it starts. */
export function relativePath(text: string, path: FieldPath): FieldError[] {
  const errors = text.startsWith("/") ? [invalid(path, text, messages.relativePath())] : [];
  return [...errors, ...noBacksteps(text, path)];
}
