/** Hostile requests of long texts and numbers, of deep and of repeated structures, of selectors, headers and encodings. */
import { gzipSync } from "node:zlib";
import type { Client, Json } from "../app/app.testing.ts";
import { DEFINITIONS } from "../app/app.testing.ts";
import {
  create,
  define,
  defineThings,
  definition,
  definitionWith,
  type HostileRequest,
  inGroup,
  inMap,
  inPod,
  inThing,
  LIMIT,
  LISTED,
  lines,
  MANY_MAPS,
  makeLiveMap,
  makeManyMaps,
  many,
  manyKeys,
  NAMESPACE,
  object,
  patch,
  THINGS,
  thing,
  YAML_HEAD,
  yaml,
} from "./hostile-requests.testing.ts";

const digits = "1".repeat(2_900_000);
const letters = "x".repeat(2_900_000);
const PROTOBUF = "application/vnd.kubernetes.protobuf";

const read = (name: string, path: string, headers: Record<string, string> = {}): HostileRequest => ({
  ...{ name, method: "GET", path, headers },
});

/** Within the 8 kB or so that a request line may have. */
const selector = (make: (index: number) => string, count = 700): string =>
  encodeURIComponent(Array.from({ length: count }, (_, i) => make(i)).join(",")).slice(0, 12_000);

const manyHeaders = (part: string): string => part.repeat(Math.floor(12_000 / part.length));
const headersOf = (count: number, prefix: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, "y"]));

const gzipped = (name: string, bytes: () => Uint8Array): HostileRequest => ({
  ...create(`${NAMESPACE}/configmaps`, name, () => ""),
  headers: { "content-encoding": "gzip" },
  body: () => new Uint8Array(gzipSync(bytes(), { level: 9 })),
});

/** A field of bytes in the format of protocol buffers. */
function field(tag: number, bytes: Uint8Array): Buffer {
  const head: number[] = [(tag << 3) | 2];
  for (let rest = bytes.length; ; rest >>>= 7) {
    head.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80);
    if (rest < 0x80) return Buffer.concat([Buffer.from(head), bytes]);
  }
}

const named = (): Buffer => field(1, field(1, Buffer.from("a")));

/** The object as kube-apiserver takes it: with the kind around it. */
function envelope(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array<ArrayBuffer> {
  const typeMeta = field(1, Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))]));
  return new Uint8Array(Buffer.concat([Buffer.from("k8s\0"), typeMeta, field(2, raw)]));
}

const binary = (name: string, path: string, body: () => Uint8Array<ArrayBuffer>): HostileRequest => ({
  ...create(path, `protobuf: ${name}`, () => ""),
  ...{ type: PROTOBUF, body },
});

/** A schema in `not` of a schema, and so on: it is built from inside, and its length grows with each level. */
function deepSchema(levels: number): Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  for (let i = 0; i < levels && length < LIMIT - 4096; i++) {
    const head = field(26, Buffer.alloc(0)).subarray(0, 2);
    const size: number[] = [];
    for (let rest = length; ; rest >>>= 7) {
      size.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80);
      if (rest < 0x80) break;
    }
    const part = Buffer.concat([head.length === 2 ? Buffer.from([0xd2, 0x01]) : head, Buffer.from(size)]);
    parts.push(part);
    length += part.length;
  }
  return Buffer.concat(parts.reverse());
}

/** A kind whose rules cost as much as a CRD may. */
async function defineCostly(api: Client): Promise<void> {
  const labels = { type: "array", maxItems: 300, items: { type: "string", maxLength: 20 } };
  const rule = (letter: string): Json => ({
    rule: `self.labels.all(x, self.labels.exists(y, y == x + '${letter}' || y != x))`,
  });
  const spec = {
    type: "object",
    properties: { labels },
    "x-kubernetes-validations": Array.from("abcdefgh", rule),
  };
  await define(api, definition("costly.example.com", "costs", spec));
}

const COSTLY = "/apis/costly.example.com/v1/namespaces/default/costs";

/** Policies for config maps named `slow` that use up their budget of cost. */
async function makeSlowPolicies(api: Client): Promise<void> {
  const group = "/apis/admissionregistration.k8s.io/v1";
  const rules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }];
  const list = `[${Array.from({ length: 60 }, (_, i) => i).join(",")}]`;
  const expression = `${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c >= 0)))`;
  for (let i = 0; i < 10; i++) {
    const metadata = { name: `slow-${i}` };
    const spec = {
      matchConstraints: { resourceRules: rules },
      matchConditions: [{ name: "slow", expression: "object.metadata.name == 'slow'" }],
      validations: [{ expression }],
    };
    const made = await api.post(`${group}/validatingadmissionpolicies`, { metadata, spec });
    if (made.code !== 201) throw new Error(made.text);
    const bound = { policyName: metadata.name, validationActions: ["Deny"] };
    const binding = await api.post(`${group}/validatingadmissionpolicybindings`, { metadata, spec: bound });
    if (binding.code !== 201) throw new Error(binding.text);
  }
  await api.app.settled();
}

