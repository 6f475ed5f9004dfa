/** Compares our result with the recorded one: the decision first, then types and paths, then messages. */
import { deepEqual } from "@portcullis/engine/internal/value/equal";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import type { Answer, Finding } from "./case.ts";

export interface Difference {
  readonly field: string;
  readonly want: string;
  readonly got: string;
}

/** If upstream panics, we only have to return a result. */
export function differences(want: Answer, got: Answer): readonly Difference[] {
  if (want.panic !== undefined) return [];
  return [
    ...compareDecoding(want, got),
    ...compareFindings(want.errors, got.errors),
    ...compareTexts("warnings", [...want.warnings].sort(), [...got.warnings].sort()),
    ...compareTexts("costs", want.costs.map(showCost).sort(), got.costs.map(showCost).sort()),
  ];
}

function compareDecoding(want: Answer, got: Answer): readonly Difference[] {
  const found = [...compareTexts("decode", [want.decode ?? ""], [got.decode ?? ""])];
  if (want.decode !== undefined || got.decode !== undefined) return found;
  found.push(...compareTexts("unknown", want.unknown, got.unknown));
  const isSame =
    want.object === undefined || got.object === undefined
      ? want.object === got.object
      : deepEqual(want.object, got.object);
  if (!isSame) found.push({ field: "object", want: showObject(want.object), got: showObject(got.object) });
  return found;
}

/** Only the first kind of difference is reported: a wrong message does not matter if the decision is wrong. */
function compareFindings(want: readonly Finding[], got: readonly Finding[]): readonly Difference[] {
  const views: readonly (readonly [string, (finding: Finding) => string])[] = [
    ["types", ({ type, field }) => `${field}: ${type}`],
    ["text", ({ field, text }) => `${field}: ${text}`],
  ];
  if ((want.length === 0) !== (got.length === 0)) {
    const [, show] = views[1] ?? [];
    return show === undefined ? [] : compareTexts("verdict", want.map(show).sort(), got.map(show).sort());
  }
  for (const [field, show] of views) {
    const found = compareTexts(field, want.map(show).sort(), got.map(show).sort());
    if (found.length > 0) return found;
  }
  return [];
}

function compareTexts(field: string, want: readonly string[], got: readonly string[]): readonly Difference[] {
  if (want.length === got.length && want.every((text, index) => text === got[index])) return [];
  const [missing, surplus] = [without(want, got), without(got, want)];
  // Lists that differ only in order or in repetitions are shown completely.
  const isWhole = missing.length + surplus.length === 0;
  return [{ field, want: (isWhole ? want : missing).join("\n"), got: (isWhole ? got : surplus).join("\n") }];
}

function without(texts: readonly string[], others: readonly string[]): readonly string[] {
  return texts.filter((text) => !others.includes(text));
}

function showCost({ path, cost }: { readonly path: string; readonly cost: string }): string {
  return `${path} ${cost}`;
}

function showObject(object: Answer["object"]): string {
  return object === undefined ? "as it was given" : canonicalJson(object, { escapeHtml: false });
}
