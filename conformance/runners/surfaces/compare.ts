/** Whether the answer of a surface is the recorded one, as far as the surface shows it. */
import { isDeepStrictEqual } from "node:util";
import { withoutVolatile } from "../vectors/normal.ts";
import type { Outcome } from "../vectors/vector.ts";
import type { SurfaceAnswer } from "./surface.ts";

type Json = ReturnType<typeof JSON.parse>;

/** Compares what the record has. */
export function agrees(wanted: Outcome, answer: SurfaceAnswer, isUnordered: boolean): boolean {
  const form = isUnordered ? loosely : plainly;
  const shown = Object.fromEntries(Object.entries(answer).filter(([key]) => key in wanted));
  return isDeepStrictEqual(form(wanted), form(shown));
}

function plainly(outcome: Outcome): Outcome {
  const { object, warnings = [] } = outcome;
  const shown = object === undefined ? {} : { object: withoutStatus(withoutVolatile(object, false)) };
  return JSON.parse(JSON.stringify({ ...outcome, ...shown, warnings: warnings.map(warningText) }));
}

/** A controller writes the status of CRDs, at a time of its own. */
function withoutStatus(object: Json): Json {
  return object?.kind === "CustomResourceDefinition" ? { ...object, status: undefined } : object;
}

/** Errors and warnings as sets, and the words of a message in any order. */
function loosely(outcome: Outcome): unknown {
  const { message = "", causes, warnings = [], ...rest } = plainly(outcome);
  const words = message.split(/[\s,[\]]+/).sort();
  return {
    ...rest,
    warnings: [...warnings].sort(),
    ...(causes && { words, causes: causes.map((cause) => JSON.stringify(cause)).sort() }),
  };
}

/** The text of a `Warning` header, which clients read as Latin-1. */
function warningText(header: string): string {
  const quoted = /^299 - "(.*)"$/s.exec(header)?.[1];
  return quoted === undefined ? header : Buffer.from(quoted.replace(/\\(.)/gs, "$1"), "latin1").toString("utf8");
}