/** Each copy doubles what was there. */
const doublings = (count: number): string =>
  JSON.stringify([
    { op: "add", path: "/spec/free", value: { a: ["x".repeat(1_000)] } },
    ...Array.from({ length: count }, () => ({ op: "copy", from: "/spec/free/a", path: "/spec/free/a/-" })),
  ]);

const laughs = (levels: number): string => {
  const line = (i: number): string =>
    i === 0
      ? "    k0: &a0 [x, x]\n"
      : `    k${i}: &a${i} [${Array.from({ length: 9 }, () => `*a${i - 1}`).join(", ")}]\n`;
  return Array.from({ length: levels }, (_, i) => line(i)).join("");
};

// biome-ignore format: a table
export const textRequests: readonly HostileRequest[] = [
  inThing("an integer of 3 MB", () => `{"numbers":[${digits}]}`),
  inThing("a fraction of 3 MB", () => `{"numbers":[0.${digits}]}`),
  inThing("a free number of 3 MB", () => `{"free":{"a":${digits}}}`),
  inThing("100,000 numbers with large exponents", () => `{"free":{"a":[${lines(100_000, () => "1e308,")}1e-300]}}`),
  inThing("a million opening brackets", () => `{"free":${"[".repeat(1_000_000)}`),
  inThing("a million levels of lists", () => `{"free":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`),
  inThing("a text of 2.9 MB that does not match", () => `{"labels":["${letters}"]}`),
  inThing("a date of 2.9 MB", () => `{"dates":["2026-01-01T00:00:00.${digits}Z"]}`),
  inThing("a quantity of 2.9 MB", () => `{"quantities":["${digits}"]}`),
  inThing("a text of 400,000 escapes", () => `{"free":{"a":"${"\\ud83d\\ude00".repeat(200_000)}"}}`),
  inThing("an unknown key of 2.9 MB", () => `{"${letters}":1}`),
  inPod("a limit of 2.9 million digits", () => `,"resources":{"limits":{"cpu":"${digits}"}}`),
  inPod("a limit of 2.9 million digits after the point", () => `,"resources":{"limits":{"memory":"1.${digits}Gi"}}`),
  inPod("a limit with a large exponent", () => `,"resources":{"limits":{"cpu":"1e${"9".repeat(1_000_000)}"}}`),
  inPod("an image of 2.9 MB", () => `,"imagePullPolicy":"${letters}"`),
  inPod("an argument with 900,000 references", () => `,"args":["${"$(A".repeat(900_000)}"]`),
  inPod("an address of 2.9 MB", () => "", () => `,"hostAliases":[{"ip":"${"1:".repeat(1_400_000)}"}],"dnsConfig":{"nameservers":["${"1.".repeat(10_000)}"]}`),
  inMap("a label of 2.9 MB", () => `"labels":{"${letters}":"a"}`),
  inMap("the value of a label of 2.9 MB", () => `"labels":{"a":"${letters}"}`),
  inMap("a name of 2.9 MB", () => `"generateName":"${letters}"`),
  inMap("an annotation key of 2.9 MB", () => `"annotations":{"${"a/".repeat(1_400_000)}":"a"}`),
  inMap("a field path of 2.9 MB", () => `"managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"k:{\\"a\\":\\"${letters}\\"}":{}}}]`),
  inMap("managed fields of 9,000 levels", () => `"managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":${'{"f:a":'.repeat(9_000)}{}${"}".repeat(9_000)}}]`),
  inMap("managed fields of 400,000 levels", () => `"managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":${'{"f:a":'.repeat(400_000)}{}${"}".repeat(400_000)}}]`),
  inMap("managed fields with 60,000 keys of lists", () => `"managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:a":${manyKeys(60_000, (i) => `k:{"b":${i},"a":"${i}"}`, {})}}}]`),
  inGroup("batch/v1", "CronJob", "cronjobs", "a schedule of 2.9 MB", () => `"spec":{"schedule":"${"1,".repeat(1_400_000)}1 * * * *","jobTemplate":{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i"}],"restartPolicy":"Never"}}}}}`),
  inGroup("batch/v1", "CronJob", "cronjobs", "a time zone of 2.9 MB", () => `"spec":{"schedule":"* * * * *","timeZone":"${letters}","jobTemplate":{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i"}],"restartPolicy":"Never"}}}}}`),
  inGroup("networking.k8s.io/v1", "Ingress", "ingresses", "a path of 2.9 MB", () => `"spec":{"rules":[{"host":"${letters.slice(0, 100_000)}","http":{"paths":[{"path":"/${"../".repeat(900_000)}","pathType":"Exact","backend":{"service":{"name":"s","port":{"number":1}}}}]}}]}`),
  definitionWith("a pattern of 500,000 groups", () => ({ type: "string", pattern: `${"(a|".repeat(500_000)}b${")".repeat(500_000)}` })),
  definitionWith("a pattern of 500,000 alternatives", () => ({ type: "string", pattern: Array.from({ length: 400_000 }, (_, i) => `a${i}`).join("|") })),
  definitionWith("a pattern that repeats repetitions", () => ({ type: "string", pattern: "((a{1,30}){1,30})" })),
  definitionWith("a description of 2.9 MB", () => ({ type: "string", description: letters })),
  definitionWith("a default of 100,000 items", () => ({ type: "array", items: { type: "object", properties: { a: { type: "string", default: "x" } } }, default: Array.from({ length: 100_000 }, () => ({})) })),
  definitionWith("50 sections with an anyOf of 2,000", () => ({ type: "object", properties: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`p${i}`, { type: "string", anyOf: Array.from({ length: 2_000 }, (_, j) => ({ enum: [`e${j}`] })) }])) })),
  definitionWith("a rule of 100,000 characters", () => ({ type: "string", "x-kubernetes-validations": [{ rule: `self != '${"x".repeat(100_000)}'` }] })),
  definitionWith("3,000 rules at one place", () => ({ type: "object", properties: { a: { type: "integer" } }, "x-kubernetes-validations": Array.from({ length: 3_000 }, (_, i) => ({ rule: `self.a > ${i} || (has(self.a) && self.a + ${i} < 5)`, messageExpression: "'no ' + string(self.a)" })) })),
  definitionWith("a rule with 40 nested comprehensions", () => ({ type: "array", maxItems: 2, items: { type: "integer" }, "x-kubernetes-validations": [{ rule: `${Array.from({ length: 40 }, (_, i) => `self.all(x${i}, `).join("")}true${")".repeat(40)}` }] })),
  definitionWith("rules on a schema of 5,000 fields", () => ({ type: "object", properties: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`p${i}`, { type: "string" }])), "x-kubernetes-validations": Array.from({ length: 50 }, (_, i) => ({ rule: `self.p${i} != 'a'` })) })),
  create(COSTLY, "custom resource: rules that use their budget", () => object("costly.example.com/v1", "Cost", `"spec":{"labels":${many(300, (i) => `w${i}`)}}`), defineCostly),
  create(`${NAMESPACE}/configmaps`, "a small object under 10 policies that use their budget", () => JSON.stringify({ metadata: { name: "slow" } }), makeSlowPolicies),
  patch("25 copies that double", `${THINGS}/live`, "json-patch", () => doublings(25), defineThings),
  patch("10,000 operations that append", `${THINGS}/live`, "json-patch", () => JSON.stringify([{ op: "add", path: "/spec/numbers", value: [] }, ...Array.from({ length: 9_990 }, (_, i) => ({ op: "add", path: "/spec/numbers/-", value: i }))]), defineThings),
  patch("a path of 2.9 MB", `${THINGS}/live`, "json-patch", () => JSON.stringify([{ op: "add", path: `/spec${"/a".repeat(1_000_000)}`, value: 1 }]), defineThings),
  patch("9,000 levels", `${THINGS}/live`, "merge-patch", () => `{"spec":{"free":${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}}}`, defineThings),
  patch("9,000 levels", `${THINGS}/live`, "apply", () => thing(`{"free":${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}}`).replace('"a"', '"live"'), defineThings),
  patch("100,000 items of a list in a large flow", `${THINGS}/live`, "apply", () => thing(`{"list":${many(100_000, (i) => ({ k: `${"k".repeat(10)}${i}`, d: i }))}}`).replace('"a"', '"live"'), defineThings),
  patch("a name that is not there, 300,000 keys", `${NAMESPACE}/configmaps/live`, "merge-patch", () => `{"metadata":{"annotations":${manyKeys(200_000, (i) => `k${i}`, "")}}}`, makeLiveMap),
  yaml("aliases that multiply", () => `${YAML_HEAD}  free:\n${laughs(12)}`),
  yaml("100,000 aliases of one text", () => `${YAML_HEAD}  free:\n    a: &a ${"x".repeat(100)}\n${lines(100_000, (i) => `    k${i}: *a\n`)}`),
  yaml("100,000 merges", () => `${YAML_HEAD}  free:\n    a: &a {b: c}\n${lines(100_000, (i) => `    k${i}: {<<: *a}\n`)}`),
  yaml("100,000 opening brackets", () => `${YAML_HEAD}  free: ${"[".repeat(100_000)}`),
  yaml("5,000 levels by indentation", () => `${YAML_HEAD}  free:\n${Array.from({ length: 1_500 }, (_, i) => `${" ".repeat(4 + i)}a:\n`).join("")}`),
  yaml("300,000 documents", () => `${YAML_HEAD}  map: {}\n${"---\n".repeat(300_000)}`),
  yaml("300,000 comments", () => `${YAML_HEAD}  map: {}\n${"# c\n".repeat(600_000)}`),
  yaml("300,000 tags", () => `${YAML_HEAD}  free:\n${lines(200_000, (i) => `    k${i}: !!str 1\n`)}`),
  yaml("a million blanks", () => `${YAML_HEAD}  map: {a: b${" ".repeat(2_900_000)}}\n`),
  yaml("a complex key of 100,000 questions", () => `${YAML_HEAD}  free:\n    ${"? ".repeat(100_000)}a\n`),
  gzipped("gzip of 1 GB in 1 MB", () => Buffer.alloc(1 << 30)),
  gzipped("gzip of 2.9 MB of one text", () => Buffer.from(`{"metadata":{"name":"a"},"data":{"a":"${letters}"}}`)),
  binary("100,000 keys", `${NAMESPACE}/configmaps`, () => envelope("v1", "ConfigMap", Buffer.concat([named(), ...Array.from({ length: 150_000 }, (_, i) => field(2, Buffer.concat([field(1, Buffer.from(`k${i}`)), field(2, Buffer.from("v"))])))]))),
  binary("a million empty containers", `${NAMESPACE}/pods`, () => envelope("v1", "Pod", Buffer.concat([named(), field(2, Buffer.concat(Array.from({ length: 1_000_000 }, () => Buffer.from([0x12, 0]))))]))),
  binary("500,000 levels of a schema", DEFINITIONS, () => envelope("apiextensions.k8s.io/v1", "CustomResourceDefinition", Buffer.concat([named(), field(2, field(7, Buffer.concat([field(1, Buffer.from("v1")), field(4, field(1, deepSchema(500_000)))])))]))),
  binary("a length that is not there", `${NAMESPACE}/configmaps`, () => envelope("v1", "ConfigMap", Buffer.concat([named(), Buffer.from([0x12, 0xff, 0xff, 0xff, 0xff, 0x7f])]))),
  read(`list of ${LISTED} by 700 fields`, `${MANY_MAPS}?fieldSelector=${selector((i) => `metadata.name!=n${i}`, 300)}`),
  read(`list of ${LISTED} by 700 labels that are not there`, `${MANY_MAPS}?labelSelector=${selector((i) => `!k${i}`)}`),
  read(`list of ${LISTED} by one long set`, `${MANY_MAPS}?labelSelector=${selector((i) => (i === 0 ? "tier in (a" : `b${i}`))})`),
  { ...read(`list of ${LISTED} with a deep limit`, `${MANY_MAPS}?limit=2999&pretty=true`), needs: makeManyMaps },
  read("a continue token of 8 kB", `${MANY_MAPS}?continue=${"eyJ2IjoibWV0YS5rOHMuaW8vdjEi".repeat(300)}`),
  read("3,000 parameters", `${MANY_MAPS}?limit=1&${Array.from({ length: 2_000 }, (_, i) => `a${i}`).join("&")}`),
  read("8 kB of media types", `${MANY_MAPS}?limit=1`, { accept: manyHeaders("application/json;q=0.1,") }),
  read("8 kB of parameters of a media type", `${MANY_MAPS}?limit=1`, { accept: `application/json;${manyHeaders('a="b";')}` }),
  read("8 kB of encodings", `${MANY_MAPS}?limit=1`, { "accept-encoding": manyHeaders("gzip;q=0.1,") }),
  read("8 kB of a token", `${MANY_MAPS}?limit=1`, { "x-remote-user": manyHeaders("a."), "impersonate-user": "u", "impersonate-group": manyHeaders("g,") }),
  read("20,000 headers", `${MANY_MAPS}?limit=1`, headersOf(20_000, "x-")),
  read("20,000 headers of impersonation", `${MANY_MAPS}?limit=1`, { "impersonate-user": "u", ...headersOf(20_000, "impersonate-extra-") }),
];
