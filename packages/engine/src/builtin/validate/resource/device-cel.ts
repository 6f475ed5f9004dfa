/**
 * Expressions that select devices: what `device` is to them, and whether they may be used. Follows the package cel of
 * k8s.io/dynamic-resource-allocation.
 *
 * Attributes hold anything, so an expression may come to an unknown type as well as to a truth value. `cel.bind` is known
 * here and nowhere else in Kubernetes.
 */

import {
  ANY,
  type Ast,
  BOOL,
  type CostNode,
  type Environment,
  formatType,
  type Library,
  type Macro,
  mapOf,
  objectType,
  type SizeEstimate,
  type SizeHints,
  STRING,
  type Type,
} from "@portcullis/cel/internal";
import { byteLength } from "@portcullis/gostd/utf8";
import { type FieldError, forbidden, internalError, invalid, tooLong } from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import type { DeclType } from "../../../kubecel/decl-type.ts";
import { type ExpressionMode, kubernetesEnvironment } from "../../../kubecel/environment.ts";
import { QUANTITY_TYPE } from "../../../kubecel/library/quantity-value.ts";
import { defaultCompatibilityVersion } from "../../../kubecel/versions.ts";
import { isEnabled } from "../../../value/gates.ts";
import { currentMinor } from "../../../value/server-version.ts";
import * as messages from "./messages.ts";

const MAX_LENGTH = 10 * 1024;
const MAX_COST = 1_000_000n;

export function validateDeviceExpression(expression: string, path: FieldPath, mode: ExpressionMode): FieldError[] {
  if (byteLength(expression) > MAX_LENGTH) return [tooLong(path, MAX_LENGTH)];
  const environment = deviceEnvironment(mode);
  const compiled = environment.compile(expression);
  if (!compiled.ok) return [invalid(path, expression, messages.notCompiled(compiled.text))];
  const { ast } = compiled;
  if (!isResult(ast.type)) return [invalid(path, expression, messages.otherResult(typeText(ast.type)))];
  const program = environment.program(ast);
  if (!program.ok) return [internalError(path, messages.noProgram(program.error.message))];
  return maxCost(environment, ast) > MAX_COST ? [forbidden(path, messages.tooCostly())] : [];
}

/** Types that have another name in Go than in the checker's messages. */
const GO_NAMES: Readonly<Record<string, string>> = {
  any: "google.protobuf.Any",
  duration: "google.protobuf.Duration",
  timestamp: "google.protobuf.Timestamp",
  null: "null_type",
};

function typeText(type: Type): string {
  switch (type.kind) {
    case "list":
      return `list(${typeText(type.element)})`;
    case "map":
      return `map(${typeText(type.key)}, ${typeText(type.value)})`;
    case "type":
      return type.of === undefined ? "type" : `type(${typeText(type.of)})`;
    case "opaque":
      return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(typeText).join(", ")})`;
    default:
      return GO_NAMES[type.kind] ?? formatType(type);
  }
}

function isResult({ kind }: Type): boolean {
  return kind === "bool" || kind === "any";
}

function maxCost(environment: Environment, ast: Ast): bigint {
  return environment.estimateCost(ast, DEVICE_SIZES).max;
}

/** `cel.bind(name, value, expression)`: a comprehension over nothing whose accumulator is the variable. */
const bindMacro: Macro = {
  name: "bind",
  receiver: true,
  argCount: 3,
  doc: "an expression with a name for a part of it",
  expand: (build, target, [variable, value, result]) => {
    if (target?.kind !== "ident" || target.name !== "cel") return undefined;
    if (variable === undefined || value === undefined || result === undefined) return undefined;
    if (variable.kind !== "ident") return { problem: messages.bindName(), at: variable.id };
    return build.comprehension({
      range: build.list(),
      iterVar: "#unused",
      accuVar: variable.name,
      accuInit: value,
      loopCondition: build.literal(false),
      loopStep: build.ident(variable.name),
      result,
    });
  },
};

const BINDINGS: Library = { name: "cel.lib.ext.cel.bindings", macros: [bindMacro] };

/** By mode, minor version and whether devices can be shared. */
const environments = new Map<string, Environment>();

/** The environment of device selectors. */
export function deviceEnvironment(mode: ExpressionMode): Environment {
  const isShared = isEnabled("DRAConsumableCapacity");
  const key = `${mode} ${currentMinor()} ${isShared}`;
  const known = environments.get(key);
  if (known !== undefined) return known;
  const device = isShared ? DEVICE : EXCLUSIVE_DEVICE;
  const base = kubernetesEnvironment({
    version: defaultCompatibilityVersion(),
    mode,
    variables: { device: device.type },
    declared: [device],
  });
  const environment = base.extend({ libraries: [BINDINGS] });
  environments.set(key, environment);
  return environment;
}

const MAX_NAMES = 32n;

function scalar(type: Type, maxElements: bigint): DeclType {
  return { type, maxElements, minSerializedSize: 0, fields: undefined, key: undefined, element: undefined };
}

function map(key: DeclType, element: DeclType): DeclType {
  return { ...scalar(mapOf(key.type, element.type), MAX_NAMES), key, element };
}

const DOMAIN = scalar(STRING, 63n);
const IDENTIFIER = scalar(STRING, 32n);
const ATTRIBUTE = scalar(ANY, 64n);

const FIELDS: readonly (readonly [string, DeclType])[] = [
  ["driver", DOMAIN],
  ["attributes", map(DOMAIN, map(IDENTIFIER, ATTRIBUTE))],
  ["capacity", map(DOMAIN, map(IDENTIFIER, scalar(QUANTITY_TYPE, 0n)))],
];

function deviceWith(fields: readonly (readonly [string, DeclType])[]): DeclType {
  return { ...scalar(objectType("kubernetes.DRADevice"), 0n), fields: new Map(fields) };
}

const EXCLUSIVE_DEVICE = deviceWith(FIELDS);
const DEVICE = deviceWith([["allowMultipleAllocations", scalar(BOOL, 1n)], ...FIELDS]);

/** How large the values of a device can be; attributes are alike whatever they are called. */
const DEVICE_SIZES: SizeHints = {
  estimateSize({ path: [root, ...steps] }: CostNode): SizeEstimate | undefined {
    if (root !== "device") return undefined;
    let declared: DeclType | undefined = DEVICE;
    for (const step of steps) declared = declared === undefined ? undefined : inside(declared, step);
    return declared && { min: 0n, max: declared.maxElements };
  },
};

function inside({ fields, key, element }: DeclType, step: string): DeclType | undefined {
  if (step === "@items" || step === "@values") return element;
  if (step === "@keys") return key;
  return fields?.get(step) ?? (element === ATTRIBUTE ? ATTRIBUTE : undefined);
}
