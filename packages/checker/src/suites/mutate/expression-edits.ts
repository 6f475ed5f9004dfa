/** Edits of an expression, one at a time: what a test should notice. */

export interface Edit {
  /** What was changed, such as `<= to <`. */
  readonly operator: string;
  readonly text: string;
}

/** A part of the text that may be replaced. */
interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const TOKEN =
  /(?<space>\s+|\/\/[^\n]*)|(?<text>[rRbB]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?u?)|(?<name>[A-Za-z_]\w*)|(?<sign><=|>=|==|!=|&&|\|\||\.\?|\[\?|[-+*/%<>!?:.,()[\]{}])/gy;

const SIGNS: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">"],
  "<=": ["<", ">="],
  ">": [">=", "<"],
  ">=": [">", "<="],
  "==": ["!="],
  "!=": ["=="],
  "&&": ["||"],
  "||": ["&&"],
  "+": ["-"],
  "*": ["+"],
  ".?": ["."],
};

const NAMES: Readonly<Record<string, readonly string[]>> = {
  true: ["false"],
  false: ["true"],
  all: ["exists"],
  exists: ["all"],
  exists_one: ["exists"],
  startsWith: ["endsWith"],
  endsWith: ["startsWith"],
};

/** Quantifiers and functions of texts are names of methods only. */
const METHODS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "startsWith", "endsWith"]);

/** All edits, without repetitions. Some do not compile, and some change nothing. */
export function expressionEdits(expression: string): readonly Edit[] {
  const tokens = tokensOf(expression);
  if (tokens === undefined) return [];
  const edits = [
    ...tokens.flatMap((token, index) => tokenEdits(token, tokens[index - 1], expression)),
    ...guardEdits(tokens, expression),
  ];
  const seen = new Set([expression]);
  return edits.filter(({ text }) => {
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  });
}

/** Undefined if there is something that is not known. */
function tokensOf(expression: string): (Token & { readonly type: string })[] | undefined {
  const tokens: (Token & { readonly type: string })[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expression.length) {
    const start = TOKEN.lastIndex;
    const match = TOKEN.exec(expression);
    if (match === null) return undefined;
    const [type = ""] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    if (type !== "space") tokens.push({ type, text: match[0], start, end: TOKEN.lastIndex });
  }
  return tokens;
}

function tokenEdits(token: Token & { readonly type: string }, before: Token | undefined, expression: string): Edit[] {
  const replaced = (operator: string, text: string): Edit => ({
    operator,
    text: expression.slice(0, token.start) + text + expression.slice(token.end),
  });
  const { text } = token;
  switch (token.type) {
    case "sign":
      if (text === "!") return [replaced("negation removed", "")];
      if (text === "-" && before !== undefined && /[\w)\]]$/.test(before.text)) return [replaced("- to +", "+")];
      return (SIGNS[text] ?? []).map((other) => replaced(`${text} to ${other}`, other));
    case "name":
      if (METHODS.has(text) !== (before?.text === ".")) return [];
      return (NAMES[text] ?? []).map((other) => replaced(`${text} to ${other}`, other));
    case "number":
      return numberEdits(text).map((other) => replaced(`${text} to ${other}`, other));
    case "text":
      return before?.text === "[" ? [] : textEdits(text).map((other) => replaced(`${text} to ${other}`, other));
    default:
      return [];
  }
}

function numberEdits(text: string): string[] {
  if (!/^\d{1,15}$/.test(text)) return [];
  const number = Number(text);
  return [number + 1, number - 1].filter((each) => each >= 0).map(String);
}

/** Another text. Patterns are not edited: few edits of a pattern are still a pattern. */
function textEdits(text: string): string[] {
  const inner = /^(['"])([\w ./:-]*)\1$/.exec(text);
  if (inner === null) return [];
  const [, quote = "", value = ""] = inner;
  return [`${quote}${value}x${quote}`];
}

/** `has(a) && b` and `!has(a) || b` without the guard. */
function guardEdits(tokens: readonly Token[], expression: string): Edit[] {
  return tokens.flatMap((token, index) => {
    if (token.text !== "has" || tokens[index + 1]?.text !== "(") return [];
    const close = closing(tokens, index + 1);
    const operator = tokens[close + 1];
    if (close < 0 || (operator?.text !== "&&" && operator?.text !== "||")) return [];
    const before = tokens[index - 1];
    const start = before?.text === "!" ? before.start : token.start;
    const text = expression.slice(0, start) + expression.slice(operator.end).trimStart();
    return [{ operator: "guard removed", text }];
  });
}

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let index = open; index < tokens.length; index++) {
    const { text } = tokens[index] ?? { text: "" };
    if (text === "(") depth += 1;
    if (text === ")") depth -= 1;
    if (depth === 0) return index;
  }
  return -1;
}
