/**
 * Whether a MutatingAdmissionPolicy or a binding of one is accepted, on create and on update.
 *
 * Expressions are compiled trimmed. A JSON patch counts as stored if a stored apply configuration has the same text,
 * which is an upstream bug; a variable never counts as stored. Operations are validated a second time, for DELETE,
 * without the path of the rule. Follows kubernetes pkg/apis/admissionregistration/validation.
 */
import { trimSpace } from "@portcullis/gostd/space";
import { type FieldError, invalid, notSupported, required } from "../../field/error.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import type { JsonObject, JsonValue } from "../../value/json.ts";
import { objectOf, objectsOf, textsOf } from "../../value/read.ts";
import { ExpressionCompiler } from "../compile.ts";
import type { Declarations } from "../environment.ts";
import { validateBindingFrame } from "../objects/validate-binding.ts";
import {
  compileErrors,
  type ExpressionContext,
  type PolicyValidationOptions,
} from "../objects/validate-expressions.ts";
import { validateFrame } from "../objects/validate-frame.ts";
import { named } from "../objects/validate-names.ts";
import { type PatchType, RETURNS } from "./compile.ts";
import * as messages from "./messages.ts";
import { type MutatingPolicy, type Mutation, readMutatingPolicy } from "./policy.ts";

const PATCH_TYPES: readonly PatchType[] = ["ApplyConfiguration", "JSONPatch"];
const REINVOCATION_POLICIES = ["IfNeeded", "Never"];
const OPERATIONS = ["*", "CONNECT", "CREATE", "UPDATE"];

/** The objects have been decoded and defaulted. The metadata of an update is validated elsewhere. */
export function validateMutatingPolicy(
  json: JsonObject,
  old?: JsonObject,
  options: PolicyValidationOptions = {},
): FieldError[] {
  const policy = readMutatingPolicy(json);
  const path = newPath("spec");
  const context = newValidationContext(policy, old && readMutatingPolicy(old), options);
  return [
    ...validateFrame({ json, old, policy, context, checkMatch: validateOperations }),
    ...validateMutations(policy.mutations, context, path.child("mutations")),
    ...validateReinvocation(policy.reinvocationPolicy, path.child("reinvocationPolicy")),
  ];
}

/** The same on create and update, without the metadata checks of updates. */
export function validateMutatingBinding(json: JsonObject): FieldError[] {
  const match = objectOf(json["spec"])["matchResources"];
  return [...validateBindingFrame(json), ...validateOperations(match, newPath("spec", "matchResources"))];
}

interface ValidationContext extends ExpressionContext {
  readonly forPatches: Declarations;
  readonly storedConfigurations: ReadonlySet<string>;
}

function newValidationContext(
  { paramKind }: MutatingPolicy,
  old: MutatingPolicy | undefined,
  { version, serverVersion }: PolicyValidationOptions,
): ValidationContext {
  const withAuthorizer = { hasParams: paramKind !== undefined, hasAuthorizer: true };
  const conditions = new Set(old?.matchConditions.map(({ expression }) => expression));
  return {
    compiler: new ExpressionCompiler({ version, serverVersion, composes: true }),
    conditionCompiler: new ExpressionCompiler({ version, serverVersion, composes: false }),
    withAuthorizer,
    forPatches: { ...withAuthorizer, hasPatchTypes: true },
    storedConfigurations: new Set(old?.mutations.flatMap(({ applyConfiguration }) => applyConfiguration ?? [])),
    mode: (kind, expression) => (kind === "conditions" && conditions.has(expression) ? "stored" : "new"),
  };
}

function validateOperations(match: JsonValue | undefined, path: FieldPath): FieldError[] {
  const at = path.child("resourceRules", "operations");
  return objectsOf(objectOf(match)["resourceRules"])
    .flatMap((rule) => textsOf(rule["operations"]))
    .filter((operation) => !OPERATIONS.includes(operation))
    .map((operation) => notSupported(at, named(operation), OPERATIONS));
}

function validateMutations(mutations: readonly Mutation[], context: ValidationContext, path: FieldPath): FieldError[] {
  if (mutations.length === 0) return [required(path, messages.mutationNeeded())];
  return mutations.flatMap((mutation, index) => validateMutation(mutation, context, path.index(index)));
}

/** Which field holds the expression of each type. */
const FIELDS = { ApplyConfiguration: "applyConfiguration", JSONPatch: "jsonPatch" } as const;

function validateMutation(mutation: Mutation, context: ValidationContext, path: FieldPath): FieldError[] {
  const at = path.child("patchType");
  if (mutation.patchType === "") return [required(at)];
  const patchType = PATCH_TYPES.find((each) => each === mutation.patchType);
  if (patchType === undefined) return [notSupported(at, named(mutation.patchType), PATCH_TYPES)];
  const [own, other] = [FIELDS[patchType], patchType === "JSONPatch" ? FIELDS.ApplyConfiguration : FIELDS.JSONPatch];
  const expression = mutation[own];
  return [
    ...(expression === undefined
      ? [required(path.child(own), messages.neededFor(patchType))]
      : validateExpression(expression, patchType, context, path.child(own, "expression"))),
    ...(mutation[other] === undefined
      ? []
      : [invalid(path.child(other), `{${other}}`, messages.excludedBy(patchType), "exclusive")]),
  ];
}

function validateExpression(
  expression: string,
  type: PatchType,
  context: ValidationContext,
  path: FieldPath,
): FieldError[] {
  const trimmed = trimSpace(expression);
  if (trimmed === "") return [required(path)];
  const mode = context.storedConfigurations.has(expression) ? "stored" : "new";
  return compileErrors(context.compiler.compile(trimmed, RETURNS[type], context.forPatches, mode), trimmed, path);
}

function validateReinvocation(policy: string, path: FieldPath): FieldError[] {
  if (policy === "") return [required(path)];
  return REINVOCATION_POLICIES.includes(policy) ? [] : [notSupported(path, named(policy), REINVOCATION_POLICIES)];
}
