/** Operators by the names they have in the tree, with their precedence: lower binds tighter. */
export interface Operator {
  /** Empty if the operator is not a single symbol. */
  readonly symbol: string;
  readonly precedence: number;
  readonly operands: number;
}

// biome-ignore format: a table
const operators: ReadonlyMap<string, Operator> = new Map([
  ["_?_:_", { symbol: "",   precedence: 8, operands: 3 }],
  ["_||_",  { symbol: "||", precedence: 7, operands: 2 }],
  ["_&&_",  { symbol: "&&", precedence: 6, operands: 2 }],
  ["_==_",  { symbol: "==", precedence: 5, operands: 2 }],
  ["_!=_",  { symbol: "!=", precedence: 5, operands: 2 }],
  ["_<_",   { symbol: "<",  precedence: 5, operands: 2 }],
  ["_<=_",  { symbol: "<=", precedence: 5, operands: 2 }],
  ["_>_",   { symbol: ">",  precedence: 5, operands: 2 }],
  ["_>=_",  { symbol: ">=", precedence: 5, operands: 2 }],
  ["@in",   { symbol: "in", precedence: 5, operands: 2 }],
  ["_+_",   { symbol: "+",  precedence: 4, operands: 2 }],
  ["_-_",   { symbol: "-",  precedence: 4, operands: 2 }],
  ["_*_",   { symbol: "*",  precedence: 3, operands: 2 }],
  ["_/_",   { symbol: "/",  precedence: 3, operands: 2 }],
  ["_%_",   { symbol: "%",  precedence: 3, operands: 2 }],
  ["!_",    { symbol: "!",  precedence: 2, operands: 1 }],
  ["-_",    { symbol: "-",  precedence: 2, operands: 1 }],
  ["_[_]",  { symbol: "",   precedence: 1, operands: 2 }],
  ["_[?_]", { symbol: "",   precedence: 1, operands: 2 }],
  ["_?._",  { symbol: "",   precedence: 1, operands: 2 }],
]);

export function findOperator(name: string): Operator | undefined {
  return operators.get(name);
}

/** Zero for anything that is not an operator: a function call binds tightest. */
export function precedenceOf(name: string): number {
  return operators.get(name)?.precedence ?? 0;
}
