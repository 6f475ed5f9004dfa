/** The `spec` of a definition. Follows validateCustomResourceDefinitionSpec of apiextensions, error by error. */

import { type FieldError, invalid, notSupported, required } from "../../field/error.ts";
import { checkDnsSubdomain } from "../../field/names.ts";
import type { FieldPath } from "../../field/path.ts";
import type { KubernetesVersion } from "../../kubecel/versions.ts";
import type { CompiledRule } from "../../rules/compile.ts";
import type { RuleCache } from "../../rules/rule-cache.ts";
import type { RuleTimes } from "../../rules/times.ts";
import { readConversion, validateConversion } from "../conversion.ts";
import { goValue, goVersions } from "../go-json.ts";
import {
  type Hoistable,
  type InternalDefinition,
  type InternalVersion,
  subresourcesFor,
  type Validation,
} from "../internal.ts";
import * as messages from "../messages.ts";
import { checkLabel, validateNames, validateRequiredNames } from "../names.ts";
import { hasDefaults, needsStructural, type Switches } from "./ratchet.ts";
import type { ObservedRule } from "./rule-context.ts";
import { structuralProblem } from "./validate-structural.ts";
import { validateValidation } from "./validate-validation.ts";
import { validateColumn, validateDeprecation, validateScale, validateSelectableFields } from "./validate-version.ts";

export interface SpecSetting {
  readonly version: KubernetesVersion;
  readonly switches: Switches;
  readonly ratcheting: boolean;
  readonly onRule?: ((observed: ObservedRule) => void) | undefined;
  readonly ruleCache?: RuleCache<CompiledRule> | undefined;
  readonly times?: RuleTimes | undefined;
}

export function validateSpec(definition: InternalDefinition, path: FieldPath, given: SpecSetting): FieldError[] {
  const requireStructural = given.switches.requireStructural || needsStructural(definition);
  const setting = { ...given, switches: { ...given.switches, requireStructural } };
  const { names } = definition.definition;
  return [
    ...checkGroupAndScope(definition, path),
    ...checkSchemasPresent(definition, path.child("versions"), setting.switches),
    ...checkDefaultsAllowed(definition, path),
    ...definition.versions.flatMap((version, index) =>
      validateVersion(version, definition, path.child("versions").index(index), setting),
    ),
    ...checkVersionList(definition, path),
    ...validateRequiredNames(names, path.child("names")),
    ...validateNames(names, path.child("names")),
    ...validateTop(definition, path, setting),
    ...checkConversion(definition, path.child("conversion"), setting.switches),
  ];
}

const SCOPES = ["Cluster", "Namespaced"];

function checkGroupAndScope({ definition }: InternalDefinition, path: FieldPath): FieldError[] {
  const { group, scope } = definition;
  const errors = checkGroup(group, path.child("group"));
  if (scope === "") errors.push(required(path.child("scope"), "", "scope"));
  else if (!SCOPES.includes(scope)) errors.push(notSupported(path.child("scope"), scope, SCOPES, "scope"));
  return errors;
}

function checkGroup(group: string, path: FieldPath): FieldError[] {
  if (group === "") return [required(path, "", "group")];
  const problems = checkDnsSubdomain(group);
  if (problems.length > 0) return [invalid(path, group, problems.join(","), "group")];
  return group.includes(".") ? [] : [invalid(path, group, messages.needsDot(), "group")];
}

function checkSchemasPresent(definition: InternalDefinition, path: FieldPath, switches: Switches): FieldError[] {
  if (definition.top.validation?.schema !== undefined) return [];
  const mayLack = !switches.requireSchema;
  if (mayLack && definition.definition.preserveUnknownFields) return [];
  return definition.versions.flatMap(({ validation, served }, index) => {
    if (validation?.schema !== undefined || (mayLack && !served)) return [];
    const at = path.index(index).child("schema", "openAPIV3Schema");
    return [required(at, mayLack ? messages.fieldsPruned() : messages.schemaNeeded(), "schema")];
  });
}

function checkDefaultsAllowed(definition: InternalDefinition, path: FieldPath): FieldError[] {
  if (!definition.definition.preserveUnknownFields || !hasDefaults(definition)) return [];
  const at = path.child("preserveUnknownFields");
  return [invalid(at, true, messages.defaultsNeedPruning(), "preserveUnknownFields")];
}

