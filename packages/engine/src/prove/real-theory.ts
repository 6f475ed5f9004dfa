/** Doubles under comparisons with constants: one number between each two constants decides. */
export interface RealTest {
  readonly operator: "<" | "<=" | "==";
  readonly limit: number;
}

export interface RealDomain {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly tests: readonly { readonly test: RealTest; readonly wanted: boolean }[];
}

export function isRealPossible(domain: RealDomain): boolean {
  return solveReals(domain, 1).length > 0;
}

/** Numbers that pass, those with a fraction first: whole ones have kinds of their own. */
export function solveReals(domain: RealDomain, limit: number): number[] {
  const points = candidates(domain).filter((value) => passes(domain, value));
  return points.sort((left, right) => Number(Number.isInteger(left)) - Number(Number.isInteger(right))).slice(0, limit);
}

function candidates({ min, max, tests }: RealDomain): number[] {
  const marks = [...new Set([min ?? [], max ?? [], 0, ...tests.map(({ test }) => test.limit)].flat())];
  const sorted = marks.filter(Number.isFinite).sort((left, right) => left - right);
  const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
  const between = sorted.slice(1).map((mark, index) => (mark + (sorted[index] ?? mark)) / 2);
  return [...between, first - 1.5, last + 1.5, ...sorted];
}

function passes({ min, max, tests }: RealDomain, value: number): boolean {
  if ((min !== undefined && value < min) || (max !== undefined && value > max)) return false;
  return tests.every(({ test, wanted }) => testReal(test, value) === wanted);
}

export function testReal({ operator, limit }: RealTest, value: number): boolean {
  if (operator === "<") return value < limit;
  return operator === "<=" ? value <= limit : value === limit;
}
