/** How the served versions of one CRD affect each other without conversion: they read the same data. */
import type { DefinitionVersion } from "../../crd/definition.ts";
import type { CustomResource } from "../../review/custom-resource/custom-resource.ts";
import { entryOf } from "../catalog.ts";
import type { Change } from "../change.ts";
import { changesOf } from "../compare.ts";
import { newFinding, type UpgradeFinding } from "../finding.ts";
import * as messages from "../messages.ts";
import { formatSchemaPath } from "../pairs.ts";
import type { Side } from "../side.ts";
import { strategyOf } from "../surface.ts";
import { READER_BUDGET, type Step, type UpgradeCase } from "../upgrade-case.ts";

/** Compares served versions in both directions, and reports what the upgrade made worse. */
export function* crossFindings(upgrade: UpgradeCase): Generator<Step> {
  const { definition } = upgrade.next;
  if (strategyOf(definition) !== "None") return;
  const served = definition.versions.filter((version) => version.served);
  for (const from of served) {
    for (const to of served) {
      const isAsked = to !== from && (isChanged(upgrade, from) || isChanged(upgrade, to));
      if (isAsked) yield* crossVersion(upgrade, from.name, to.name);
    }
  }
}

function isChanged({ old, next }: UpgradeCase, version: DefinitionVersion): boolean {
  const before = old.definition.versions.find(({ name }) => name === version.name);
  if (before?.served !== true || old.schemaText(version.name) !== next.schemaText(version.name)) return true;
  return JSON.stringify(before.subresources) !== JSON.stringify(version.subresources);
}

function* crossVersion(upgrade: UpgradeCase, from: string, to: string): Generator<Step> {
  const { old, next, name } = upgrade;
  const before = yield* crossChanges(old, upgrade, from, to);
  // What is not known of the old side may be new on the new side.
  const known = new Set(before.filter(({ verdict }) => verdict === "unsafe").map(changeKey));
  for (const change of yield* crossChanges(next, upgrade, from, to)) {
    if (!known.has(changeKey(change))) yield crossFinding(change, name, from, to);
  }
}

export function changeKey({ axis, keyword, detail, path }: Change): string {
  return [axis, keyword, detail, formatSchemaPath(path)].join("\0");
}

/** Results per side, reused as long as that side stays the same. */
const crossed = new WeakMap<CustomResource, WeakMap<CustomResource, readonly Change[]>>();

/** The changes from one served version to the other that are not proved safe. */
function* crossChanges(
  side: Side,
  { minor, options }: UpgradeCase,
  from: string,
  to: string,
): Generator<undefined, readonly Change[]> {
  const [one, other] = [servedVersion(side, from), servedVersion(side, to)];
  if (one === undefined || other === undefined) return [];
  const [source, target] = [side.compile(one), side.compile(other)];
  const known = crossed.get(source)?.get(target);
  if (known !== undefined) return known;
  const found: Change[] = [];
  const limits = { minor, budget: READER_BUDGET, isOver: options.isOver, storedOnly: true };
  for (const change of changesOf(source, target, limits)) {
    const { verdict, axis, witness } = change;
    const isOpen = verdict !== "safe" && witness?.isQuirk !== true;
    if (isOpen && (axis === "validity" || axis === "loss")) found.push(change);
    yield undefined;
  }
  if (options.isOver?.() === true) return found;
  const targets = crossed.get(source) ?? new WeakMap<CustomResource, readonly Change[]>();
  crossed.set(source, targets.set(target, found));
  return found;
}

function servedVersion({ definition }: Side, name: string): DefinitionVersion | undefined {
  return definition.versions.find((version) => version.name === name && version.served);
}

function crossFinding(change: Change, definition: string, from: string, to: string): UpgradeFinding {
  const finding = newFinding(entryOf(change.axis === "loss" ? "cross-version-lost" : "cross-version-refused"), {
    verdict: change.verdict,
    definition,
    version: to,
    path: formatSchemaPath(change.path),
    message: messages.crossVersionText(from, to, change),
    identity: [from, change.keyword, change.detail],
  });
  return { ...finding, ...whyOpen(change), witness: change.witness, effect: change.effect };
}

/** The reason why a change is not decided. */
export function whyOpen({ verdict, reason }: Change): Partial<UpgradeFinding> {
  if (verdict !== "unknown" || reason === undefined) return {};
  return { reason, why: messages.reasonText(reason), hint: messages.howToDecide(reason) };
}
