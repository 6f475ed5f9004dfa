/** CRDs and params for attacks on proofs: versions with different schemas, a conversion webhook, scale, numbers. */

interface Version {
  readonly name: string;
  readonly spec: object;
  readonly subresources?: object;
}

const crd = (kind: string, versions: readonly Version[], more: object = {}): object => {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.attack.example.com` },
    spec: {
      group: "attack.example.com",
      scope: "Namespaced",
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: versions.map(({ name, spec, subresources = {} }, at) => ({
        name,
        served: true,
        storage: at === 0,
        subresources,
        schema: {
          openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: spec } } },
        },
      })),
      ...more,
    },
  };
};

const SCALE = { scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } };
const WEBHOOK = {
  strategy: "Webhook",
  webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https://127.0.0.1:1/convert" } },
};
const TEXT = { type: "string" };
const INT = { type: "integer" };

export const ATTACK_CRDS: readonly object[] = [
  crd("Dual", [
    { name: "v1", spec: { a: { type: "integer", maximum: 100 }, b: TEXT, s: TEXT, only: TEXT } },
    {
      name: "v1beta1",
      spec: {
        a: { type: "integer", maximum: 10 },
        b: { type: "string", default: "x" },
        s: { ...TEXT, enum: ["p", "q"] },
      },
    },
  ]),
  crd(
    "Hook",
    [
      { name: "v1", spec: { a: INT } },
      { name: "v2", spec: { a: INT } },
    ],
    { conversion: WEBHOOK },
  ),
  crd("Part", [
    { name: "v1", spec: { replicas: INT }, subresources: SCALE },
    { name: "v1beta1", spec: { replicas: INT }, subresources: SCALE },
  ]),
  crd("Number", [
    {
      name: "v1",
      spec: {
        i: INT,
        even: { type: "integer", multipleOf: 2 },
        f: { type: "number" },
        l: { type: "array", items: TEXT },
        ints: { type: "array", items: INT },
        s: TEXT,
        m: { type: "object", additionalProperties: TEXT },
        any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        nulls: { type: "array", items: { type: "string", nullable: true } },
        when: { type: "string", format: "date-time" },
        ip: TEXT,
      },
    },
  ]),
];

const param = (name: string, data: object, labels: object = {}, namespace = "pp-a"): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace, labels },
  data,
});

/** Two params that a selector finds, one without data, and one of the same name in another namespace. */
export const ATTACK_PARAMS: readonly object[] = [
  param("low", { max: "3" }, { set: "limits" }),
  param("high", { max: "5" }, { set: "limits" }),
  param("empty", {}, { set: "broken" }),
  param("low", { max: "7" }, {}, "pp-b"),
];
