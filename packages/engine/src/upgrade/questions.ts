/**
 * The ten questions about an upgrade of one definition, answered.
 *
 * `safe` is proved, `unsafe` is demonstrated, `unknown` says why it is neither, and `noop` makes no difference to anybody.
 */
import type { CustomResourceDefinition, DefinitionVersion } from "../crd/definition.ts";
import type { DefinitionVerdict } from "../crd/validate.ts";
import { formatFieldError } from "../field/format.ts";
import { compatibilityVersion, minorOf } from "../kubecel/versions.ts";
import type { CustomResource, EngineOptions } from "../pipeline/custom-resource.ts";
import type { JsonObject } from "../value/json.ts";
import { judgeUpdate } from "./acceptance.ts";
import { type BlastRadius, blastRadius } from "./blast-radius.ts";
import { type CatalogEntry, entryOf, entryOfKeyword, type Level, type Question } from "./catalog.ts";
import type { Change, Effect, Verdict } from "./change.ts";
import { changesOf } from "./compare.ts";
import type { UnknownReason } from "./contain/proof.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { LocalCheck } from "./local-check.ts";
import * as messages from "./messages.ts";
import { noopChanges } from "./noop.ts";
import { formatSchemaPath } from "./pairs.ts";
import { Replay } from "./replay.ts";
import { isSameResource } from "./same-schema.ts";
import { Sampler } from "./sample.ts";
import { type Side, sideOf } from "./side.ts";
import { type SurfaceChange, strategyOf, surfaceChanges } from "./surface.ts";
import type { Witness } from "./witness.ts";

export interface UpgradeFinding {
  readonly code: string;
  readonly questions: readonly Question[];
  readonly verdict: Verdict;
  /** How serious it is before any configuration. */
  readonly level: Level;
  readonly definition: string;
  readonly version: string;
  /** In the schema: `.spec.list[*].name`; "" where it is not about a schema. */
  readonly path: string;
  readonly message: string;
  /** The argument of a proof, or why nothing is known. */
  readonly why: string;
  readonly reason: UnknownReason | undefined;
  readonly witness: Witness | undefined;
  readonly effect: Effect | undefined;
  readonly blast: BlastRadius | undefined;
  readonly hint: string;
  readonly fingerprint: string;
  /** What was compared, for checks that go by keyword. */
  readonly change: Change | undefined;
}

export interface UpgradeOptions extends EngineOptions {
  /** How many objects may be tried for each open question. */
  readonly budget?: number | undefined;
  /** Leave out what only readers and other versions meet: the slower half of the work. */
  readonly writersOnly?: boolean | undefined;
}

export interface UpgradeReport {
  /** What the API server says to the new definition as an update of the old one. */
  readonly acceptance: DefinitionVerdict;
  readonly findings: readonly UpgradeFinding[];
  readonly answers: Readonly<Record<Question, Verdict>>;
  /** How many nodes of schemas differ. */
  readonly changedNodes: number;
}

/** Both definitions decoded (`crd/decode`). */
export function compareDefinitions(old: JsonObject, next: JsonObject, options: UpgradeOptions): UpgradeReport {
  const upgrade = beginUpgrade(old, next, options);
  const findings = [...upgrade.findings()].filter((finding) => finding !== undefined);
  const { acceptance, changedNodes } = upgrade;
  return { acceptance, findings, answers: answersOf(findings), changedNodes };
}

/** The same for who cannot wait for all of it: a step at a time. */
export function beginUpgrade(old: JsonObject, next: JsonObject, options: UpgradeOptions): Upgrade {
  return new Upgrade(sideOf(old, options), sideOf(next, options), options);
}

const RANK: Readonly<Record<Verdict, number>> = { noop: 0, safe: 1, unknown: 2, unsafe: 3 };

export function answersOf(findings: readonly UpgradeFinding[]): Readonly<Record<Question, Verdict>> {
  const answers: Record<Question, Verdict> = {
    Q1: "safe",
    Q2: "safe",
    Q3: "safe",
    Q4: "safe",
    Q5: "safe",
    Q6: "safe",
    Q7: "safe",
    Q8: "safe",
    Q9: "safe",
    Q10: "safe",
  };
  for (const { questions, verdict } of findings) {
    for (const question of questions) if (RANK[verdict] > RANK[answers[question]]) answers[question] = verdict;
  }
  return answers;
}

