/** Completion in expressions: variables and functions, and after a dot the fields and methods of what is before it. */
import { type FunctionReference, formatType, functionReferences } from "@portcullis/cel";
import { compatibilityVersion, type KubernetesVersion, kubernetesEnvironment } from "@portcullis/engine/kubecel";
import type { Suggestion } from "./suggestion.ts";
import type { View, ViewType } from "./view.ts";

export interface CelScope {
  readonly version: KubernetesVersion;
  /** What is known of each variable; undefined if nothing is. */
  readonly variables: ReadonlyMap<string, View | undefined>;
}

const WORD = "[A-Za-z_][A-Za-z0-9_]*";
const INDEX = "(?:\\[[^\\][]*\\])*";
const CHAIN = new RegExp(`(${WORD}${INDEX}(?:\\??\\.${WORD}${INDEX})*)\\??\\.(?:${WORD})?$`);
const ONLY_CHAIN = new RegExp(`^${WORD}${INDEX}(?:\\??\\.${WORD}${INDEX})*$`);
const LOOP = new RegExp(
  `(${WORD}${INDEX}(?:\\??\\.${WORD}${INDEX})*)\\.(?:all|exists|exists_one|filter|map)\\(\\s*(${WORD})\\s*,`,
  "g",
);

/** `text` is the expression up to the cursor. Undefined if nothing can be said, as inside a text in quotes. */
export function completeCel(text: string, scope: CelScope): { written: string; options: Suggestion[] } | undefined {
  if (isInText(text)) return undefined;
  const written = new RegExp(`(?:${WORD})?$`).exec(text)?.[0] ?? "";
  const before = text.slice(0, text.length - written.length);
  if (/(?:^|[^\w.\]])\d+\.?$/.test(before)) return undefined;
  const inner: CelScope = { version: scope.version, variables: withLoops(text, scope.variables) };
  if (!before.endsWith(".")) return { written, options: [...variables(inner), ...functions(scope, false)] };
  const chain = CHAIN.exec(text)?.[1];
  const view = chain === undefined ? undefined : resolveChain(chain, inner.variables);
  return { written, options: [...fields(view), ...functions(scope, true, view?.type)] };
}

function isInText(text: string): boolean {
  const bare = text.replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, "");
  return /["']/.test(bare);
}

/** The variables of macros that are open, or were: `self.hosts.all(host, …`. */
export function withLoops(
  text: string,
  variables: ReadonlyMap<string, View | undefined>,
): ReadonlyMap<string, View | undefined> {
  const known = new Map(variables);
  for (const [, chain = "", name = ""] of text.matchAll(LOOP)) {
    const over = resolveChain(chain, known);
    known.set(name, over?.type === "map" ? KEY : over?.item());
  }
  return known;
}

const KEY: View = {
  type: "string",
  about: "",
  values: [],
  fields: () => [],
  member: () => undefined,
  item: () => undefined,
};

/** What `object.spec.containers[0]` is; undefined if it is another expression, or unknown. */
export function resolveChain(chain: string, known: ReadonlyMap<string, View | undefined>): View | undefined {
  if (!ONLY_CHAIN.test(chain)) return undefined;
  const [root = "", ...steps] = chain.match(new RegExp(`${WORD}|\\[[^\\][]*\\]`, "g")) ?? [];
  return steps.reduce<View | undefined>((view, step) => {
    if (!step.startsWith("[")) return view?.member(step);
    const key = /^\[\s*["'](.*)["']\s*\]$/.exec(step)?.[1];
    return key === undefined ? view?.item() : view?.member(key);
  }, known.get(root));
}

function variables({ variables: known }: CelScope): Suggestion[] {
  return [...known].map(([label, view]) => ({
    label,
    kind: "variable",
    detail: view?.type ?? "",
    about: view?.about ?? "",
  }));
}

/** Fields whose names expressions cannot write are left out. */
function fields(view: View | undefined): Suggestion[] {
  const all = view?.fields() ?? [];
  return all
    .filter(({ name }) => new RegExp(`^${WORD}$`).test(name))
    .map(({ name, view: { type, about } }) => ({ label: name, kind: "field", detail: type, about }));
}

/** Macros run over lists and maps. */
const MACRO_RECEIVERS: readonly (ViewType | undefined)[] = ["list", "map", "object", "any", undefined];

function functions({ version }: CelScope, isMember: boolean, receiver?: ViewType): Suggestion[] {
  const environment = kubernetesEnvironment({
    version: compatibilityVersion(version),
    serverVersion: version,
    mode: "new",
  });
  const fitting = functionReferences(environment).filter(
    (each) => each.member === isMember && fitsReceiver(each, receiver),
  );
  const byName = new Map(fitting.toReversed().map((each) => [each.name, each]));
  return [...byName.values()].reverse().map(toSuggestion);
}

function toSuggestion({ name, signature, doc, example }: FunctionReference): Suggestion {
  return { label: name, kind: "function", detail: signature, about: `${doc}; for example: ${example}` };
}

/** By the name of the type without its parameters: `list(int)` is a list. */
const RECEIVERS: Readonly<Partial<Record<ViewType, readonly string[]>>> = {
  string: ["string"],
  integer: ["int"],
  number: ["double"],
  boolean: ["bool"],
  list: ["list"],
  map: ["map"],
  object: ["map"],
  time: ["timestamp", "google.protobuf.Timestamp"],
};

export function fitsReceiver(
  { kind, member, receiver, receiverText }: FunctionReference,
  actual: ViewType | undefined,
): boolean {
  if (!member) return true;
  if (kind === "macro")
    return MACRO_RECEIVERS.includes(actual) && (receiverText !== "optional" || actual === undefined);
  const names = actual === undefined ? undefined : RECEIVERS[actual];
  if (names === undefined || receiver === undefined) return true;
  return names.includes(formatType(receiver).replace(/\(.*$/, ""));
}
