/**
 * How the version that objects are stored in affects the others, without conversion: an object is read from storage with
 * the schema of the version it is stored in, and is written with that of the storage version.
 *
 * So what the stored version prunes is lost for all versions, and its defaults appear in all of them, whether or not it
 * is served.
 */
import type { CustomResourceDefinition, DefinitionVersion } from "../../crd/definition.ts";
import { type CustomResource, compileResource } from "../../review/custom-resource/custom-resource.ts";
import { entryOf } from "../catalog.ts";
import type { Change } from "../change.ts";
import { type ChangeContext, changeFinding } from "../change-finding.ts";
import { changesOf } from "../compare.ts";
import { newFinding, type UpgradeFinding } from "../finding.ts";
import * as messages from "../messages.ts";
import { formatSchemaPath } from "../pairs.ts";
import { fingerprintOf } from "../policy/fingerprint.ts";
import type { Side } from "../side.ts";
import { strategyOf } from "../surface.ts";
import { READER_BUDGET, type Step, type UpgradeCase } from "../upgrade-case.ts";
import { LocalCheck } from "../witness/local-check.ts";
import { Sampler } from "../witness/sample.ts";
import { changeKey, whyOpen } from "./between-versions.ts";
import { storedThrough } from "./stored-through.ts";

/** Reports fields that the new storage version does not have. */
export function* storageFindings({ old, next, name, minor, options }: UpgradeCase): Generator<Step> {
  const [from, to] = [storageVersion(old.definition), storageVersion(next.definition)];
  if (from === undefined || to === undefined || from.name === to.name) return;
  if (strategyOf(next.definition) !== "None") return;
  for (const change of changesOf(old.compile(from), next.compile(to), {
    minor,
    budget: READER_BUDGET,
    isOver: options.isOver,
    dataOnly: true,
  })) {
    const isLoss = change.axis === "loss" && change.verdict !== "safe";
    yield isLoss ? storageLoss(change, name, from.name, to.name) : undefined;
  }
}

function storageVersion({ versions }: CustomResourceDefinition): DefinitionVersion | undefined {
  return versions.find(({ storage }) => storage);
}

function storageLoss(change: Change, definition: string, from: string, to: string): UpgradeFinding {
  const finding = newFinding(entryOf("storage-version-loses"), {
    verdict: change.verdict,
    definition,
    version: to,
    path: formatSchemaPath(change.path),
    message: messages.storageText(from, to, change),
    identity: [from, change.keyword, change.detail],
  });
  return { ...finding, ...whyOpen(change), effect: change.effect };
}

/**
 * Reports what changes in served versions because of the version that objects are stored in. Changes of the served
 * version itself are in its own comparison.
 */
export function* storedFindings(upgrade: UpgradeCase): Generator<Step> {
  const { old, next } = upgrade;
  if (strategyOf(next.definition) !== "None") return;
  for (const stored of storedVersions(upgrade)) {
    // What is written from now on was written to the old storage version.
    const before = stored.storage ? storageVersion(old.definition) : versionOf(old, stored.name);
    for (const version of next.definition.versions) {
      const known = versionOf(old, version.name);
      if (before === undefined || known === undefined || !(version.served && known.served)) continue;
      const sides = [through(upgrade, old, known, before), through(upgrade, next, version, stored)] as const;
      const own = [old.compile(known), next.compile(version)] as const;
      if (sides[0] === own[0] && sides[1] === own[1]) continue;
      const isMoved = before.name !== stored.name;
      yield* findingsThrough(upgrade, { stored: stored.name, before: before.name, isMoved, own, sides });
    }
  }
}

/** The versions of the new CRD that objects are or will be stored in. */
function storedVersions({ old, next }: UpgradeCase): DefinitionVersion[] {
  const storage = [old, next].map(({ definition }) => storageVersion(definition)?.name ?? "");
  const names = new Set([...old.definition.storedVersions, ...storage]);
  return next.definition.versions.filter(({ name }) => names.has(name));
}

function versionOf({ definition }: Side, name: string): DefinitionVersion | undefined {
  return definition.versions.find((version) => version.name === name);
}

type Sides = readonly [CustomResource, CustomResource];

interface StoredPair {
  readonly stored: string;
  /** The version in which the old CRD stored what is stored in `stored` now. */
  readonly before: string;
  /** Whether it is a new storage version, whose losses are reported once for all versions. */
  readonly isMoved: boolean;
  /** The versions themselves, and as they see stored objects. */
  readonly own: Sides;
  readonly sides: Sides;
}

function* findingsThrough(upgrade: UpgradeCase, pair: StoredPair): Generator<Step> {
  const { isMoved, own, sides } = pair;
  const { name, minor, options } = upgrade;
  const limits = { minor, budget: READER_BUDGET, isOver: options.isOver };
  const known = new Set<string>();
  for (const change of changesOf(...own, limits)) {
    if (change.verdict !== "safe") known.add(changeKey(change));
    yield undefined;
  }
  const [, next] = sides;
  const context = { definition: name, version: next.version, next, sampler: new Sampler(new LocalCheck(minor)) };
  for (const change of changesOf(...sides, limits)) {
    const isNew = change.verdict !== "safe" && !known.has(changeKey(change)) && isOfStored(change, isMoved);
    yield isNew ? storedFinding(change, context, pair) : undefined;
  }
}

/** A manifest is validated before it is stored, so only stored objects and updates of them show something. */
function isOfStored({ witness, axis }: Change, isMoved: boolean): boolean {
  if (axis === "ownership" || (axis === "loss" && isMoved)) return false;
  return witness === undefined || witness.breaksStored || witness.before !== undefined;
}

function storedFinding(change: Change, context: ChangeContext, { stored, before }: StoredPair): UpgradeFinding {
  const finding = changeFinding(change, context);
  const { code, definition, version, path, questions, blast } = finding;
  return {
    ...finding,
    storedIn: [before, stored],
    level: change.axis === "validity" && finding.level === "warning" ? "error" : finding.level,
    message: messages.storedText(stored, version, finding.message),
    hint: change.verdict === "unknown" ? finding.hint : messages.storedHint(stored, version),
    questions: questions.filter((question) => question !== "Q2"),
    blast: blast && { ...blast, writes: blast.writes.filter(({ write }) => write !== "create") },
    fingerprint: fingerprintOf([code, definition, version, path, stored, change.keyword, change.detail]),
  };
}

const compiled = new WeakMap<CustomResource, WeakMap<CustomResource, CustomResource>>();

/** The version as it sees objects that are stored in the other; the version itself if there is no difference. */
function through(
  { options }: UpgradeCase,
  side: Side,
  version: DefinitionVersion,
  stored: DefinitionVersion,
): CustomResource {
  const [own, other] = [side.compile(version), side.compile(stored)];
  if (own === other || own.schema === undefined || other.schema === undefined) return own;
  const known = compiled.get(own)?.get(other);
  if (known !== undefined) return known;
  const schema = storedThrough(own.schema, other.schema);
  // The rules are those of the version itself: they may read a member that is never there.
  const made =
    schema === own.schema
      ? own
      : { ...compileResource(side.definition, { ...version, schema }, options), rules: own.rules };
  const row = compiled.get(own) ?? new WeakMap<CustomResource, CustomResource>();
  compiled.set(own, row.set(other, made));
  return made;
}
