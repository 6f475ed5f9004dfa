/**
 * The editors: CodeMirror with YAML and CEL, our diagnostics, and colours from the page's own variables.
 *
 * Each lives in a shadow root, because there CodeMirror adopts its styles as a sheet; in the document it would add a style
 * element, which the content-security policy forbids. Tab is left alone, so that the keyboard gets out again.
 */
import { autocompletion, type Completion, type CompletionSource, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  StreamLanguage,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic as CmDiagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Suggestion, Suggestions } from "@portcullis/checker/internal/complete/suggestion";
import type { Diagnostic } from "../review/outcome.ts";
import { h } from "./dom.ts";

export interface EditorOptions {
  readonly text: string;
  readonly label: string;
  readonly language: "yaml" | "cel";
  readonly placeholder: string;
  readonly onChange: (text: string) => void;
  readonly complete: (text: string, offset: number) => Promise<Suggestions | undefined>;
}

export interface Editor {
  setText(text: string): void;
  setDiagnostics(diagnostics: readonly Diagnostic[]): void;
  reveal(from: number, to: number): void;
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
  };
}

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

function newState({ text, label, language, placeholder, onChange, complete }: EditorOptions): EditorState {
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
      keymap.of([
        ...completionKeymap,
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

function toCodeMirror({ from, to, severity, message, hint, rule }: Diagnostic, length: number): CmDiagnostic {
  const start = Math.min(from, length);
  return {
    from: start,
    to: Math.min(Math.max(to, start), length),
    severity: SEVERITIES[severity],
    message,
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

const HIGHLIGHT = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.string, tags.special(tags.string), tags.content], color: "var(--code-text)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--code-value)" },
  { tag: [tags.comment, tags.lineComment, tags.meta], color: "var(--muted)", fontStyle: "italic" },
  { tag: [tags.punctuation, tags.separator, tags.operator, tags.squareBracket, tags.brace], color: "var(--muted)" },
  { tag: [tags.variableName, tags.labelName], color: "var(--ink)" },
]);

const THEME = EditorView.theme({
  "&": {
    height: "var(--editor-height, 100%)",
    maxHeight: "var(--editor-limit, none)",
    color: "var(--ink)",
    backgroundColor: "var(--card)",
    fontSize: "13px",
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--accent)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--line-active)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--selection)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--paper)", border: "1px solid var(--line)", color: "var(--muted)" },
  ".cm-tooltip": {
    backgroundColor: "var(--card)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
    boxShadow: "var(--shadow)",
    maxWidth: "min(44rem, 90vw)",
  },
  ".cm-diagnostic": { padding: "8px 12px", whiteSpace: "pre-wrap", borderLeftWidth: "4px" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
  ".cm-diagnostic-info": { borderLeftColor: "var(--note)" },
  ".cm-hint": { color: "var(--muted)", fontSize: "12px", marginTop: "4px" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    borderBottom: "2px solid var(--bad)",
    backgroundColor: "var(--bad-soft)",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    borderBottom: "2px dashed var(--warn)",
    backgroundColor: "var(--warn-soft)",
  },
  ".cm-lintRange-info": { backgroundImage: "none", borderBottom: "2px dotted var(--note)" },
  ".cm-lint-marker": { width: "0.75em", height: "0.75em", content: "normal", borderRadius: "50%", marginTop: "0.35em" },
  ".cm-lint-marker-error": { content: "normal", backgroundColor: "var(--bad)" },
  ".cm-lint-marker-warning": { content: "normal", backgroundColor: "var(--warn)", borderRadius: "2px" },
  ".cm-lint-marker-info": { content: "normal", backgroundColor: "var(--note)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mono)",
    fontSize: "13px",
    maxHeight: "16em",
    padding: "4px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    display: "flex",
    gap: "16px",
    justifyContent: "space-between",
    padding: "3px 8px",
    borderRadius: "5px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--selection)", color: "var(--ink)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionDetail": {
    color: "var(--muted)",
    fontStyle: "normal",
    marginLeft: "0",
    maxWidth: "24em",
    overflow: "hidden",
    textOverflow: "ellipsis",
  },
  ".cm-tooltip.cm-completionInfo": {
    padding: "8px 12px",
    maxWidth: "24rem",
    fontFamily: "var(--sans)",
    fontSize: "13.5px",
    lineHeight: "1.45",
  },
  ".cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panel input, .cm-panel button": {
    font: "inherit",
    color: "var(--ink)",
    backgroundColor: "var(--card)",
    backgroundImage: "none",
    border: "1px solid var(--line)",
    borderRadius: "6px",
  },
});
