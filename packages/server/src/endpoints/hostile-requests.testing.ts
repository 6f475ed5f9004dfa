/** What hostile requests are made of: bodies as large as the limits allow, and what has to be there before. */
import type { Client, Json } from "../app/app.testing.ts";
import { DEFINITIONS } from "../app/app.testing.ts";

export interface HostileRequest {
  readonly name: string;
  /** What has to be there before. Made once for all requests that ask for it. */
  readonly needs?: Preparation;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  readonly body?: () => string | Uint8Array<ArrayBuffer>;
  /** There is nothing at the path. */
  readonly isMissing?: boolean;
}

export type Preparation = (api: Client) => Promise<void>;

/** Of bodies, in bytes. */
export const LIMIT = 3 * 1024 * 1024;

/** As many items as fit into a body, at most so many. */
export function many(count: number, make: (index: number) => unknown): string {
  const parts: string[] = [];
  for (let [index, length] = [0, 0]; index < count && length < LIMIT - 4096; index++) {
    const part = JSON.stringify(make(index));
    parts.push(part);
    length += part.length + 1;
  }
  return `[${parts.join(",")}]`;
}

export function manyKeys(count: number, key: (index: number) => string, value: unknown = ""): string {
  const parts: string[] = [];
  const text = JSON.stringify(value);
  for (let [index, length] = [0, 0]; index < count && length < LIMIT - 4096; index++) {
    const part = `${JSON.stringify(key(index))}:${text}`;
    parts.push(part);
    length += part.length + 1;
  }
  return `{${parts.join(",")}}`;
}

export const NAMESPACE = "/api/v1/namespaces/default";
export const THINGS = "/apis/hostile.example.com/v1/namespaces/default/things";

/** An object of a built-in kind, with a part that is text already. */
export const object = (apiVersion: string, kind: string, rest: string): string =>
  `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a"},${rest}}`;

export const withMeta = (kind: string, meta: string): string =>
  `{"apiVersion":"v1","kind":"${kind}","metadata":{"name":"a",${meta}}}`;

export const podSpec = (container: string, rest = ""): string =>
  `{"containers":[{"name":"c","image":"i"${container}}]${rest}}`;

export const pod = (container: string, rest = ""): string => object("v1", "Pod", `"spec":${podSpec(container, rest)}`);

export const thing = (spec: string): string => object("hostile.example.com/v1", "Thing", `"spec":${spec}`);

export const create = (path: string, name: string, body: () => string, needs?: Preparation): HostileRequest => ({
  name,
  method: "POST",
  path: `${path}?dryRun=All`,
  body,
  ...(needs && { needs }),
});

export const inPod = (name: string, container: () => string, rest?: () => string): HostileRequest =>
  create(`${NAMESPACE}/pods`, `Pod: ${name}`, () => pod(container(), rest?.()));

export const inMap = (name: string, meta: () => string): HostileRequest =>
  create(`${NAMESPACE}/configmaps`, `metadata: ${name}`, () => withMeta("ConfigMap", meta()));

export const inThing = (name: string, spec: () => string): HostileRequest =>
  create(THINGS, `custom resource: ${name}`, () => thing(spec()), defineThings);

export const inGroup = (
  group: string,
  kind: string,
  plural: string,
  what: string,
  rest: () => string,
): HostileRequest => {
  const [, version = ""] = group.split("/");
  const path = version === "" ? `/api/${group}` : `/apis/${group}`;
  const place = CLUSTER_SCOPED.has(kind) ? plural : `namespaces/default/${plural}`;
  return create(`${path}/${place}`, `${kind}: ${what}`, () => object(group, kind, rest()));
};

// biome-ignore format: a table
const CLUSTER_SCOPED = new Set([
  "ClusterRole", "ClusterRoleBinding", "Node", "Namespace", "PersistentVolume", "StorageClass", "CSINode", "CSIDriver", "APIService", "CertificateSigningRequest",
  "ClusterTrustBundle", "FlowSchema", "ValidatingAdmissionPolicy", "MutatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "ValidatingWebhookConfiguration",
  "ResourceSlice", "DeviceClass", "SubjectAccessReview", "SelfSubjectRulesReview", "TokenReview",
]);

export const patch = (
  name: string,
  path: string,
  type: string,
  body: () => string,
  needs?: Preparation,
): HostileRequest => ({
  name: `${type}: ${name}`,
  method: "PATCH",
  path: `${path}?dryRun=All&fieldManager=m${type === "apply" ? "&force=true" : ""}`,
  type: type === "apply" ? "application/apply-patch+yaml" : `application/${type}+json`,
  body,
  ...(needs && { needs }),
});

export const schemaOf = (spec: Json): Json => ({
  openAPIV3Schema: { type: "object", properties: { spec } },
});

export const definition = (group: string, plural: string, spec: Json): Json => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural, kind: plural.charAt(0).toUpperCase() + plural.slice(1, -1) },
    versions: [{ name: "v1", served: true, storage: true, schema: schemaOf(spec) }],
  },
});

