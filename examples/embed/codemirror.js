/** Findings and completions in CodeMirror 6. */
import { autocompletion } from "@codemirror/autocomplete";
import { yaml } from "@codemirror/lang-yaml";
import { linter, lintGutter } from "@codemirror/lint";
import { EditorView } from "@codemirror/view";
import { createChecker } from "@portcullis/embed";
import { CRDS, WIDGET } from "./crd.js";

const checker = createChecker({ crds: CRDS });

const SEVERITIES = { error: "error", warning: "warning", note: "info" };

const findings = linter(
  async (view) => {
    const found = await checker.check(view.state.doc.toString());
    return found.map(({ from, to, severity, message, hint }) => ({
      from,
      to,
      severity: SEVERITIES[severity],
      message: hint === "" ? message : `${message}\n${hint}`,
    }));
  },
  { delay: 100 },
);

const completions = autocompletion({
  override: [
    async ({ state, pos }) => {
      const found = await checker.complete(state.doc.toString(), pos);
      if (found === undefined) return null;
      const options = found.options.map(({ label, detail, about, apply }) => ({ label, detail, info: about, apply }));
      return { from: found.from, options };
    },
  ],
});

const parent = document.getElementById("editor");
export const view = new EditorView({ doc: WIDGET, parent, extensions: [yaml(), lintGutter(), findings, completions] });
