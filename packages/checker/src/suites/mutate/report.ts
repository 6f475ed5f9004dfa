/** Mutation results as text and data. */
import { formatYaml } from "../../output/yaml.ts";
import { oneLine } from "../../policy/explain.ts";
import type { MutationResult, Survivor } from "./run-mutants.ts";

export function formatMutation({ total, noticed, equivalent, survivors }: MutationResult): string[] {
  const share = total === 0 ? 100 : Math.floor((noticed / total) * 100);
  const same = equivalent === 0 ? "" : `, ${equivalent} equivalent`;
  return [...survivors.flatMap(survivorLines), `mutants: ${noticed} of ${total} noticed (${share} %)${same}`];
}

function survivorLines({ file, mutant, found }: Survivor): string[] {
  const { name, path, operator, expression } = mutant;
  const shown =
    found.type === "case"
      ? [
          "  a case that notices it:",
          ...formatYaml([found.test])
            .trimEnd()
            .split("\n")
            .map((line) => `    ${line}`),
        ]
      : found.type === "none"
        ? [`  no case found: ${found.why}`]
        : [];
  return [`! ${file}: ${name} ${path}: ${operator}`, `  ${oneLine(expression)}`, ...shown];
}

export function mutationData({ total, noticed, equivalent, survivors }: MutationResult): object {
  return {
    total,
    noticed,
    equivalent,
    survivors: survivors.map(({ file, mutant: { name, path, operator, expression }, found }) => ({
      file, name, path, operator, expression,
      ...(found.type === "case" && { case: found.test }),
      ...(found.type === "none" && { why: found.why }),
    })),
  };
}