type Step = UpgradeFinding | undefined;

export class Upgrade {
  changedNodes = 0;
  readonly acceptance: DefinitionVerdict;
  readonly #old: CustomResourceDefinition;
  readonly #new: CustomResourceDefinition;
  readonly #sides: readonly [Side, Side];
  readonly #options: UpgradeOptions;
  readonly #minor: number;

  constructor(old: Side, next: Side, options: UpgradeOptions) {
    this.acceptance = judgeUpdate(old, next, options);
    this.#sides = [old, next];
    this.#old = old.definition;
    this.#new = next.definition;
    this.#options = options;
    this.#minor = minorOf(compatibilityVersion(options.version));
  }

  /** One after the other; undefined where a step has found nothing to tell. */
  *findings(): Generator<Step> {
    yield* this.#acceptance();
    for (const change of surfaceChanges(this.#old, this.#new)) yield this.#surface(change);
    for (const version of this.#old.versions) {
      const next = this.#new.versions.find(({ name }) => name === version.name);
      if (next !== undefined) yield* this.#version(version, next);
    }
    yield* this.#storageVersion();
    if (this.#options.writersOnly !== true) yield* this.#crossVersions();
  }

  /** What is stored is read with the schema of the version it is stored in: fields that one does not have are gone. */
  *#storageVersion(): Generator<Step> {
    const [from, to] = [this.#old, this.#new].map(({ versions }) => versions.find(({ storage }) => storage));
    if (from === undefined || to === undefined || from.name === to.name || strategyOf(this.#new) !== "None") return;
    const [before, after] = [this.#compile(this.#old, from), this.#compile(this.#new, to)];
    for (const change of changesOf(before, after, { minor: this.#minor, budget: READER_BUDGET })) {
      const isLoss = change.axis === "loss" && change.verdict === "unsafe";
      yield isLoss ? this.#storageLoss(change, from.name, to.name) : undefined;
    }
  }

  #storageLoss(change: Change, from: string, to: string): UpgradeFinding {
    const finding = this.#finding(entryOf("storage-version-loses"), {
      verdict: "unsafe",
      version: to,
      path: formatSchemaPath(change.path),
      message: messages.storageText(from, to, change),
      identity: [from, change.keyword, change.detail],
    });
    return { ...finding, effect: change.effect };
  }

  #acceptance(): UpgradeFinding[] {
    return this.acceptance.errors.map((error) =>
      this.#finding(entryOf("not-accepted"), {
        verdict: "unsafe",
        message: formatFieldError(error),
        identity: [error.origin, error.path.toString()],
      }),
    );
  }

  #surface(change: SurfaceChange): UpgradeFinding {
    return this.#finding(entryOf(change.code), {
      verdict: "unsafe",
      version: change.version,
      message: messages.surfaceText(change),
      identity: [change.detail, change.before ?? "", change.after ?? ""],
    });
  }

  *#version(old: DefinitionVersion, next: DefinitionVersion): Generator<Step> {
    const [before, after] = [this.#compile(this.#old, old), this.#compile(this.#new, next)];
    const found: UpgradeFinding[] = [];
    for (const finding of this.#known(before, after) ?? this.#schemaFindings(before, after, old.name)) {
      if (finding !== undefined) found.push(finding);
      yield finding;
    }
    this.#remember(before, after, found);
    const changes = found.filter(({ code, change }) => change !== undefined && code !== READER.code);
    this.changedNodes += new Set(changes.map(({ path }) => path)).size;
    const noops =
      before.schema && after.schema ? noopChanges(before.schema, after.schema, this.#minor) : new Map<string, number>();
    if (noops.size > 0) yield this.#noop(noops, old.name);
  }

  *#schemaFindings(before: CustomResource, after: CustomResource, version: string): Generator<Step> {
    const { budget } = this.#options;
    const options = { minor: this.#minor, ...(budget === undefined ? {} : { budget }) };
    const sampler = new Sampler(new LocalCheck(this.#minor));
    for (const change of changesOf(before, after, options)) {
      yield this.#changeFinding(change, version, after, sampler);
    }
    if (this.#options.writersOnly !== true) yield* this.#readers(before, after, version);
  }

  /** What was found before for schemas that say the same. */
  #known(before: CustomResource, after: CustomResource): readonly UpgradeFinding[] | undefined {
    const last = lastCompared.get(before);
    const { budget, writersOnly } = this.#options;
    if (last === undefined || last.budget !== budget || last.writersOnly !== writersOnly) return undefined;
    return last.name === this.#name && isSameResource(last.after, after) ? last.findings : undefined;
  }

  #remember(before: CustomResource, after: CustomResource, findings: readonly UpgradeFinding[]): void {
    const { budget, writersOnly } = this.#options;
    lastCompared.set(before, { name: this.#name, after, findings, budget, writersOnly });
  }

  #noop(keywords: ReadonlyMap<string, number>, version: string): UpgradeFinding {
    const identity = [...keywords.keys()];
    return this.#finding(entryOf("noop"), { verdict: "noop", version, message: messages.noopText(keywords), identity });
  }

  #changeFinding(change: Change, version: string, next: CustomResource, sampler: Sampler): UpgradeFinding {
    const entry = entryOfChange(change);
    const { witness, verdict, reason } = change;
    const blast =
      witness?.breaksStored === true ? this.#blast(change, witness, next, sampler) : transitionBlast(witness);
    const finding = this.#finding(entry, {
      verdict,
      version,
      path: formatSchemaPath(change.path),
      message: messages.changeText(change),
      identity: [change.keyword, change.detail, change.before ?? "", change.after ?? ""],
    });
    const questions = change.axis === "validity" ? validityQuestions(change) : finding.questions;
    return {
      ...finding,
      questions,
      why: reason === undefined ? change.why : messages.reasonText(reason),
      hint: reason === undefined ? finding.hint : messages.howToSettle(reason),
      reason,
      witness,
      effect: change.effect,
      blast,
      change,
    };
  }

  #blast({ keyword, detail }: Change, { object, path }: Witness, next: CustomResource, sampler: Sampler): BlastRadius {
    const stored = new Replay(next, next).rest(object, next).object;
    const missing = keyword === "required" ? detail : undefined;
    return blastRadius({ object: stored, path, missing }, next, sampler);
  }

  /** What the new definition accepts and the old one did not: asked the other way round. */
  *#readers(before: CustomResource, after: CustomResource, version: string): Generator<Step> {
    const options = { minor: this.#minor, budget: READER_BUDGET, validityOnly: true };
    for (const change of changesOf(after, before, options)) {
      yield change.verdict === "unsafe" ? this.#reader(change, version) : undefined;
    }
  }

  #reader(change: Change, version: string): UpgradeFinding {
    const turned: Change = { ...change, before: change.after, after: change.before };
    const finding = this.#finding(READER, {
      verdict: "unsafe",
      version,
      path: formatSchemaPath(change.path),
      message: messages.readerText(turned),
      identity: [change.keyword, change.detail, turned.before ?? "", turned.after ?? ""],
    });
    return { ...finding, witness: change.witness, change: turned };
  }

  /** Served versions read the same data: both ways between them, as far as the upgrade made it worse. */
  *#crossVersions(): Generator<Step> {
    if (strategyOf(this.#new) !== "None") return;
    const served = this.#new.versions.filter((version) => version.served);
    for (const from of served) {
      for (const to of served) if (to !== from && this.#isChanged(from, to)) yield* this.#crossVersion(from, to);
    }
  }

  #isChanged(...versions: readonly DefinitionVersion[]): boolean {
    return versions.some((version) => {
      const old = this.#old.versions.find(({ name }) => name === version.name);
      const [before, after] = this.#sides;
      return old?.served !== true || before.schemaText(old.name) !== after.schemaText(version.name);
    });
  }

  *#crossVersion(from: DefinitionVersion, to: DefinitionVersion): Generator<Step> {
    const before = yield* this.#crossChanges(this.#old, from.name, to.name);
    const known = new Set(before.map(changeKey));
    for (const change of yield* this.#crossChanges(this.#new, from.name, to.name)) {
      if (!known.has(changeKey(change))) yield this.#crossFinding(change, from.name, to.name);
    }
  }

  #crossFinding(change: Change, from: string, to: string): UpgradeFinding {
    const entry = entryOf(change.axis === "loss" ? "cross-version-lost" : "cross-version-refused");
    const finding = this.#finding(entry, {
      verdict: "unsafe",
      version: to,
      path: formatSchemaPath(change.path),
      message: messages.crossVersionText(from, to, change),
      identity: [from, change.keyword, change.detail],
    });
    return { ...finding, witness: change.witness, effect: change.effect };
  }

  *#crossChanges(
    definition: CustomResourceDefinition,
    from: string,
    to: string,
  ): Generator<undefined, readonly Change[]> {
    const [one, other] = [from, to].map((name) =>
      definition.versions.find((version) => version.name === name && version.served),
    );
    if (one === undefined || other === undefined) return [];
    const [source, target] = [this.#compile(definition, one), this.#compile(definition, other)];
    const known = crossed.get(source)?.get(target);
    if (known !== undefined) return known;
    const found: Change[] = [];
    for (const change of changesOf(source, target, { minor: this.#minor, budget: READER_BUDGET })) {
      const { verdict, axis } = change;
      if (verdict === "unsafe" && (axis === "validity" || axis === "loss")) found.push(change);
      yield undefined;
    }
    const targets = crossed.get(source) ?? new WeakMap<CustomResource, readonly Change[]>();
    crossed.set(source, targets.set(target, found));
    return found;
  }

  #compile(definition: CustomResourceDefinition, version: DefinitionVersion): CustomResource {
    const [old, next] = this.#sides;
    return (definition === this.#old ? old : next).compile(version);
  }

  get #name(): string {
    return this.#new.name || this.#old.name;
  }

  #finding(
    entry: CatalogEntry,
    parts: {
      readonly verdict: Verdict;
      readonly version?: string;
      readonly path?: string;
      readonly message: string;
      readonly identity: readonly string[];
    },
  ): UpgradeFinding {
    const { verdict, version = "", path = "", message } = parts;
    const definition = this.#name;
    return {
      code: entry.code,
      questions: [entry.question],
      verdict,
      level: verdict === "unsafe" ? entry.level : "note",
      definition,
      version,
      path,
      message,
      why: verdict === "unsafe" ? entry.why : "",
      reason: undefined,
      witness: undefined,
      effect: undefined,
      blast: undefined,
      hint: verdict === "unsafe" ? entry.fix : "",
      fingerprint: fingerprintOf([entry.code, definition, version, path, ...parts.identity]),
      change: undefined,
    };
  }
}

