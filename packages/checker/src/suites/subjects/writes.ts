/**
 * Writes in order, with everything that the API server checks: CRDs, schemas, rules, ratcheting, policies.
 *
 * Each step sees what the steps before it stored. A CRD may change between steps; stored objects stay as they are, and
 * are read through the CRD of the moment, as in a cluster.
 */
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { Outcome } from "@portcullis/engine/internal/review/outcome";
import { review } from "@portcullis/engine/internal/review/review";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText, textOf, withMeta } from "@portcullis/engine/internal/value/metadata";
import * as messages from "../../policy/messages.ts";
import type { PolicyCluster } from "../../policy/policy-cluster.ts";
import { makeUser } from "../../policy/user.ts";
import { deleteOf, liveOf, writeOf } from "../../policy/write.ts";
import type { Coverage } from "../coverage.ts";
import { rulesOfCrd } from "../crd-rules.ts";
import { applyPatch, compare, type ExpectedOutcome, type Observation } from "../expectation.ts";
import type { WriteStep, WritesSubject } from "../suite.ts";
import type { SuiteContext } from "./context.ts";
import { matchesText } from "./request.ts";

/** One line per difference, each with the step. */
export async function runWrites(
  { objects, steps }: WritesSubject,
  context: SuiteContext,
  coverage?: Coverage,
): Promise<string[]> {
  const cluster = new WrittenCluster(objects, context, coverage);
  const problems: string[] = [...(await cluster.refusedCrds())];
  if (problems.length > 0) return problems;
  for (const step of steps) {
    const seen = await cluster.write(step);
    const found = typeof seen === "string" ? [seen] : compare(step.expect, seen);
    if (found.length === 0) continue;
    return found.map((problem) => (step.path === "" ? problem : `${step.path}: ${problem}`));
  }
  return problems;
}

/** The API server's refusals of the CRDs among the objects. */
export function refusedCrds(objects: readonly JsonObject[], context: SuiteContext): Promise<readonly string[]> {
  return new WrittenCluster(objects, context).refusedCrds();
}

/** By the CRD as read: suites share CRDs, and validating one takes long. */
const refusals = new WeakMap<JsonObject, Promise<string[]>>();

class WrittenCluster {
  readonly #context: SuiteContext;
  readonly #coverage: Coverage | undefined;
  #covered: readonly JsonObject[] | undefined;
  #objects: readonly JsonObject[];
  /** The object that the last step was about, as stored. */
  #live: JsonObject | undefined;

  constructor(objects: readonly JsonObject[], context: SuiteContext, coverage?: Coverage) {
    this.#objects = objects;
    this.#context = context;
    this.#coverage = coverage;
  }

  /** The rules that run from now on count. */
  async #policies(): Promise<PolicyCluster> {
    const { policies } = await this.#context.cluster(this.#objects);
    const coverage = this.#coverage;
    if (coverage === undefined || this.#covered === this.#objects) return policies;
    this.#covered = this.#objects;
    for (const crd of this.#objects.filter(isCrd)) {
      coverage.addRules(metaText(crd, "name"), rulesOfCrd(crd, policies.cluster.kinds));
    }
    return policies;
  }

