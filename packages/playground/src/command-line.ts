/** The same review with the command line, on files with the names of the texts. */
import { CONTEXT_FIELDS, contextNames, type Field, fieldInfo, MODE_INFO } from "./modes.ts";
import type { State } from "./state.ts";

/** The files of a mode; those that the command needs are written even if they are empty. */
export function filesFor({ mode, texts }: State): { readonly name: string; readonly text: string }[] {
  return MODE_INFO[mode].fields.flatMap((field) => {
    const text = texts[field] ?? "";
    if (text.trim() === "" && !NEEDED.includes(field)) return [];
    return [{ name: fieldInfo(field, mode).file, text: field === "request" ? requestFile(text, texts) : text }];
  });
}

/** A request names the files of its objects. */
function requestFile(text: string, texts: State["texts"]): string {
  const named = (
    [
      ["object", "object"],
      ["oldObject", "old"],
    ] as const
  ).filter(([, field]) => (texts[field] ?? "").trim() !== "");
  const lines = named.map(([key, field]) => `${key}: ${fieldInfo(field, "policy").file}\n`);
  return `${text.trimEnd()}\n${lines.join("")}`;
}

/** `definition` is needed by a diff only, but an empty file does no harm to the others. */
const NEEDED: readonly Field[] = [
  "definition",
  "oldDefinition",
  "object",
  "oldPolicy",
  "policy",
  "cluster",
  "expression",
];

/** The arguments of `portcullis`. Files are in the current folder. */
export function commandFor(state: State): string[] {
  const version = ["--kube-version", state.version];
  switch (state.mode) {
    case "create":
    case "update": {
      const old = state.mode === "update" ? ["--old", "old.yaml"] : [];
      const fields = ["--field-validation", state.fieldValidation];
      return ["check", "definition.yaml", "object.yaml", ...old, ...fields, ...version];
    }
    case "upgrade":
      return ["crd", "diff", "old-definition.yaml", "definition.yaml", ...version];
    case "policy": {
      const old = isBlank(state, "old") ? [] : ["--old", "old.yaml"];
      const objects = ["--object", "object.yaml", ...old];
      const request = isBlank(state, "request") ? objects : ["--request", "request.yaml"];
      return ["policy", "eval", "policy.yaml", "cluster.yaml", ...request, ...version];
    }
    case "proof":
      return ["policy", "diff", "old-policy.yaml", "policy.yaml", "--with", "cluster.yaml", ...version];
    case "cel":
      return ["cel", (state.texts.expression ?? "").trimEnd(), ...contextFlags(state), ...version];
  }
}

function contextFlags(state: State): string[] {
  const known = CONTEXT_FIELDS.filter((field) => !isBlank(state, field));
  const objects = known.flatMap((field) =>
    contextNames(field).flatMap((name) => ["--var", `${name}=${fieldInfo(field, "cel").file}`]),
  );
  return isBlank(state, "variables") ? objects : [...objects, "--vars", fieldInfo("variables", "cel").file];
}

function isBlank({ texts }: State, field: Field): boolean {
  return (texts[field] ?? "").trim() === "";
}

/** The whole command, for a shell. */
export function shellCommand(state: State): string {
  return ["portcullis", ...commandFor(state).map(shellQuoted)].join(" ");
}

/** With the kind of quotes that needs no escapes, if there is one. */
export function shellQuoted(text: string): string {
  if (/^[\w./:=-]+$/.test(text)) return text;
  if (text.includes("'") && !/["$`\\!]/.test(text)) return `"${text}"`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
