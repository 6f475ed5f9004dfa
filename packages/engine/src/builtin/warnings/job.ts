/** Warnings about jobs, and about the template of one in a CronJob. */
import type { FieldPath } from "../../field/path.ts";
import type { JsonObject } from "../../value/json.ts";
import { numberOf, objectOf, textOf } from "../object.ts";
import * as messages from "./messages.ts";
import { podWarnings } from "./pod.ts";

const MANY_COMPLETIONS = 100_000;
const MANY_PODS = 10_000;

export function jobSpecWarnings(spec: JsonObject | undefined, path: FieldPath): string[] {
  const isLarge =
    textOf(spec, "completionMode") === "Indexed" &&
    numberOf(spec, "completions") > MANY_COMPLETIONS &&
    numberOf(spec, "parallelism") > MANY_PODS;
  return [
    ...(isLarge ? [messages.about(path, messages.manyIndexes())] : []),
    ...podWarnings(objectOf(spec, "template") ?? {}, path.child("template")),
  ];
}