  async refusedCrds(): Promise<readonly string[]> {
    const all = this.#objects.filter(isCrd).map((crd) => {
      const known = refusals.get(crd) ?? this.#refusalOf(crd, undefined);
      refusals.set(crd, known);
      return known;
    });
    return (await Promise.all(all)).flat();
  }

  /** A string says why the step cannot be taken. */
  async write({ action, request, fieldValidation }: WriteStep): Promise<Observation | string> {
    switch (action.type) {
      case "crd":
        return this.#changeCrd(action.crd);
      case "patchCrd": {
        const [crd, second] = this.#objects.filter(isCrd);
        if (crd === undefined || second !== undefined) return "patchCrd needs exactly one CRD";
        const patched = applyPatch(crd, action.patch);
        return typeof patched === "string" ? `patchCrd: ${patched}` : this.#changeCrd(patched);
      }
      case "live": {
        const kind = await this.#kindOf(action.object);
        if (typeof kind === "string") return kind;
        return this.#keep(action.object, kind);
      }
      case "change": {
        const changed = this.#live && applyPatch(this.#live, action.patch);
        if (changed === undefined) return "there is no object to change";
        return typeof changed === "string"
          ? changed
          : this.#review(changed, { request, fieldValidation, verb: "update" });
      }
      case "delete":
        if (this.#live === undefined) return "there is no object to delete";
        return this.#review(this.#live, { request, fieldValidation, verb: "delete" });
      default:
        return this.#review(action.object, { request, fieldValidation, verb: action.type });
    }
  }

  async #keep(object: JsonObject, kind: ResourceKind): Promise<Observation | string> {
    const { policies } = await this.#context.cluster(this.#objects);
    const stored = liveOf(object, kind, policies.cluster);
    if (typeof stored === "string") return stored;
    this.#live = stored;
    return observation(["allow"], { stored });
  }

  async #changeCrd(crd: JsonObject): Promise<Observation> {
    const name = metaText(crd, "name");
    const old = this.#objects.find((each) => isCrd(each) && metaText(each, "name") === name);
    const [refusal] = await this.#refusalOf(crd, old);
    if (refusal !== undefined) return observation(["deny"], { texts: [refusal] });
    this.#objects = [...this.#objects.filter((each) => each !== old), crd];
    return observation(["allow"], { stored: crd });
  }

  async #refusalOf(crd: JsonObject, old: JsonObject | undefined): Promise<string[]> {
    const { policies } = await this.#context.cluster(this.#objects);
    const kind = policies.cluster.kinds.findKind("apiextensions.k8s.io/v1", "CustomResourceDefinition");
    if (kind === undefined) return [];
    const live = old && liveOf(old, kind, policies.cluster);
    if (typeof live === "string") return [live];
    const write = writeOf({ kind, object: crd, live, fieldValidation: "Ignore", user: makeUser("user", []) });
    const { refusal } = await review(write, policies.cluster);
    return refusal === undefined ? [] : [refusal.message];
  }

  async #kindOf(object: JsonObject): Promise<ResourceKind | string> {
    const { policies } = await this.#context.cluster(this.#objects);
    const [apiVersion, name] = [textOf(object["apiVersion"]), textOf(object["kind"])];
    return policies.cluster.kinds.findKind(apiVersion, name) ?? messages.noSuchVersion(`${apiVersion} ${name}`);
  }

  async #review(object: JsonObject, { request, fieldValidation, verb }: Reviewed): Promise<Observation | string> {
    const kind = await this.#kindOf(object);
    if (typeof kind === "string") return kind;
    const policies = await this.#policies();
    const live = verb === "create" ? undefined : this.#liveFor(object, kind, policies.cluster);
    if (typeof live === "string") return live;
    const parts = {
      kind,
      subresource: verb === "status" ? "status" : "",
      object: live === undefined ? object : named(object, live),
      live,
      fieldValidation,
      user: request.user ?? makeUser("user", []),
      namespace: request.namespace,
      isDryRun: request.dryRun ?? false,
    };
    const write = verb === "delete" ? deleteOf(parts) : { ...writeOf(parts), continuesWhenInvalid: false };
    const outcome = await review(write, policies.cluster.withAdmission(policies.admission));
    if (outcome.refusal === undefined) this.#live = verb === "delete" ? undefined : outcome.object;
    return observationOf(outcome);
  }

  #liveFor(object: JsonObject, kind: ResourceKind, cluster: Parameters<typeof liveOf>[2]): JsonObject | string {
    const { kind: name } = kind;
    if (this.#live === undefined) return "there is no object to update; create one in a step before, or give `live`";
    if (textOf(this.#live["kind"]) !== name) return `the object before is not a ${name}`;
    const own = metaText(object, "name");
    if (own !== "" && own !== metaText(this.#live, "name")) return `the object before has another name than ${own}`;
    return liveOf(this.#live, kind, cluster);
  }
}

interface Reviewed extends Pick<WriteStep, "request" | "fieldValidation"> {
  readonly verb: "create" | "update" | "status" | "delete";
}

function isCrd(object: JsonObject): boolean {
  return object["kind"] === "CustomResourceDefinition" && isObject(object["spec"]);
}

/** Updates may leave out the name, which may be generated. */
function named(object: JsonObject, live: JsonObject): JsonObject {
  if (metaText(object, "name") !== "") return object;
  return withMeta(object, { name: metaText(live, "name"), generateName: undefined });
}

type Rest = Partial<
  Pick<Observation, "stored" | "texts" | "warnings" | "reason" | "code" | "cost" | "auditAnnotations">
>;

function observation(outcomes: readonly ExpectedOutcome[], rest: Rest): Observation {
  return { outcomes, why: rest.texts?.[0] ?? "", texts: [], warnings: [], matchesText, ...rest };
}

function observationOf({ object, refusal, warnings, auditAnnotations }: Outcome): Observation {
  const main = refusal !== undefined ? "deny" : warnings.length > 0 ? "warn" : "allow";
  return observation(main === "warn" ? ["warn", "allow"] : [main], {
    stored: object,
    texts: [...(refusal === undefined ? [] : [refusal.message]), ...warnings],
    warnings,
    auditAnnotations,
    reason: refusal?.reason,
    code: refusal?.code,
  });
}
