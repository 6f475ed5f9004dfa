/** Rename: the variables of a policy, in its list and in all of its expressions, and the variables of macros. */
import { maskTexts } from "@portcullis/checker/internal/complete/cel-help";
import { valueAt } from "@portcullis/checker/internal/complete/kind-views";
import {
  type ObjectPlace,
  objectPlaceAt,
  offsetInScalar,
  type Steps,
} from "@portcullis/checker/internal/complete/object-place";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { locateSteps } from "@portcullis/engine/internal/codec/position";
import { locateInScalar } from "@portcullis/engine/internal/codec/scalar-position";
import { isArray, isObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import type { Position, Range, TextEdit } from "vscode-languageserver";
import type { OpenText } from "./open-text.ts";

/** A name in the text: where it is, and all places that have to change with it. */
interface Renamed {
  readonly name: string;
  readonly here: Range;
  readonly all: readonly Range[];
}

export function prepareRename(open: OpenText, position: Position): Range | undefined {
  return renamedAt(open, position)?.here;
}

/** A text is why the name cannot be used. */
export function rename(open: OpenText, position: Position, to: string): readonly TextEdit[] | string {
  if (!/^[A-Za-z_]\w*$/.test(to) || RESERVED.includes(to)) return `\`${to}\` cannot be the name of a variable`;
  const renamed = renamedAt(open, position);
  if (renamed === undefined) return "there is no variable here";
  return renamed.all.map((range) => ({ range, newText: to }));
}

const RESERVED = [
  "in",
  "true",
  "false",
  "null",
  "self",
  "oldSelf",
  "object",
  "oldObject",
  "request",
  "params",
  "variables",
];

function renamedAt(open: OpenText, position: Position): Renamed | undefined {
  const offset = open.document.offsetAt(position);
  const place = objectPlaceAt(open.objects(), offset);
  if (place === undefined || place.isKey || typeof place.value !== "string") return undefined;
  const at = offsetInScalar(place, place.value, offset);
  return policyVariable(open, place, at) ?? loopVariable(open, place, at);
}

function policyVariable(open: OpenText, { object, steps, value }: ObjectPlace, at: number): Renamed | undefined {
  if (typeof value !== "string" || !object.id.kind.endsWith("AdmissionPolicy")) return undefined;
  const isDeclaration = steps.length === 4 && steps[1] === "variables" && steps[3] === "name";
  const own = isDeclaration
    ? { name: value, from: 0 }
    : usesIn(value).find((use) => at >= use.from && at <= use.from + use.name.length);
  const list = valueAt(object.object, ["spec", "variables"]);
  const index = (isArray(list) ? list : []).findIndex((each) => valueAt(each, ["name"]) === own?.name);
  if (own === undefined || index < 0) return undefined;
  const { name } = own;
  const declared = rangeIn(open, object, ["spec", "variables", index, "name"], 0, name);
  const uses = expressionsIn(object.object).flatMap((expression) =>
    usesIn(expression.text)
      .filter((use) => use.name === name)
      .map((use) => rangeIn(open, object, expression.steps, use.from, name)),
  );
  const here = rangeIn(open, object, steps, own.from, name);
  return here && { name, here, all: [declared, ...uses].flatMap((range) => range ?? []) };
}

interface Use {
  readonly name: string;
  readonly from: number;
}

function usesIn(expression: string): readonly Use[] {
  return [...maskTexts(expression).matchAll(/(?<![\w.])variables\s*\??\.\s*([A-Za-z_]\w*)/g)].map((match) => {
    const name = match[1] ?? "";
    return { name, from: match.index + match[0].length - name.length };
  });
}

/** Every text that can be an expression of a policy. */
function expressionsIn(
  json: JsonValue,
  steps: Steps = [],
): readonly { readonly steps: Steps; readonly text: string }[] {
  if (typeof json === "string") return /xpression$/.test(String(steps.at(-1))) ? [{ steps, text: json }] : [];
  if (isArray(json)) return json.flatMap((item, index) => expressionsIn(item, [...steps, index]));
  return isObject(json) ? Object.entries(json).flatMap(([key, value]) => expressionsIn(value, [...steps, key])) : [];
}

const MACRO =
  /\.(?:all|exists|exists_one|existsOne|filter|map|transformList|transformMap|transformMapEntry|optMap|optFlatMap|sortBy)\s*\(/g;

/** The variable of the innermost macro that declares this name. */
function loopVariable(open: OpenText, { object, steps, value }: ObjectPlace, at: number): Renamed | undefined {
  if (typeof value !== "string") return undefined;
  const text = maskTexts(value);
  const identifiers = [...text.matchAll(/(?<![\w.])[A-Za-z_]\w*/g)].map((match) => ({
    name: match[0],
    from: match.index,
  }));
  const word = identifiers.find(({ name, from }) => at >= from && at <= from + name.length);
  if (word === undefined) return undefined;
  const scope = macrosIn(text).findLast((each) => each.names.includes(word.name) && at >= each.from && at <= each.to);
  if (scope === undefined) return undefined;
  const inner = macrosIn(text).filter(
    (each) => each.from > scope.from && each.to <= scope.to && each.names.includes(word.name),
  );
  const range = (from: number): Range | undefined => rangeIn(open, object, steps, from, word.name);
  const all = identifiers.filter(
    ({ name, from }) =>
      name === word.name &&
      from >= scope.from &&
      from <= scope.to &&
      !inner.some((each) => from >= each.from && from <= each.to),
  );
  const here = range(word.from);
  return here && { name: word.name, here, all: all.flatMap(({ from }) => range(from) ?? []) };
}

interface Macro {
  readonly names: readonly string[];
  /** Of what is between the parentheses. */
  readonly from: number;
  readonly to: number;
}

function macrosIn(text: string): readonly Macro[] {
  return [...text.matchAll(MACRO)].map((match) => {
    const from = match.index + match[0].length;
    const names = /^\s*([A-Za-z_]\w*)\s*(?:,\s*([A-Za-z_]\w*)\s*(?=,))?/.exec(text.slice(from));
    return { names: (names?.slice(1) ?? []).filter((name) => name !== undefined), from, to: closing(text, from) };
  });
}

function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0) return at;
  }
  return text.length;
}

/** The range of a name in a scalar of the document. */
function rangeIn(
  open: OpenText,
  document: ManifestDocument,
  steps: Steps,
  from: number,
  name: string,
): Range | undefined {
  const value = valueAt(document.object, steps);
  if (document.source === undefined || typeof value !== "string") return undefined;
  const node = locateSteps(document.source, steps);
  const source = document.text.slice(document.offset);
  const start = document.offset + locateInScalar(source, node, value, from);
  return { start: open.document.positionAt(start), end: open.document.positionAt(start + name.length) };
}
