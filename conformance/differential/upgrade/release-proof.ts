/**
 * Tests one upgrade of a published CRD: every witness is replayed through both CRDs, and random objects that the old
 * one accepts must not be refused by the new one, except where a change is unsafe or unknown.
 */
import { type CustomResourceDefinition, readDefinition } from "@portcullis/engine/internal/crd/definition";
import type { FieldError } from "@portcullis/engine/internal/field/error";
import { formatFieldError } from "@portcullis/engine/internal/field/format";
import {
  type CustomResource,
  compileResource,
  type EngineOptions,
} from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { EMPTY_SCHEMA, type Structural } from "@portcullis/engine/internal/schema/structural";
import type { Change } from "@portcullis/engine/internal/upgrade/change";
import { ruleNodeAt } from "@portcullis/engine/internal/upgrade/contain/rule-node";
import { formatSchemaPath, type SchemaStep } from "@portcullis/engine/internal/upgrade/pairs";
import { type DataStep, placeValue, setAt, stepSchema } from "@portcullis/engine/internal/upgrade/place";
import { compareDefinitions } from "@portcullis/engine/internal/upgrade/questions";
import { ruleText } from "@portcullis/engine/internal/upgrade/schema-text";
import { LocalCheck } from "@portcullis/engine/internal/upgrade/witness/local-check";
import { isAccepted, Replay } from "@portcullis/engine/internal/upgrade/witness/replay";
import { Sampler } from "@portcullis/engine/internal/upgrade/witness/sample";
import { isOfKeyword, type Target } from "@portcullis/engine/internal/upgrade/witness/target";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { Random } from "../apply/random.ts";
import { RandomObjects } from "./random-objects.ts";
import type { ReleasePair } from "./releases.ts";
import type { VersionedWitness } from "./server-replay.ts";
import { wrongWitness } from "./trial.ts";

const ENGINE: EngineOptions = {
  version: "1.36",
  gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true },
};
const MINOR = 36;

export interface ReleaseProof {
  readonly changedNodes: number;
  readonly unknownNodes: number;
  readonly safe: number;
  readonly unsafe: number;
  readonly witnesses: number;
  /** The witnesses of versions, for a replay on a server. */
  readonly shown: readonly VersionedWitness[];
  readonly unknown: Readonly<Record<string, number>>;
  /** Objects that the old CRD accepts and that were validated with the new one. */
  readonly samples: number;
  /** Errors in the verdicts; empty if all are right. */
  readonly complaints: readonly string[];
}

export interface ProofOptions {
  /** The number of accepted objects for every safe verdict, and for every version as a whole. */
  readonly samples: number;
  readonly budget?: number;
}

export function proveRelease(pair: ReleasePair, options: ProofOptions): ReleaseProof {
  const [old, next] = [pair.old(), pair.new()];
  const { budget } = options;
  const report = compareDefinitions(old, next, { ...ENGINE, writersOnly: true, budget });
  const validity = report.findings.flatMap(({ change, version, storedIn }) =>
    change?.axis === "validity" ? [{ change, version, storedIn }] : [],
  );
  const isUnknown = report.findings.filter(({ verdict }) => verdict === "unknown");
  const unknown: Record<string, number> = {};
  for (const { reason } of isUnknown) unknown[reason ?? ""] = (unknown[reason ?? ""] ?? 0) + 1;
  const complaints: string[] = [];
  let samples = 0;
  const [before, after] = [readDefinition(old), readDefinition(next)];
  for (const { name, served } of before.versions) {
    // A version that neither side serves is not compared: nobody can write it.
    if (!served && !after.versions.some((each) => each.name === name && each.served)) continue;
    const replay = replayOf(before, after, name);
    if (replay === undefined) continue;
    const own = validity.filter(({ version }) => version === name);
    for (const { change, storedIn } of own) {
      const found =
        storedIn === undefined
          ? wrongWitness(change, replay)
          : wrongStored(change, replay, replayOf(before, after, ...storedIn));
      complaints.push(...found);
    }
    const changes = own.map(({ change }) => change);
    const check = new SampleCheck(replay, changes, options.samples);
    complaints.push(...check.run());
    samples += check.accepted;
  }
  const count = (verdict: string): number => report.findings.filter((each) => each.verdict === verdict).length;
  return {
    changedNodes: report.changedNodes,
    unknownNodes: new Set(isUnknown.map(({ version, path }) => `${version} ${path}`)).size,
    safe: count("safe"),
    unsafe: count("unsafe"),
    witnesses: validity.filter(({ change }) => change.witness !== undefined).length,
    shown: validity.flatMap(({ change, version = "", storedIn }) =>
      change.witness === undefined ? [] : [{ version, witness: change.witness, storedIn }],
    ),
    unknown,
    samples,
    complaints: complaints.map((complaint) => `${pair.id}: ${complaint}`),
  };
}

function replayOf(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
  version: string,
  after = version,
): Replay | undefined {
  const [one, other] = [versionOf(old, version), versionOf(next, after)];
  return one && other && new Replay(one, other);
}

function versionOf(definition: CustomResourceDefinition, version: string): CustomResource | undefined {
  const found = definition.versions.find(({ name }) => name === version);
  return found && compileResource(definition, found, ENGINE);
}

