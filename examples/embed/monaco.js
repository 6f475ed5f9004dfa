/** Findings and completions in Monaco. */
import { createChecker } from "@portcullis/embed";
import * as monaco from "monaco-editor";
import { CRDS, WIDGET } from "./crd.js";

// Monaco has a worker of its own, which is a bundle beside the page: its entry is monaco-editor/editor/editor.worker.
globalThis.MonacoEnvironment = { getWorker: () => new Worker("monaco.worker.js", { type: "module" }) };

const checker = createChecker({ crds: CRDS });
const model = monaco.editor.createModel(WIDGET, "yaml");
monaco.editor.create(document.getElementById("editor"), { model, automaticLayout: true });

const { Error: ERROR, Warning: WARNING, Info: INFO } = monaco.MarkerSeverity;
const SEVERITIES = { error: ERROR, warning: WARNING, note: INFO };

async function check() {
  const version = model.getVersionId();
  const found = await checker.check(model.getValue());
  // Somebody typed in the meantime.
  if (model.getVersionId() !== version) return;
  const markers = found.map(({ severity, message, hint, line, column, endLine, endColumn }) => ({
    severity: SEVERITIES[severity],
    message: hint === "" ? message : `${message}\n${hint}`,
    startLineNumber: line,
    startColumn: column,
    endLineNumber: endLine,
    endColumn,
  }));
  monaco.editor.setModelMarkers(model, "portcullis", markers);
}

model.onDidChangeContent(check);
check();

const { Field, Value, Variable, Function: FUNCTION } = monaco.languages.CompletionItemKind;
const KINDS = { field: Field, value: Value, variable: Variable, function: FUNCTION };

monaco.languages.registerCompletionItemProvider("yaml", {
  triggerCharacters: [" ", "."],
  async provideCompletionItems(current, position) {
    const found = await checker.complete(current.getValue(), current.getOffsetAt(position));
    if (found === undefined) return { suggestions: [] };
    const range = monaco.Range.fromPositions(current.getPositionAt(found.from), position);
    const suggestions = found.options.map(({ label, kind, detail, about, apply }) => ({
      label,
      kind: KINDS[kind],
      detail,
      documentation: about,
      insertText: apply,
      range,
    }));
    return { suggestions };
  },
});

globalThis.markers = () => monaco.editor.getModelMarkers({ owner: "portcullis" });
globalThis.model = model;