export const THING_SPEC: Json = {
  type: "object",
  properties: {
    numbers: { type: "array", items: { type: "integer" } },
    labels: { type: "array", items: { type: "string", maxLength: 5, pattern: "^[a-z]+$" } },
    enums: { type: "array", items: { type: "string", enum: ["a", "b", "c"] } },
    set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
    numberSet: { type: "array", items: { type: "integer" }, "x-kubernetes-list-type": "set" },
    list: {
      type: "array",
      items: {
        type: "object",
        required: ["k"],
        properties: { k: { type: "string" }, d: { type: "integer", default: 7 }, n: { type: "integer" } },
      },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
    },
    rules: {
      type: "array",
      maxItems: 100000,
      items: {
        type: "object",
        properties: { n: { type: "integer" } },
        "x-kubernetes-validations": [{ rule: "!has(self.n) || self.n > 0" }],
      },
    },
    map: { type: "object", additionalProperties: { type: "string" } },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    quantities: { type: "array", items: { "x-kubernetes-int-or-string": true } },
    dates: { type: "array", items: { type: "string", format: "date-time" } },
    choice: {
      type: "array",
      items: {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "string" } },
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
      },
    },
  },
};

/** On a busy machine the time of a request may be over while an earlier one is still under way. */
export async function define(api: Client, crd: Json): Promise<void> {
  for (let tries = 0; ; tries++) {
    const made = await api.post(DEFINITIONS, crd);
    if (made.code === 201 || made.code === 409) break;
    if (made.code !== 504 || tries === 5) throw new Error(made.text);
  }
  await api.app.settled();
}

export async function defineThings(api: Client): Promise<void> {
  await define(api, definition("hostile.example.com", "things", THING_SPEC));
  const live = await api.post(THINGS, JSON.parse(thing("{}").replace('"a"', '"live"')));
  if (live.code !== 201) throw new Error(live.text);
}

/** A CRD whose schema takes seconds to compile as a whole. */
export async function definePatterns(api: Client): Promise<void> {
  const spec = {
    type: "object",
    properties: properties(10_000, (i) => ({ type: "string", pattern: `^(a|b){1,50}${i}$` })),
  };
  await define(api, definition("patterns.example.com", "patterns", spec));
}

export const PATTERNS = "/apis/patterns.example.com/v1/namespaces/default/patterns";

/** A CRD that an update changes in 1,000 places. */
export async function defineChanging(api: Client): Promise<void> {
  await define(api, changing("string"));
}

export const changing = (type: string): Json =>
  definition("changing.example.com", "changes", { type: "object", properties: properties(1_000, () => ({ type })) });

/** A live object with a map of 100,000 keys and all that owns them. */
export async function makeLargeMap(api: Client): Promise<void> {
  const data = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, "v"]));
  const made = await api.post(`${NAMESPACE}/configmaps`, { metadata: { name: "large" }, data });
  if (made.code !== 201) throw new Error(made.text);
}

export async function makeLiveMap(api: Client): Promise<void> {
  const made = await api.post(`${NAMESPACE}/configmaps`, { metadata: { name: "live" }, data: { a: "1" } });
  if (made.code !== 201) throw new Error(made.text);
}

export const LISTED = 3_000;

export async function makeManyMaps(api: Client): Promise<void> {
  await api.post("/api/v1/namespaces", { metadata: { name: "many" } });
  const data = { text: "x".repeat(10_000) };
  for (let i = 0; i < LISTED; i++) {
    const labels = { app: `a${i % 7}`, tier: `t${i}` };
    const made = await api.post("/api/v1/namespaces/many/configmaps", { metadata: { name: `m${i}`, labels }, data });
    if (made.code !== 201) throw new Error(made.text);
  }
}

export const MANY_MAPS = "/api/v1/namespaces/many/configmaps";

export const list = (name: string, query: string, accept: string): HostileRequest => ({
  name: `list of ${LISTED} objects of 10 kB: ${name}`,
  needs: makeManyMaps,
  method: "GET",
  path: `${MANY_MAPS}${query}`,
  headers: { accept },
});

export const JSON_TYPE = "application/json";

export const definitionWith = (name: string, spec: () => Json): HostileRequest =>
  create(DEFINITIONS, `CustomResourceDefinition: ${name}`, () =>
    JSON.stringify(definition("other.example.com", "others", spec())),
  );

export const properties = (count: number, make: (index: number) => Json): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, make(i)]));

export const nested = (levels: number): Json =>
  levels === 0 ? { type: "string" } : { type: "object", properties: { a: nested(levels - 1) } };

export const longSum = (terms: number): string => Array.from({ length: terms }, () => "1").join("+");

export const policy = (what: string, spec: () => Json): HostileRequest =>
  inGroup("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", "validatingadmissionpolicies", what, () => {
    const matchConstraints = {
      resourceRules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] }],
    };
    return `"spec":${JSON.stringify({ matchConstraints, ...spec() })}`;
  });

export const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

export const yaml = (name: string, body: () => string): HostileRequest => ({
  name: `YAML: ${name}`,
  needs: defineThings,
  method: "POST",
  path: `${THINGS}?dryRun=All`,
  type: "application/yaml",
  body,
});

export const YAML_HEAD = "apiVersion: hostile.example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec:\n";

export const lines = (count: number, make: (index: number) => string): string => {
  let text = "";
  for (let i = 0; i < count && text.length < LIMIT - 4096; i++) text += make(i);
  return text;
};
