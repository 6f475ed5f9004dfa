/**
 * `status.typeChecking` and `status.observedGeneration` of policies that no control plane looks after: those from an API
 * of the user's own.
 *
 * Schemas are the cluster's OpenAPI documents. A policy is checked when its generation is ahead of its status, as
 * upstream does, and the status is only ever moved forward, so that replicas do not undo one another's work.
 */
import type { GroupVersionKind, GroupVersionResource } from "@portcullis/engine/internal/policy/attributes";
import { parseGroupVersion } from "@portcullis/engine/internal/policy/attributes";
import { nameOf } from "@portcullis/engine/internal/policy/params";
import { type AdmissionPolicy, loadPolicy } from "@portcullis/engine/internal/policy/policy";
import { populateRefs } from "@portcullis/engine/internal/policy/typecheck/openapi-refs";
import {
  checkPolicyTypes,
  needsTypeCheck,
  type TypeResolver,
  typeCheckedStatus,
} from "@portcullis/engine/internal/policy/typecheck/typecheck";
import { parseSchema } from "@portcullis/engine/internal/schema/parse";
import type { Structural } from "@portcullis/engine/internal/schema/structural";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, objectsOf } from "@portcullis/engine/internal/value/read";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { type ClusterClient, ClusterError } from "./cluster/client.ts";
import { basePath, type Discovery } from "./cluster/discovery.ts";
import { Backoff, pause } from "./cluster/pause.ts";
import { problemOf } from "./cluster/reflector.ts";
import * as messages from "./messages.ts";

export interface StatusOptions {
  readonly client: ClusterClient;
  readonly discovery: Discovery;
  /** Where policies are served, such as `/apis/policies.example.com/v1`. */
  readonly policyApi: string;
  readonly policies: () => readonly JsonObject[];
  readonly onProblem: (problem: string) => void;
  readonly onLog: (text: string) => void;
}

const GATHER_MS = 50;
const LONGEST_BACKOFF_MS = 15_000;

export class StatusKeeper {
  readonly #options: StatusOptions;
  readonly #stop = new AbortController();
  #isStale = false;
  #isWorking = false;
  #isGivenUp = false;
  #work: Promise<void> = Promise.resolve();

  constructor(options: StatusOptions) {
    this.#options = options;
  }

  async run(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    this.#stop.abort();
    await this.#work;
  }

  /** Policies are different now. */
  changed(): void {
    this.#isStale = true;
    if (this.#isWorking || this.#isGivenUp || this.#stop.signal.aborted) return;
    this.#isWorking = true;
    this.#work = this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    const { signal } = this.#stop;
    const backoff = new Backoff(LONGEST_BACKOFF_MS);
    while (this.#isStale && !signal.aborted && !this.#isGivenUp) {
      await pause(GATHER_MS, signal);
      this.#isStale = false;
      for (const policy of this.#options.policies().filter(needsTypeCheck)) {
        if (signal.aborted || this.#isGivenUp) break;
        if (await this.#attempt(policy)) continue;
        this.#isStale = true;
        await backoff.failed(signal);
      }
    }
    this.#isWorking = false;
  }

  /** False if it should be tried again. */
  async #attempt(policy: JsonObject): Promise<boolean> {
    try {
      await this.#write(policy);
      return true;
    } catch (error) {
      // Another writer was first; the watch will deliver the current state.
      if (error instanceof ClusterError && error.status === 409) return true;
      if (error instanceof ClusterError && error.status === 404) return this.#reportMissing(policy);
      this.#options.onProblem(messages.statusFailed(problemOf(error)));
      return false;
    }
  }

  /** The policy may be gone; where it is there, its definition has no status. */
  async #reportMissing(policy: JsonObject): Promise<boolean> {
    const { client, policyApi, onLog } = this.#options;
    try {
      this.#isGivenUp = (await client.get(pathOf(policyApi, nameOf(policy)))) !== undefined;
    } catch {
      return false;
    }
    if (this.#isGivenUp) onLog(messages.noStatus(policyApi));
    return true;
  }

  async #write(json: JsonObject): Promise<void> {
    const { client, policyApi } = this.#options;
    const policy = loadPolicy(json);
    const warnings = checkPolicyTypes(policy, await this.#resolver(policy));
    const { conditions } = objectOf(json["status"]);
    const status = typeCheckedStatus(json, warnings);
    const kept = conditions === undefined ? status : withMember(status, "conditions", conditions);
    await client.send("PUT", `${pathOf(policyApi, policy.name)}/status`, withMember(json, "status", kept));
  }

  /** Everything a check may need is fetched before: checking itself is synchronous. */
  async #resolver(policy: AdmissionPolicy): Promise<TypeResolver> {
    const resources = namedResources(policy);
    const kinds = new Map<string, GroupVersionKind>();
    for (const resource of resources) {
      const kind = await this.#options.discovery.kindOf(resource);
      if (kind !== undefined) kinds.set(keyOf(resource), kind);
    }
    const param = paramKindOf(policy);
    const wanted = [...kinds.values(), ...(param === undefined ? [] : [param])];
    const schemas = new Map<string, Structural | undefined>();
    for (const kind of wanted) schemas.set(kindKey(kind), await this.#schemaOf(kind));
    return {
      kindsFor: (resource) => {
        const kind = kinds.get(keyOf(resource));
        return kind === undefined ? [] : [kind];
      },
      schemaOf: (kind) => schemas.get(kindKey(kind)),
    };
  }

  async #schemaOf(kind: GroupVersionKind): Promise<Structural | undefined> {
    const document = await this.#options.client.get(`/openapi/v3${basePath(kind.group, kind.version)}`);
    const schemas = objectOf(objectOf(objectOf(document)["components"])["schemas"]);
    const name = Object.keys(schemas).find((each) => isOfKind(objectOf(schemas[each]), kind));
    const lookup = (ref: string): JsonObject => objectOf(schemas[ref.slice(ref.lastIndexOf("/") + 1)]);
    const populated = name === undefined ? undefined : populateRefs(lookup, name);
    return populated && parseSchema(populated);
  }
}

function pathOf(policyApi: string, name: string): string {
  return `${policyApi}/validatingadmissionpolicies/${encodeURIComponent(name)}`;
}

/** What rules name without patterns; only these are checked. */
function namedResources({ matchConstraints }: AdmissionPolicy): readonly GroupVersionResource[] {
  const rules = matchConstraints?.resourceRules ?? [];
  return rules.flatMap(({ apiGroups, apiVersions, resources }) =>
    apiGroups.flatMap((group) =>
      apiVersions.flatMap((version) =>
        resources
          .filter((resource) => ![group, version, resource].some((each) => /[*/]/.test(each)))
          .map((resource) => ({ group, version, resource })),
      ),
    ),
  );
}

function paramKindOf({ paramKind }: AdmissionPolicy): GroupVersionKind | undefined {
  const groupVersion = paramKind && parseGroupVersion(paramKind.apiVersion);
  return paramKind && groupVersion && { ...groupVersion, kind: paramKind.kind };
}

function keyOf({ group, version, resource }: GroupVersionResource): string {
  return `${group}/${version}/${resource}`;
}

function kindKey({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}

function isOfKind(schema: JsonObject, { group, version, kind }: GroupVersionKind): boolean {
  return objectsOf(schema["x-kubernetes-group-version-kind"]).some(
    (each) => each["group"] === group && each["version"] === version && each["kind"] === kind,
  );
}
