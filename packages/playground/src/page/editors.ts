/**
 * The editors: CodeMirror with YAML and CEL, our diagnostics, and colours from the page's own variables.
 *
 * Each lives in a shadow root, because there CodeMirror adopts its styles as a sheet; in the document it would add a style
 * element, which the content-security policy forbids. Tab is left alone, so that the keyboard gets out again.
 */
import { autocompletion, type Completion, type CompletionSource, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, insertNewlineAndIndent } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  StreamLanguage,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic as CmDiagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  type Command,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { Fix } from "@portcullis/checker/internal/complete/fix";
import type { HoverText } from "@portcullis/checker/internal/complete/hover";
import type { Suggestion, Suggestions } from "@portcullis/checker/internal/complete/suggestion";
import type { Diagnostic } from "../review/outcome.ts";
import { h } from "./dom.ts";
import { HIGHLIGHT, THEME } from "./editor-theme.ts";
import { hoverDocumentation } from "./hover.ts";
import { indentAfter } from "./yaml-indent.ts";

export interface EditorOptions {
  readonly text: string;
  readonly label: string;
  readonly language: "yaml" | "cel";
  readonly placeholder: string;
  readonly onChange: (text: string) => void;
  readonly complete: (text: string, offset: number) => Promise<Suggestions | undefined>;
  readonly hover: (text: string, offset: number) => Promise<HoverText | undefined>;
}

export interface Editor {
  setText(text: string): void;
  setDiagnostics(diagnostics: readonly Diagnostic[]): void;
  reveal(from: number, to: number): void;
  /** Undo takes it back. */
  fix(fix: Fix): void;
}

export function createEditor(host: HTMLElement, options: EditorOptions): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const view = new EditorView({ parent: root, root, state: newState(options) });
  showSchema(view);
  return {
    setText(text) {
      if (text === view.state.doc.toString()) return;
      view.setState(newState({ ...options, text }));
      showSchema(view);
    },
    setDiagnostics(diagnostics) {
      const { length } = view.state.doc;
      const shown = diagnostics.map((each) => toCodeMirror(each, length)).sort((one, other) => one.from - other.from);
      view.dispatch(setDiagnostics(view.state, shown));
    },
    reveal(from, to) {
      const { length } = view.state.doc;
      const selection = { anchor: Math.min(from, length), head: Math.min(to, length) };
      view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: "center" }) });
      view.focus();
    },
    fix: (fix) => applyFix(view, fix),
  };
}

function applyFix(view: EditorView, { changes }: Fix): void {
  view.dispatch({ changes: [...changes], userEvent: "input.fix" });
  view.focus();
}

/** Enter in YAML: what follows `spec:` is indented. Inside brackets the grammar knows better. */
const newYamlLine: Command = (view) => {
  const { state } = view;
  const { main } = state.selection;
  const line = state.doc.lineAt(main.from);
  const before = line.text.slice(0, main.from - line.from);
  if (state.readOnly || state.selection.ranges.length > 1 || /[{[]/.test(before)) return insertNewlineAndIndent(view);
  const insert = `${state.lineBreak}${indentAfter(before)}`;
  // Spaces behind the cursor would add to the indentation.
  const after = /^ */.exec(state.sliceDoc(main.to, state.doc.lineAt(main.to).to))?.[0].length ?? 0;
  view.dispatch({
    changes: { from: main.from, to: main.to + after, insert },
    selection: { anchor: main.from + insert.length },
    scrollIntoView: true,
    userEvent: "input",
  });
  return true;
};

/** All CRDs start alike, so scroll to the difference. Only the editor scrolls, never the page around it. */
function showSchema(view: EditorView): void {
  const at = view.state.doc.toString().indexOf("openAPIV3Schema:");
  if (at < 0) return;
  view.requestMeasure({
    read: () => view.lineBlockAt(at).top,
    write: (top) => {
      view.scrollDOM.scrollTop = top;
    },
  });
}

function newState({ text, label, language, placeholder, onChange, complete, hover }: EditorOptions): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      foldGutter(),
      lintGutter(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      autocompletion({ override: [completionSource(complete)], icons: false, maxRenderedOptions: 60 }),
      hoverDocumentation(hover),
      keymap.of([
        ...completionKeymap,
        ...(language === "yaml" ? [{ key: "Enter", run: newYamlLine }] : []),
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...lintKeymap,
      ]),
      language === "yaml" ? yaml() : StreamLanguage.define(cel),
      syntaxHighlighting(HIGHLIGHT),
      THEME,
      EditorState.tabSize.of(2),
      EditorView.contentAttributes.of({
        "aria-label": label,
        "aria-description": placeholder,
        spellcheck: "false",
        tabindex: "0",
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(update.state.doc.toString());
      }),
      language === "cel" ? EditorView.lineWrapping : [],
    ] satisfies Extension[],
  });
}

/** While typing a name, or on Ctrl-Space. */
function completionSource(complete: EditorOptions["complete"]): CompletionSource {
  return async (context) => {
    const before = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
    if (!context.explicit && !/[\w.$]/.test(before)) return null;
    const found = await complete(context.state.doc.toString(), context.pos);
    if (found === undefined || context.aborted) return null;
    return { from: found.from, options: found.options.map(toOption), validFor: /^[\w$-]*$/ };
  };
}

function toOption({ label, kind, detail, about, apply, isRequired }: Suggestion): Completion {
  return {
    label,
    type: kind,
    detail,
    ...(apply === undefined ? {} : { apply }),
    ...(about === "" ? {} : { info: about }),
    boost: isRequired === true ? 2 : kind === "function" ? -1 : 0,
  };
}

const SEVERITIES = { error: "error", warning: "warning", note: "info" } as const;

function toCodeMirror(
  { from, to, severity, message, hint, rule, fixes = [] }: Diagnostic,
  length: number,
): CmDiagnostic {
  const start = Math.min(from, length);
  return {
    from: start,
    to: Math.min(Math.max(to, start), length),
    severity: SEVERITIES[severity],
    message,
    actions: fixes.map((fix) => ({
      name: fix.title.replaceAll("`", ""),
      apply: (view: EditorView) => applyFix(view, fix),
    })),
    renderMessage: () =>
      h(
        "div",
        {},
        h("div", {}, message),
        h("div", { class: "cm-hint" }, hint === undefined ? rule : `${rule}: ${hint}`),
      ),
  };
}

const KEYWORDS = /^(?:true|false|null|in|has|all|exists|exists_one|map|filter|self|oldSelf|object|oldObject|params)\b/;

/** A minimal CEL grammar for syntax colours. */
const cel = {
  token(stream: { match(pattern: RegExp): unknown; next(): unknown }): string | null {
    if (stream.match(/^\s+/)) return null;
    if (stream.match(/^\/\/.*/)) return "comment";
    if (stream.match(/^[rRbB]{0,2}(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)/)) return "string";
    if (stream.match(/^(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)u?/)) return "number";
    if (stream.match(KEYWORDS)) return "keyword";
    if (stream.match(/^[A-Za-z_][A-Za-z0-9_]*(?=\()/)) return "propertyName";
    if (stream.match(/^[A-Za-z_][A-Za-z0-9_]*/)) return "variableName";
    stream.next();
    return "operator";
  },
};
