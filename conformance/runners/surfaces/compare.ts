/** Whether the answer of a surface is the recorded one, as far as the surface shows it. */
import { isDeepStrictEqual } from "node:util";
import { withoutVolatile } from "../vectors/normal.ts";
import type { Outcome } from "../vectors/vector.ts";
import { printedRefusal } from "./printed.ts";
import type { SurfaceAnswer } from "./surface.ts";

type Json = ReturnType<typeof JSON.parse>;

/** Compares what the record has. */
export function agrees(wanted: Outcome, answer: SurfaceAnswer, isUnordered: boolean): boolean {
  if (answer.printed !== undefined) return agreesPrinted(wanted, answer.printed, isUnordered);
  const form = isUnordered ? loosely : plainly;
  const shown = Object.fromEntries(Object.entries(answer).filter(([key]) => key in wanted));
  return isDeepStrictEqual(form(wanted), form(shown));
}

function plainly(outcome: Outcome): Outcome {
  const { object, warnings = [] } = outcome;
  const shown = object === undefined ? {} : { object: withoutRandom(withoutVolatile(object, false)) };
  return JSON.parse(JSON.stringify({ ...outcome, ...shown, warnings: warnings.map(warningText) }));
}

/** A controller writes the status of CRDs, at a time of its own. Names, uids, addresses and ports are random. */
function withoutRandom(object: Json): Json {
  if (object?.kind === "CustomResourceDefinition") return { ...object, status: undefined };
  const { name, generateName } = object?.metadata ?? {};
  const text = JSON.stringify(object, object?.kind === "Service" ? maskAddress : maskTime).replaceAll(UID, "<uid>");
  return JSON.parse(generateName ? text.replaceAll(`"${name}"`, `"${generateName}<suffix>"`) : text);
}

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function maskTime(key: string, value: Json): Json {
  return key === "lastPhaseTransitionTime" ? "<time>" : value;
}

function maskAddress(key: string, value: Json): Json {
  if (/^(nodePort|healthCheckNodePort)$/.test(key)) return "<port>";
  return typeof value === "string" && /^10\.0\.0\.\d+$/.test(value) ? "<address>" : value;
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

/**
 * Warnings, each on a line, then the refusal, or a line that names what was done. What a record does not have is not
 * compared.
 */
function agreesPrinted(wanted: Outcome, printed: string, isUnordered: boolean): boolean {
  const isAccepted = (wanted.code ?? 0) < 300;
  const warnings = (wanted.warnings ?? []).map((header) => `Warning: ${warningText(header)}`);
  const text = [...warnings, isAccepted ? DONE : printedRefusal(wanted)].join("\n");
  const got = withoutHead(wanted.warnings === undefined ? printed.replace(/^Warning: .*\n/gm, "") : printed);
  if (wanted.code === 400 && wanted.message === undefined) return got.includes("Error from server (BadRequest): ");
  const inOrder = (lines: string): string[] => (isUnordered ? lines.split("\n").sort() : lines.split("\n"));
  return isDeepStrictEqual(inOrder(withoutHead(text)), inOrder(got));
}

const DONE = "done";

/** Not every record has the kind and the name of a refused object. */
function withoutHead(text: string): string {
  return text
    .replace(/^The .*? is invalid: ?/m, "")
    .replace(/.* (created|replaced|deleted.*) \(server dry run\)$/, DONE);
}
