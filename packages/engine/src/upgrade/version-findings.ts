/**
 * The effects of an upgrade on one version: the old schema against the new one for writers, the new one against the old
 * for readers.
 */
import type { CustomResource } from "../review/custom-resource/custom-resource.ts";
import { entryOf } from "./catalog.ts";
import type { Change } from "./change.ts";
import { changeFinding } from "./change-finding.ts";
import { changesOf } from "./compare.ts";
import { newFinding, type UpgradeFinding } from "./finding.ts";
import * as messages from "./messages.ts";
import { noopChanges } from "./noop.ts";
import { formatSchemaPath } from "./pairs.ts";
import { isSameResource } from "./same-schema.ts";
import { READER_BUDGET, type Step, type UpgradeCase, type UpgradeOptions } from "./upgrade-case.ts";
import { LocalCheck } from "./witness/local-check.ts";
import { Sampler } from "./witness/sample.ts";

const READER = entryOf("reader");

/** One version, compiled from either side. */
export interface VersionPair {
  readonly version: string;
  readonly before: CustomResource;
  readonly after: CustomResource;
}

/** Returns the number of schema nodes that differ. */
export function* versionFindings(upgrade: UpgradeCase, pair: VersionPair): Generator<Step, number> {
  const found: UpgradeFinding[] = [];
  for (const finding of known(upgrade, pair) ?? schemaFindings(upgrade, pair)) {
    if (finding !== undefined) found.push(finding);
    yield finding;
  }
  // What was left open for lack of time is asked again.
  if (upgrade.options.isOver?.() !== true) remember(upgrade, pair, found);
  yield noopFinding(upgrade, pair);
  const changes = found.filter(({ code, change }) => change !== undefined && code !== READER.code);
  return new Set(changes.map(({ path }) => path)).size;
}

interface LastCompared extends Pick<UpgradeOptions, "budget" | "writersOnly"> {
  readonly name: string;
  readonly after: CustomResource;
  readonly findings: readonly UpgradeFinding[];
}

/** An editor compares a CRD again after every keystroke, and most keystrokes only change a description. */
const lastCompared = new WeakMap<CustomResource, LastCompared>();

/** The cached findings for schemas with the same meaning. */
function known({ name, options }: UpgradeCase, { before, after }: VersionPair): readonly UpgradeFinding[] | undefined {
  const last = lastCompared.get(before);
  const { budget, writersOnly } = options;
  if (last === undefined || last.budget !== budget || last.writersOnly !== writersOnly) return undefined;
  return last.name === name && isSameResource(last.after, after) ? last.findings : undefined;
}

function remember(
  { name, options }: UpgradeCase,
  { before, after }: VersionPair,
  findings: readonly UpgradeFinding[],
): void {
  const { budget, writersOnly } = options;
  lastCompared.set(before, { name, after, findings, budget, writersOnly });
}

function* schemaFindings(upgrade: UpgradeCase, pair: VersionPair): Generator<Step> {
  const { name, minor, options } = upgrade;
  const { version, before, after } = pair;
  const { budget, isOver } = options;
  const context = { definition: name, version, next: after, sampler: new Sampler(new LocalCheck(minor)) };
  for (const change of changesOf(before, after, { minor, isOver, ...(budget === undefined ? {} : { budget }) })) {
    yield changeFinding(change, context);
  }
  if (options.writersOnly !== true) yield* readerFindings(upgrade, pair);
}

/** Values that the new CRD accepts and the old one did not: the comparison with the sides swapped. */
function* readerFindings(
  { name, minor, options }: UpgradeCase,
  { version, before, after }: VersionPair,
): Generator<Step> {
  const open: Change[] = [];
  for (const change of changesOf(after, before, {
    minor,
    budget: READER_BUDGET,
    validityOnly: true,
    storedOnly: true,
    isOver: options.isOver,
  })) {
    if (change.verdict === "unknown") open.push(change);
    const isShown = change.verdict === "unsafe" && change.witness?.isQuirk !== true;
    yield isShown ? readerFinding(change, name, version) : undefined;
  }
  yield open.length === 0 ? undefined : openReaders(open, name, version);
}

/** What readers may see is unknown, which does not prove that they see nothing new. */
function openReaders(open: readonly Change[], definition: string, version: string): UpgradeFinding {
  const message = messages.openReadersText(open.length);
  const finding = newFinding(READER, { verdict: "unknown", definition, version, message, identity: ["open"] });
  const [reason] = open.flatMap((change) => change.reason ?? []);
  if (reason === undefined) return finding;
  return { ...finding, reason, why: messages.reasonText(reason), hint: messages.howToDecide(reason) };
}

function readerFinding(change: Change, definition: string, version: string): UpgradeFinding {
  const turned: Change = { ...change, before: change.after, after: change.before };
  const finding = newFinding(READER, {
    verdict: "unsafe",
    definition,
    version,
    path: formatSchemaPath(change.path),
    message: messages.readerText(turned),
    identity: [change.keyword, change.detail, turned.before ?? "", turned.after ?? ""],
  });
  return { ...finding, witness: change.witness, change: turned };
}

function noopFinding({ name, minor }: UpgradeCase, { version, before, after }: VersionPair): Step {
  if (before.schema === undefined || after.schema === undefined) return undefined;
  const keywords = noopChanges(before.schema, after.schema, minor);
  if (keywords.size === 0) return undefined;
  return newFinding(entryOf("noop"), {
    verdict: "noop",
    definition: name,
    version,
    message: messages.noopText(keywords),
    identity: [...keywords.keys()],
  });
}