function validateVersion(
  version: InternalVersion,
  definition: InternalDefinition,
  path: FieldPath,
  setting: SpecSetting,
): FieldError[] {
  const hasStatus = subresourcesFor(definition, version.name)?.status === true;
  const { validation } = version;
  return [
    ...checkLabel(version.name, path.child("name")),
    ...validateDeprecation(version, path.child("deprecationWarning")),
    ...validateSchemaOf(validation, path.child("schema"), { ...setting, hasStatus, versionName: version.name }),
    ...validateSubresourcesAndColumns(version, path),
    ...checkVersionSelectable(version, path, setting.switches),
  ];
}

interface SchemaOfSetting extends SpecSetting {
  readonly hasStatus: boolean;
  /** The version by which it is known whether the schema changed. */
  readonly versionName: string;
}

function validateSchemaOf(validation: Validation | undefined, path: FieldPath, setting: SchemaOfSetting): FieldError[] {
  if (validation === undefined) return [];
  const suppressRuleCost = setting.switches.unchanged.has(setting.versionName);
  return validateValidation(validation, path, { ...setting, suppressRuleCost });
}

function validateSubresourcesAndColumns({ subresources, columns }: Hoistable, path: FieldPath): FieldError[] {
  const scale = subresources?.scale;
  const at = path.child("additionalPrinterColumns");
  return [
    ...(scale === undefined ? [] : validateScale(scale, path.child("subresources"))),
    ...columns.flatMap((column, index) => validateColumn(column, at.index(index))),
  ];
}

/** The message says the opposite of what it means. */
function checkVersionSelectable(version: InternalVersion, path: FieldPath, switches: Switches): FieldError[] {
  if (version.selectableFields.length === 0) return [];
  if (version.validation?.schema !== undefined) return checkSelectable(version, path, switches, version.name);
  const detail = messages.selectableWithoutVersionSchema();
  return [invalid(path.child("selectableFields"), "", detail, "selectableFields")];
}

function checkTopSelectable(top: Hoistable, path: FieldPath, switches: Switches): FieldError[] {
  if (top.selectableFields.length === 0) return [];
  if (top.validation !== undefined) return checkSelectable(top, path, switches, "");
  return [invalid(path.child("selectableFields"), "", messages.selectableWithoutSchema(), "selectableFields")];
}

function checkSelectable(
  { selectableFields, validation }: Hoistable,
  path: FieldPath,
  switches: Switches,
  key: string,
): FieldError[] {
  const at = path.child("selectableFields");
  const schema = validation?.schema;
  const problem = schema && structuralProblem(schema);
  const errors =
    problem === undefined ? [] : [invalid(path.child("schema.openAPIV3Schema"), "", problem, "structural")];
  const usable = problem === undefined ? schema : undefined;
  const options = { allowMany: switches.allowManySelectable.has(key) };
  return [...errors, ...validateSelectableFields(selectableFields, usable, at, options)];
}

function checkVersionList(definition: InternalDefinition, path: FieldPath): FieldError[] {
  const { versions } = definition;
  const at = path.child("versions");
  const errors: FieldError[] = [];
  const refuse = (detail: string): void => {
    errors.push(invalid(at, goVersions(definition.versionsJson), detail, "versions"));
  };
  if (new Set(versions.map(({ name }) => name)).size < versions.length) refuse(messages.uniqueVersions());
  if (versions.filter(({ storage }) => storage).length !== 1) refuse(messages.oneStorageVersion());
  if (definition.version !== "") errors.push(...checkLabel(definition.version, path.child("version")));
  return errors;
}

/** What all versions have in common. */
function validateTop(definition: InternalDefinition, path: FieldPath, setting: SpecSetting): FieldError[] {
  const { top, versions } = definition;
  const hasStatus = [top, ...versions].some(({ subresources }) => subresources?.status === true);
  const schemaSetting = { ...setting, hasStatus, versionName: definition.version };
  return [
    ...validateSchemaOf(top.validation, path.child("validation"), schemaSetting),
    ...validateSubresourcesAndColumns(top, path),
    ...checkTopSelectable(top, path, setting.switches),
  ];
}

function checkConversion({ definition }: InternalDefinition, path: FieldPath, switches: Switches): FieldError[] {
  const conversion = readConversion(definition.conversion);
  if (conversion === undefined) return [];
  const errors = validateConversion(conversion, path, switches);
  if (conversion.strategy === "None" || !definition.preserveUnknownFields) return errors;
  const strategy = goValue(conversion.strategy);
  return [invalid(path.child("strategy"), strategy, messages.mustNotConvert(), "conversion"), ...errors];
}
