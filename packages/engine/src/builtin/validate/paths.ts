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

/** A path of a file that the node writes; names that start with two dots are its own. */
export function filePath(text: string, path: FieldPath): FieldError[] {
  const errors = relativePath(text, path);
  const isReserved = text.startsWith("..") && !text.startsWith("../");
  return isReserved ? [...errors, invalid(path, text, messages.mustNotStartWith(".."))] : errors;
}
