/**
 * Several tests of one string in a chain: `self.path.startsWith('/') && !self.path.contains('//')`. The string is read
 * and its length is counted once for all of them; results and costs are those of the single tests.
 */
import type { Run } from "../frame.ts";
import type { Plan, TextTest } from "../plan.ts";
import { traversalOf } from "../price.ts";

type Tested = Plan & { readonly textTest: TextTest };

/** Combines neighbouring operands that test the same string; `decisive` is the outcome that ends the chain. */
export function combineTextTests(
  operands: readonly Plan[],
  decisive: boolean,
  chain: (operands: readonly Plan[]) => Run,
): readonly Plan[] {
  const combined: Plan[] = [];
  for (let start = 0; start < operands.length; ) {
    const group = groupAt(operands, start);
    const [first] = group.length > 1 ? group : operands.slice(start);
    if (first === undefined) break;
    const { fixed } = first;
    combined.push(
      group.length > 1 ? { run: groupRun(group, decisive, chain(group)), fixed, constant: undefined } : first,
    );
    start += Math.max(group.length, 1);
  }
  return combined;
}

function groupAt(operands: readonly Plan[], start: number): readonly Tested[] {
  const group: Tested[] = [];
  for (const operand of operands.slice(start)) {
    if (!isTested(operand) || !isSameString(operand, group[0] ?? operand)) break;
    group.push(operand);
  }
  return group;
}

function isTested(plan: Plan): plan is Tested {
  return plan.textTest !== undefined;
}

function isSameString({ textTest: { read: a } }: Tested, { textTest: { read: b } }: Tested): boolean {
  return a.slot === b.slot && a.name === b.name;
}

/** The first operand is charged by the caller. `otherwise` handles anything but a string that is not empty. */
function groupRun(group: readonly Tested[], decisive: boolean, otherwise: Run): Run {
  const steps = group.map(({ textTest, fixed }, index) => new Step(textTest, index === 0 ? 0 : fixed, decisive));
  const { slot, name } = group[0]?.textTest.read ?? { slot: -1, name: "" };
  return (frame) => {
    const text = frame.field(slot, name);
    if (typeof text !== "string" || text === "") return otherwise(frame);
    const traversed = traversalOf(text);
    let cost = 0;
    for (const { place, part, length, code, ending, fixed, times } of steps) {
      cost += fixed + traversed * times;
      let holds: boolean;
      if (place === "start") holds = text.charCodeAt(0) === code && (length === 1 || text.endsWith(part, length));
      else if (place === "end")
        holds = text.charCodeAt(text.length - 1) === code && (length === 1 || text.endsWith(part));
      else holds = text.indexOf(part) !== -1;
      if (holds === ending) {
        frame.cost += cost;
        return decisive;
      }
    }
    frame.cost += cost;
    return !decisive;
  };
}

class Step {
  readonly place: TextTest["place"];
  readonly part: string;
  readonly length: number;
  /** The character that decides most tests. */
  readonly code: number;
  /** The outcome of the test that ends the chain. */
  readonly ending: boolean;
  readonly fixed: number;
  readonly times: number;

  constructor({ place, part, wanted, times }: TextTest, fixed: number, decisive: boolean) {
    this.place = place;
    this.part = part;
    this.length = part.length;
    this.code = part.charCodeAt(place === "end" ? part.length - 1 : 0);
    this.ending = wanted === decisive;
    this.fixed = fixed;
    this.times = times;
  }
}
