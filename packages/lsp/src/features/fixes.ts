/** Quick fixes: what the hint of a finding says, done. */
import { sourcePath } from "@portcullis/checker/internal/check/crd-places";
import type { Fix, TextChange } from "@portcullis/checker/internal/complete/fix";
import { fixesFor } from "@portcullis/checker/internal/complete/fixes";
import { locatePath, type SourceNode } from "@portcullis/engine/internal/codec/position";
import type { CostCause } from "@portcullis/engine/internal/crd/cost-report";
import { type CodeAction, CodeActionKind, type Diagnostic, type TextEdit } from "vscode-languageserver";
import { type FindingData, SOURCE } from "../diagnostics/convert.ts";
import type { CostedRule, Costs } from "./costs.ts";
import type { OpenText } from "./open-text.ts";

export async function codeActions(
  open: OpenText,
  diagnostics: readonly Diagnostic[],
  costs: Costs,
): Promise<readonly CodeAction[]> {
  const actions: CodeAction[] = [];
  for (const diagnostic of diagnostics.filter(({ source }) => source === SOURCE)) {
    for (const { title, changes } of await fixesOf(open, diagnostic, costs)) {
      const edit = { changes: { [open.uri]: changes.map((each) => toEdit(open, each)) } };
      actions.push({ title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic], edit });
    }
  }
  return actions;
}

function toEdit({ document }: OpenText, { from, to, insert }: TextChange): TextEdit {
  return { range: { start: document.positionAt(from), end: document.positionAt(to) }, newText: insert };
}

async function fixesOf(open: OpenText, diagnostic: Diagnostic, costs: Costs): Promise<readonly Fix[]> {
  const data = diagnostic.data as Partial<FindingData> | undefined;
  if (data?.rule === undefined || data.isStale === true) return [];
  const { rule, path = "", hint, message = "" } = data;
  const { document } = open;
  const [from, to] = [document.offsetAt(diagnostic.range.start), document.offsetAt(diagnostic.range.end)];
  const fixes = fixesFor({ rule, path, message, hint, from, to }, document.getText(), open.objects());
  return fixes.length === 0 && rule.startsWith("crd/") ? boundFixes(open, diagnostic, costs) : fixes;
}

/** The bounds that make a rule affordable, each by itself or all together. */
async function boundFixes(open: OpenText, diagnostic: Diagnostic, costs: Costs): Promise<readonly Fix[]> {
  const { path = "" } = diagnostic.data as FindingData;
  const rules = (await costs.rulesOf(open)).filter(
    ({ rule, document }) => path.startsWith(sourcePath(rule.path, document.object)) && path !== "",
  );
  return rules.flatMap((costed) => boundsFor(open, costed));
}

function boundsFor(open: OpenText, costed: CostedRule): readonly Fix[] {
  const { causes, boundForAll } = costed.rule;
  const single = causes.flatMap((cause) => {
    const edit = cause.largestBound === undefined ? undefined : boundEdit(open, costed, cause, cause.largestBound);
    const where = cause.field === "" ? "self" : cause.field;
    return edit === undefined
      ? []
      : [{ title: `Set ${cause.keyword}: ${cause.largestBound} for \`${where}\``, changes: [edit] }];
  });
  if (boundForAll === undefined) return single;
  const changes = causes.flatMap((cause) => boundEdit(open, costed, cause, boundForAll) ?? []);
  return [...single, { title: `Set all bounds of this rule to ${boundForAll}`, changes }];
}

function boundEdit(open: OpenText, { document }: CostedRule, cause: CostCause, bound: number): TextChange | undefined {
  const path = sourcePath(cause.path, document.object);
  const { source, text, offset } = document;
  const node = source && locatePath(source, path);
  if (node === undefined) return undefined;
  const known = node.fields?.get(cause.keyword);
  if (known !== undefined) return { from: offset + known.start, to: offset + known.end, insert: String(bound) };
  const first = firstField(node);
  if (first === undefined) return undefined;
  const at = offset + first.keyStart;
  const isFlow = text[offset + node.start] === "{";
  const key = text[offset + first.keyStart] === '"' ? JSON.stringify(cause.keyword) : cause.keyword;
  const insert = `${key}: ${bound}${isFlow ? ", " : `\n${" ".repeat(open.document.positionAt(at).character)}`}`;
  return { from: at, to: at, insert };
}

function firstField({ fields }: SourceNode): SourceNode | undefined {
  return [...(fields?.values() ?? [])].reduce<SourceNode | undefined>(
    (first, each) => (first === undefined || each.keyStart < first.keyStart ? each : first),
    undefined,
  );
}
