/**
 * The ten questions about an upgrade of one definition, answered.
 *
 * `safe` is proved, `unsafe` is demonstrated, `unknown` says why it is neither, and `noop` makes no difference to anybody.
 */
import { encodeDefinition } from "../crd/decode.ts";
import { type CustomResourceDefinition, type DefinitionVersion, readDefinition } from "../crd/definition.ts";
import { formatFieldError } from "../field/format.ts";
import { compatibilityVersion, minorOf } from "../kubecel/environment.ts";
import { type CustomResource, compileResource, type EngineOptions } from "../pipeline/custom-resource.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import { acceptanceErrors } from "./acceptance.ts";
import { type BlastRadius, blastRadius } from "./blast-radius.ts";
import { type CatalogEntry, entryOf, entryOfKeyword, type Level, type Question } from "./catalog.ts";
import type { Change, Effect, Verdict } from "./change.ts";
import { compareResources } from "./compare.ts";
import type { UnknownReason } from "./contain/proof.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { LocalCheck } from "./local-check.ts";
import * as messages from "./messages.ts";
import { noopChanges } from "./noop.ts";
import { formatSchemaPath } from "./pairs.ts";
import { Replay } from "./replay.ts";
import { Sampler } from "./sample.ts";
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
  readonly findings: readonly UpgradeFinding[];
  readonly answers: Readonly<Record<Question, Verdict>>;
  /** How many nodes of schemas differ. */
  readonly changedNodes: number;
}

