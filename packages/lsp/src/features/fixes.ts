/** Quick fixes: what the hint of a finding says, done. */
import { sourcePath } from "@portcullis/checker/internal/check/crd-places";
import { locatePath, type SourceNode } from "@portcullis/engine/internal/codec/position";
import type { CostCause } from "@portcullis/engine/internal/crd/cost-report";
import { type CodeAction, CodeActionKind, type Diagnostic, type TextEdit } from "vscode-languageserver";
import { type FindingData, SOURCE } from "../diagnostics/convert.ts";
import type { CostedRule, Costs } from "./costs.ts";
import type { Fix } from "./fix.ts";
import { moveField } from "./move-field.ts";
import type { OpenText } from "./open-text.ts";

export async function codeActions(
  open: OpenText,
  diagnostics: readonly Diagnostic[],
  costs: Costs,
): Promise<readonly CodeAction[]> {
  const actions: CodeAction[] = [];
  for (const diagnostic of diagnostics.filter(({ source }) => source === SOURCE)) {
    for (const { title, edits } of await fixesOf(open, diagnostic, costs)) {
      const edit = { changes: { [open.uri]: [...edits] } };
      actions.push({ title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic], edit });
    }
  }
  return actions;
}

async function fixesOf(open: OpenText, diagnostic: Diagnostic, costs: Costs): Promise<readonly Fix[]> {
  const data = diagnostic.data as Partial<FindingData> | undefined;
  if (data?.rule === undefined || data.isStale === true) return [];
  const { hint = "", message = "" } = data;
  const named = /did you mean `([^`]+)`\?/.exec(hint)?.[1];
  if (named !== undefined) return [replaceName(open, diagnostic, data, named)];
  if (/fix the indentation$/.test(hint)) return moveField(open, diagnostic, hint);
  if (/quote (?:it|the number): /.test(hint)) return [quote(open, diagnostic)];
  if (hint.startsWith("remove the quotes: ")) return [unquote(open, diagnostic)];
  if (/^unsupported value|Unsupported value: /.test(message)) return supportedValues(diagnostic, message);
  return data.rule.startsWith("crd/") ? boundFixes(open, diagnostic, costs) : [];
}

/** The name of a field, or a value such as a kind. */
function replaceName({ document }: OpenText, { range }: Diagnostic, { rule }: Partial<FindingData>, name: string): Fix {
  const written = document.getText(range);
  const quoteMark = /^["']/.exec(written)?.[0] ?? "";
  const newText = rule === "field/unknown" || quoteMark !== "" ? `${quoteMark}${name}${quoteMark}` : name;
  return { title: `Change to \`${name}\``, edits: [{ range, newText }] };
}

function quote({ document }: OpenText, { range }: Diagnostic): Fix {
  const written = document.getText(range);
  return { title: `Quote it: "${written}"`, edits: [{ range, newText: JSON.stringify(written) }] };
}

function unquote({ document }: OpenText, { range }: Diagnostic): Fix {
  const newText = document.getText(range).replace(/^(["'])(.*)\1$/s, "$2");
  return { title: `Remove the quotes: ${newText}`, edits: [{ range, newText }] };
}

/** At most as many as a menu can show. */
const MAX_VALUES = 8;

/** `Unsupported value: "x": supported values: "A", "B"`. */
function supportedValues({ range }: Diagnostic, message: string): readonly Fix[] {
  const list = /supported values: (.*)$/s.exec(message)?.[1] ?? "";
  const values = [...list.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([text]) => text);
  return values.slice(0, MAX_VALUES).map((text) => {
    const value: unknown = JSON.parse(text);
    const newText = /^[A-Za-z][\w./-]*$/.test(String(value)) ? String(value) : text;
    return { title: `Change to ${text}`, edits: [{ range, newText }] };
  });
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
      : [{ title: `Set ${cause.keyword}: ${cause.largestBound} for \`${where}\``, edits: [edit] }];
  });
  if (boundForAll === undefined) return single;
  const edits = causes.flatMap((cause) => boundEdit(open, costed, cause, boundForAll) ?? []);
  return [...single, { title: `Set all bounds of this rule to ${boundForAll}`, edits }];
}

function boundEdit(open: OpenText, { document }: CostedRule, cause: CostCause, bound: number): TextEdit | undefined {
  const path = sourcePath(cause.path, document.object);
  const { source, text, offset } = document;
  const node = source && locatePath(source, path);
  if (node === undefined) return undefined;
  const position = (at: number) => open.document.positionAt(offset + at);
  const known = node.fields?.get(cause.keyword);
  if (known !== undefined)
    return { range: { start: position(known.start), end: position(known.end) }, newText: String(bound) };
  const first = firstField(node);
  if (first === undefined) return undefined;
  const at = position(first.keyStart);
  const isFlow = text[offset + node.start] === "{";
  const key = text[offset + first.keyStart] === '"' ? JSON.stringify(cause.keyword) : cause.keyword;
  const newText = `${key}: ${bound}${isFlow ? ", " : `\n${" ".repeat(at.character)}`}`;
  return { range: { start: at, end: at }, newText };
}

function firstField({ fields }: SourceNode): SourceNode | undefined {
  return [...(fields?.values() ?? [])].reduce<SourceNode | undefined>(
    (first, each) => (first === undefined || each.keyStart < first.keyStart ? each : first),
    undefined,
  );
}
