/** Compares the answers of two servers, and prints where they differ. */
import { isDeepStrictEqual } from "node:util";

export function areAlikeInAnyOrder(wanted, got) {
  return isDeepStrictEqual(wanted.map(unordered), got.map(unordered));
}

/** Upstream reports errors of sibling fields in any order. */
function unordered(answer) {
  if ((answer.causes?.length ?? 0) < 2) return answer;
  const causes = answer.causes.map((cause) => JSON.stringify(cause)).sort();
  return {
    ...answer,
    causes,
    message: answer.message
      .split(/[\s,[\]]+/)
      .sort()
      .join(" "),
  };
}

export function showDifference(number, { name, steps }, wanted, got) {
  const at = wanted.findIndex((answer, index) => !areAlikeInAnyOrder([answer], [got[index]]));
  console.log(`--- ${number} ${name}\n${JSON.stringify(steps[at]).slice(0, 2000)}`);
  const [left, right] = [JSON.stringify(wanted[at]), JSON.stringify(got[at])];
  let start = 0;
  while (left[start] === right[start] && start < left.length) start++;
  const cut = (text) => text.slice(Math.max(0, start - 80), start + 220);
  console.log(`step ${at}, code ${wanted[at].code} and ${got[at].code}\n  wanted ${cut(left)}\n     got ${cut(right)}`);
}