/** The witness of a finding about stored objects: read from storage with the version that they are stored in. */
function wrongStored({ witness, verdict, keyword }: Change, served: Replay, stored: Replay | undefined): string[] {
  if (verdict !== "unsafe") return [];
  if (witness === undefined || stored === undefined) return [`unsafe ${keyword} without a witness`];
  const { object, before } = witness;
  const [was, is] = [stored.rest(before ?? object, stored.old), stored.rest(before ?? object, stored.new)];
  const outcomes =
    before === undefined
      ? [served.rest(was.object, served.old), served.rest(is.object, served.new)]
      : [served.update(object, was.object, served.old), served.update(object, is.object, served.new)];
  const [accepted, refused] = outcomes.map(isAccepted);
  return accepted === true && refused === false ? [] : [`the stored witness for ${keyword} shows nothing`];
}

class SampleCheck {
  accepted = 0;
  readonly #replay: Replay;
  readonly #changes: readonly Change[];
  readonly #wanted: number;
  readonly #random = new RandomObjects(new Random(7));
  readonly #sampler = new Sampler(new LocalCheck(MINOR));

  constructor(replay: Replay, changes: readonly Change[], wanted: number) {
    this.#replay = replay;
    this.#changes = changes;
    this.#wanted = wanted;
  }

  run(): string[] {
    const schema = this.#replay.old.schema ?? EMPTY_SCHEMA;
    const places = new Map([["", [] as readonly SchemaStep[]]]);
    for (const { verdict, path } of this.#changes) if (verdict === "safe") places.set(formatSchemaPath(path), path);
    return [...places.values()].flatMap((path) => this.#at(schema, path) ?? []);
  }

  /** Draws values for the place until enough whole objects were accepted; stops at the first contradiction. */
  #at(root: Structural, path: readonly SchemaStep[]): string | undefined {
    let schema: Structural | undefined = root;
    for (const step of path) schema = schema && stepSchema(schema, step);
    if (schema === undefined) return undefined;
    const frame = this.#frame(root, path, schema);
    if (frame === undefined) return undefined;
    let accepted = 0;
    for (let tries = 0; tries < 3 * this.#wanted && accepted < this.#wanted; tries++) {
      const object = setAt(frame.object, frame.path, this.#random.value(schema));
      if (!isObject(object)) continue;
      const stored = this.#replay.rest(object, this.#replay.old);
      if (!isAccepted(stored)) continue;
      accepted++;
      this.accepted++;
      const validated = this.#replay.rest(stored.object, this.#replay.new);
      const surprise = validated.errors.find((error) => !isFollowUp(error) && !this.#isExpected(error));
      if (surprise !== undefined)
        return `called safe, but refused: ${formatFieldError(surprise)}: ${canonicalJson(object)}`;
    }
    return undefined;
  }

  /** A whole object around the place, for one value of it. */
  #frame(
    root: Structural,
    path: readonly SchemaStep[],
    schema: Structural,
  ): { readonly object: JsonObject; readonly path: readonly DataStep[] } | undefined {
    for (const value of this.#sampler.samples(schema, 4)) {
      for (const placed of placeValue(root, path, value, this.#sampler)) {
        if (!isObject(placed.value)) continue;
        if (isAccepted(this.#replay.rest(placed.value, this.#replay.old)))
          return { object: placed.value, path: placed.path };
        break;
      }
    }
    return undefined;
  }

  #isExpected(error: FieldError): boolean {
    return this.#changes.some((change) => change.verdict !== "safe" && this.#explains(change, error));
  }

  /** Whether the change explains the error: by its keyword, and by its place with any index and key. */
  #explains(change: Change, error: FieldError): boolean {
    const { keyword, detail, path } = change;
    if (keyword === "required") return error.origin === "required" && placeOf(path, detail).test(plainPath(error));
    return isOfKeyword(error, this.#target(change)) && (isPlaceless(error) || placeOf(path, "").test(plainPath(error)));
  }

  #target({ keyword, detail, path }: Change): Target {
    const rules = ruleNodeAt(this.#replay.new.rules, path)?.rules ?? [];
    const rule =
      keyword === "x-kubernetes-validations" ? rules.find((each) => ruleText(each.rule) === detail) : undefined;
    return { keyword, detail, rule };
  }
}

/** Errors about combinators and ranges of numbers have no path. */
function isPlaceless({ origin }: FieldError): boolean {
  return ["anyOf", "oneOf", "allOf", "not", "format", "scale"].includes(origin);
}

/** Rules are skipped if the object is otherwise invalid, and the server reports that. */
function isFollowUp({ detail }: FieldError): boolean {
  return detail.startsWith("some validation rules were not checked");
}

function placeOf(path: readonly SchemaStep[], name: string): RegExp {
  const steps = path.map((step) => {
    if (step.kind === "property") return escapeText(step.name);
    return step.kind === "item" ? "[0-9]+" : ".+?";
  });
  return new RegExp(`^${[...steps, ...(name === "" ? [] : [escapeText(name)])].join("[.]")}`);
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, "\\$&");
}

/** Keys of maps are written with dots by some checks and in brackets by others. */
function plainPath({ path }: FieldError): string {
  return path
    .toString()
    .replace(/^</, "")
    .replaceAll(/\[([^\]]*)\]/g, ".$1");
}