/** Both definitions decoded (`crd/decode`). */
export function compareDefinitions(old: JsonObject, next: JsonObject, options: UpgradeOptions): UpgradeReport {
  const upgrade = new Upgrade(readDefinition(old), readDefinition(next), options);
  const findings = upgrade.run();
  return { findings, answers: answersOf(findings), changedNodes: upgrade.changedNodes };
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

class Upgrade {
  changedNodes = 0;
  readonly #old: CustomResourceDefinition;
  readonly #new: CustomResourceDefinition;
  readonly #options: UpgradeOptions;
  readonly #minor: number;

  constructor(old: CustomResourceDefinition, next: CustomResourceDefinition, options: UpgradeOptions) {
    this.#old = old;
    this.#new = next;
    this.#options = options;
    this.#minor = minorOf(compatibilityVersion(options.version));
  }

  run(): UpgradeFinding[] {
    return [
      ...this.#acceptance(),
      ...surfaceChanges(this.#old, this.#new).map((change) => this.#surface(change)),
      ...this.#old.versions.flatMap((version) => {
        const next = this.#new.versions.find(({ name }) => name === version.name);
        return next === undefined ? [] : this.#version(version, next);
      }),
      ...this.#storageVersion(),
      ...(this.#options.writersOnly === true ? [] : this.#crossVersions()),
    ];
  }

  /** What is stored is read with the schema of the version it is stored in: fields that one does not have are gone. */
  #storageVersion(): UpgradeFinding[] {
    const [from, to] = [this.#old, this.#new].map(({ versions }) => versions.find(({ storage }) => storage));
    if (from === undefined || to === undefined || from.name === to.name || strategyOf(this.#new) !== "None") return [];
    const [before, after] = [this.#compile(this.#old, from), this.#compile(this.#new, to)];
    return compareResources(before, after, { minor: this.#minor, budget: READER_BUDGET })
      .filter(({ axis, verdict }) => axis === "loss" && verdict === "unsafe")
      .map((change) => {
        const finding = this.#finding(entryOf("storage-version-loses"), {
          verdict: "unsafe",
          version: to.name,
          path: formatSchemaPath(change.path),
          message: messages.storageText(from.name, to.name, change),
          identity: [from.name, change.keyword, change.detail],
        });
        return { ...finding, effect: change.effect };
      });
  }

  #acceptance(): UpgradeFinding[] {
    const errors = acceptanceErrors(this.#old.json, this.#new.json, this.#options);
    return errors.map((error) =>
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

  #version(old: DefinitionVersion, next: DefinitionVersion): UpgradeFinding[] {
    const [before, after] = [this.#compile(this.#old, old), this.#compile(this.#new, next)];
    const budget = {
      minor: this.#minor,
      ...(this.#options.budget === undefined ? {} : { budget: this.#options.budget }),
    };
    const changes = compareResources(before, after, budget);
    this.changedNodes += new Set(changes.map(({ path }) => formatSchemaPath(path))).size;
    const noops =
      before.schema && after.schema ? noopChanges(before.schema, after.schema, this.#minor) : new Map<string, number>();
    const sampler = new Sampler(new LocalCheck(this.#minor));
    return [
      ...changes.map((change) => this.#changeFinding(change, old.name, after, sampler)),
      ...(this.#options.writersOnly === true ? [] : this.#readers(before, after, old.name)),
      ...(noops.size === 0 ? [] : [this.#noop(noops, old.name)]),
    ];
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
  #readers(before: CustomResource, after: CustomResource, version: string): UpgradeFinding[] {
    const changes = compareResources(after, before, { minor: this.#minor, budget: READER_BUDGET, validityOnly: true });
    return changes
      .filter(({ verdict }) => verdict === "unsafe")
      .map((change) => {
        const turned: Change = { ...change, before: change.after, after: change.before };
        const finding = this.#finding(entryOf("reader"), {
          verdict: "unsafe",
          version,
          path: formatSchemaPath(change.path),
          message: messages.readerText(turned),
          identity: [change.keyword, change.detail, turned.before ?? "", turned.after ?? ""],
        });
        return { ...finding, witness: change.witness, change: turned };
      });
  }

  /** Served versions read the same data: both ways between them, as far as the upgrade made it worse. */
  #crossVersions(): UpgradeFinding[] {
    if (strategyOf(this.#new) !== "None") return [];
    const served = this.#new.versions.filter((version) => version.served);
    return served.flatMap((from) =>
      served.filter((to) => to !== from && this.#isChanged(from, to)).flatMap((to) => this.#crossVersion(from, to)),
    );
  }

  #isChanged(...versions: readonly DefinitionVersion[]): boolean {
    return versions.some((version) => {
      const old = this.#old.versions.find(({ name }) => name === version.name);
      return (
        old === undefined ||
        !old.served ||
        JSON.stringify(schemaJson(this.#old, old.name)) !== JSON.stringify(schemaJson(this.#new, version.name))
      );
    });
  }

  #crossVersion(from: DefinitionVersion, to: DefinitionVersion): UpgradeFinding[] {
    const known = new Set(this.#crossChanges(this.#old, from.name, to.name).map(changeKey));
    return this.#crossChanges(this.#new, from.name, to.name)
      .filter((change) => !known.has(changeKey(change)))
      .map((change) => {
        const entry = entryOf(change.axis === "loss" ? "cross-version-lost" : "cross-version-refused");
        const finding = this.#finding(entry, {
          verdict: "unsafe",
          version: to.name,
          path: formatSchemaPath(change.path),
          message: messages.crossVersionText(from.name, to.name, change),
          identity: [from.name, change.keyword, change.detail],
        });
        return { ...finding, witness: change.witness, effect: change.effect };
      });
  }

  #crossChanges(definition: CustomResourceDefinition, from: string, to: string): Change[] {
    const [one, other] = [from, to].map((name) =>
      definition.versions.find((version) => version.name === name && version.served),
    );
    if (one === undefined || other === undefined) return [];
    const changes = compareResources(this.#compile(definition, one), this.#compile(definition, other), {
      minor: this.#minor,
      budget: READER_BUDGET,
    });
    return changes.filter(({ verdict, axis }) => verdict === "unsafe" && (axis === "validity" || axis === "loss"));
  }

  #compile(definition: CustomResourceDefinition, version: DefinitionVersion): CustomResource {
    return compileResource(definition, version, this.#options);
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
    const definition = this.#new.name || this.#old.name;
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

const READER_BUDGET = 600;

function changeKey({ axis, keyword, detail, path }: Change): string {
  return [axis, keyword, detail, formatSchemaPath(path)].join("\0");
}

function schemaJson({ json }: CustomResourceDefinition, name: string): unknown {
  const encoded = encodeDefinition(json);
  const spec = isObject(encoded["spec"]) ? encoded["spec"] : newObject();
  const versions = Array.isArray(spec["versions"]) ? spec["versions"] : [];
  const version = versions.find((each) => isObject(each) && each["name"] === name);
  return isObject(version) ? version["schema"] : undefined;
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
