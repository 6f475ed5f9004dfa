/**
 * Values that another tool replaces before the object is applied: `${VAR}` of Flux, `$(VAR)` of a kustomization,
 * `{{ value }}` of a template, `__NAME__`, `{NAME}`, `$NAME`, `($name)`, `YOUR_NAME`, `<your domain>` and `...` of examples,
 * and values that SOPS encrypted.
 *
 * What the API server says about such a value is not a mistake of the file. Only `${VAR}` and encrypted values are
 * placeholders in files that the user names: the others would be applied as they are.
 */

const SUBSTITUTED = /\$\{ ?[A-Za-z_][^}\n]*\}|ENC\[AES256_GCM,/;
const OF_EXAMPLES = new RegExp(
  [
    /\{\{[^\n]*?\}\}|\{[A-Z][A-Z0-9_]*\}|__[A-Z][A-Z0-9_]*__|<[A-Za-z][\w .-]*>|\$[A-Z][A-Z0-9_]*\b/,
    /\bREPLACE_?ME\b|\[?\bYOUR_[A-Z0-9_]+\b\]?|\bPLACEHOLDER(?:_\w+)?\b|(?<=^|")\.{3}|\.{3}(?="|$)|(?<=^|")\(\$[A-Za-z][\w.]*\)/,
    /\$\([A-Za-z][\w.-]*\)/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

export interface PlaceholderOptions {
  readonly isNamed: boolean;
}

/** The first placeholder in a text. */
export function findPlaceholder(text: string, { isNamed }: PlaceholderOptions): string | undefined {
  const start = text.slice(0, MAX_SEARCHED);
  return SUBSTITUTED.exec(start)?.[0] ?? (isNamed ? undefined : OF_EXAMPLES.exec(start.slice(0, MAX_VALUE))?.[0]);
}

/** A message may contain a whole object, in which `$NAME` is part of a script. */
const MAX_SEARCHED = 4096;
const MAX_VALUE = 300;

const DISABLED = /kustomize\.toolkit\.fluxcd\.io\/substitute["']?\s*:\s*["']?disabled/;
/** `$${NAME}` is the text `${NAME}`. */
const VARIABLE = /\$?\$\{([A-Za-z_][A-Za-z0-9_]{0,200})(?:(:?[=-])([^}\n]{0,1000}))?\}/g;

/** Replaces the variables that have a value or a default, as Flux does. Others stay. */
export function substitute(text: string, values: ReadonlyMap<string, string>): string {
  if (!text.includes("${")) return text;
  return text
    .split(/^(?=---)/m)
    .map((document) => (DISABLED.test(document) ? document : substituteAll(document, values)))
    .join("");
}

function substituteAll(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(VARIABLE, (whole: string, name: string, operator?: string, preset?: string) => {
    if (whole.startsWith("$$")) return whole.slice(1);
    const value = values.get(name);
    const isUnset = value === undefined || (value === "" && operator?.startsWith(":") === true);
    return isUnset ? (preset ?? value ?? whole) : value;
  });
}

/** `NAME=VALUE` lines, as in an env file; quotes around a value are removed. */
export function parseEnvironment(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const at = line.indexOf("=");
    const name = line
      .slice(0, Math.max(at, 0))
      .replace(/^\s*export\s/, "")
      .trim();
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) continue;
    const value = line.slice(at + 1).trim();
    values.set(name, /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value);
  }
  return values;
}