const READER = entryOf("reader");
const READER_BUDGET = 600;

interface LastCompared extends Pick<UpgradeOptions, "budget" | "writersOnly"> {
  readonly name: string;
  readonly after: CustomResource;
  readonly findings: readonly UpgradeFinding[];
}

/** Who writes a definition asks again with every keystroke, and most of them change no more than a description. */
const lastCompared = new WeakMap<CustomResource, LastCompared>();

/** What versions of one definition do to each other: the same as long as that side stays. */
const crossed = new WeakMap<CustomResource, WeakMap<CustomResource, readonly Change[]>>();

function changeKey({ axis, keyword, detail, path }: Change): string {
  return [axis, keyword, detail, formatSchemaPath(path)].join("\0");
}

function entryOfChange({ axis, keyword }: Change): CatalogEntry {
  if (axis === "loss") return entryOf(keyword === "properties" ? "field-removed" : "unknown-fields-dropped");
  if (axis === "ownership") return entryOf("ownership");
  if (axis === "value") return entryOf(keyword === "nullable" ? "null-dropped" : "default");
  return entryOfKeyword(keyword);
}

function validityQuestions({ witness }: Change): readonly Question[] {
  if (witness === undefined) return ["Q1", "Q2"];
  const shown: Question[] = [];
  if (witness.breaksStored) shown.push("Q1");
  if (witness.breaksManifest) shown.push("Q2");
  return witness.breaksStored ? [...shown, "Q6"] : shown;
}

/** An update that is refused is an edit that is blocked; a manifest alone only blocks creates. */
function transitionBlast(witness: Witness | undefined): BlastRadius | undefined {
  if (witness === undefined) return undefined;
  if (witness.before === undefined) {
    return { writes: [{ write: "create", outcome: "refused", errors: witness.errors }], severity: "create-only" };
  }
  return { writes: [{ write: "field", outcome: "refused", errors: witness.errors }], severity: "blocks-touching-edit" };
}
