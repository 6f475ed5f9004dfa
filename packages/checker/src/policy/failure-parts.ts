/** Why a validation failed: its parts with their values, and in one line the part that decided. */

import { DYN } from "@portcullis/cel/internal";
import { defaultCompatibilityVersion, type KubernetesVersion } from "@portcullis/engine/internal/kubecel/versions";
import { Activation, type Inputs } from "@portcullis/engine/internal/policy/activation";
import { compiledPolicy, variableType } from "@portcullis/engine/internal/policy/compile";
import { policyEnvironment } from "@portcullis/engine/internal/policy/environment";
import type { AdmissionPolicy } from "@portcullis/engine/internal/policy/policy";
import { asVersion } from "@portcullis/engine/internal/value/server-version";
import { type CelPart, celParts } from "../cel/parts.ts";

/** Explaining takes longer than evaluating, and the same validation mostly fails for the same reason. */
const MAX_HINTS = 20;
const MAX_LINES = 24;
const MAX_TEXT = 120;

export class FailureExplainer {
  readonly #version: KubernetesVersion;
  readonly #counts = new Map<string, number>();

  constructor(version: KubernetesVersion) {
    this.#version = version;
  }

  /** One line per part that was needed. */
  linesFor(policy: AdmissionPolicy, index: number, inputs: Inputs | undefined): string[] {
    const parts = this.#partsOf(policy, index, inputs).filter(({ isNeeded }) => isNeeded);
    const lines = parts.slice(0, MAX_LINES).map(({ depth, text, value }) => {
      return `${"  ".repeat(depth)}${clip(text)}${value === "" ? "" : ` = ${clip(value)}`}`;
    });
    return parts.length > MAX_LINES ? [...lines, `and ${parts.length - MAX_LINES} more`] : lines;
  }

  /** Undefined if the parts say no more than the expression, and after many failures of the same validation. */
  hintFor(policy: AdmissionPolicy, index: number, inputs: Inputs | undefined): string | undefined {
    const key = `${index} ${policy.name}`;
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    if (count >= MAX_HINTS) return undefined;
    const decisive = decisiveParts(this.#partsOf(policy, index, inputs));
    return decisive.length === 0 ? undefined : decisive.map(describe).join("; ");
  }

  #partsOf(policy: AdmissionPolicy, index: number, inputs: Inputs | undefined): readonly CelPart[] {
    const expression = policy.validations[index]?.expression;
    if (expression === undefined || inputs === undefined) return [];
    return asVersion(this.#version, () => {
      const { variables } = compiledPolicy(policy, this.#version);
      const environment = policyEnvironment({
        version: defaultCompatibilityVersion(),
        mode: "stored",
        serverVersion: this.#version,
        hasParams: policy.paramKind !== undefined,
        hasAuthorizer: true,
        variables: new Map(
          [...variables].map(([name, { type }]) => [name, type === undefined ? DYN : variableType(type)]),
        ),
      });
      return celParts(expression, environment, new Activation(inputs, variables).resolve);
    });
  }
}

const MAX_DECISIVE = 3;

/**
 * Follows the part that is false as long as there is exactly one. The parts below it, or several that are false, are the
 * reason.
 */
function decisiveParts(all: readonly CelPart[]): readonly CelPart[] {
  const chosen: CelPart[] = [];
  for (let within = all, depth = 0; ; depth++) {
    const siblings = within.filter((part) => part.depth === depth && part.isNeeded && part.value !== "");
    const failed = siblings.filter(({ value, isError }) => value === "false" || isError);
    const [only] = failed;
    if (only === undefined || failed.length > 1) {
      const shown = failed.length > 1 ? failed : siblings;
      return [...chosen, ...shown.slice(0, MAX_DECISIVE)];
    }
    chosen.splice(0, chosen.length, only);
    const start = within.indexOf(only) + 1;
    const next = within.findIndex((part, at) => at >= start && part.depth <= depth);
    within = within.slice(start, next === -1 ? within.length : next);
  }
}

function describe({ text, value, isError }: CelPart): string {
  if (isError) return `\`${clip(text)}\` fails: ${clip(value.replace(/^error: /, ""))}`;
  return `\`${clip(text)}\` is ${clip(value)}`;
}

function clip(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}
