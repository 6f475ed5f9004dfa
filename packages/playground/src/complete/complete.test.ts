import { describe, expect, test } from "vitest";
import type { Field } from "../modes.ts";
import { EMPTY_STATE } from "../state.ts";
import { Completer } from "./complete.ts";

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
    - name: v1
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [size]
              properties:
                size: {type: integer, description: How large it is.}
                mode: {type: string, enum: [fast, slow]}
                hosts:
                  type: array
                  items: {type: object, properties: {name: {type: string}, port: {type: integer}}}
                tags: {type: object, additionalProperties: {type: string}}
              x-kubernetes-validations:
                - rule: RULE
                - rule: "true"
`;
const OBJECT = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n";
const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  variables:
    - name: containers
      expression: object.spec.template.spec.containers
  validations:
    - expression: RULE
`;

/** `‸` is the cursor. */
function complete(
  field: Field,
  marked: string,
  others: Partial<Record<Field, string>> = {},
  completer = new Completer(),
) {
  const offset = marked.indexOf("‸");
  const texts = { ...others, [field]: marked.replace("‸", "") };
  return completer.complete({ state: { ...EMPTY_STATE, texts }, field, offset });
}

const labels = (...args: Parameters<typeof complete>): string[] =>
  (complete(...args)?.options ?? []).map(({ label }) => label);

// biome-ignore format: a table
const FIELDS: { name: string; field: Field; text: string; has: string[]; not?: string[]; others?: Partial<Record<Field, string>> }[] = [
  { name: "fields of a custom resource",      field: "object", text: `${OBJECT}spec:\n  ‸`, has: ["size", "mode", "hosts"], others: { definition: CRD } },
  { name: "fields that are present are left out",         field: "object", text: `${OBJECT}spec:\n  mode: fast\n  ‸`, has: ["size"], not: ["mode"], others: { definition: CRD } },
  { name: "fields of its items",              field: "object", text: `${OBJECT}spec:\n  hosts:\n    - name: a\n      ‸`, has: ["port"], not: ["name", "size"], others: { definition: CRD } },
  { name: "values of an enumeration",         field: "object", text: `${OBJECT}spec:\n  mode: ‸`, has: ["fast", "slow"], others: { definition: CRD } },
  { name: "metadata",                         field: "object", text: "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  ‸", has: ["name", "labels", "finalizers"], others: { definition: CRD } },
  { name: "the root",                         field: "object", text: "‸", has: ["apiVersion", "kind", "metadata"] },
  { name: "kinds of definitions",             field: "object", text: "apiVersion: example.com/v1\nkind: ‸", has: ["Widget"], not: ["Pod"], others: { definition: CRD } },
  { name: "versions that have a kind",        field: "object", text: "apiVersion: ‸\nkind: Deployment\n", has: ["apps/v1"], not: ["v1"] },
  { name: "fields of a built-in kind",        field: "object", text: "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    ‸", has: ["image", "resources"], not: ["name"] },
  { name: "values of a built-in kind",        field: "object", text: "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - imagePullPolicy: ‸", has: ["Always"] },
  { name: "flags",                            field: "object", text: "apiVersion: v1\nkind: Pod\nspec:\n  hostNetwork: ‸", has: ["true", "false"] },
  { name: "fields of a definition",           field: "definition", text: "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  ‸", has: ["group", "names", "versions"] },
  { name: "keywords of a schema",             field: "definition", text: `${CRD}                  ‸`.replace("                - rule: RULE\n                - rule: \"true\"\n                  ‸", "              ‸"), has: ["maxProperties", "x-kubernetes-map-type"] },
  { name: "keywords below items",             field: "definition", text: "kind: CustomResourceDefinition\nspec:\n  versions:\n  - schema:\n      openAPIV3Schema:\n        items:\n          ‸", has: ["type", "maxLength"] },
  { name: "types of a schema",                field: "definition", text: "kind: CustomResourceDefinition\nspec:\n  versions:\n  - schema:\n      openAPIV3Schema:\n        type: ‸", has: ["object", "array"] },
  { name: "property names are free", field: "definition", text: "kind: CustomResourceDefinition\nspec:\n  versions:\n  - schema:\n      openAPIV3Schema:\n        properties:\n          ‸", has: [] },
  { name: "fields of a policy",               field: "policy", text: "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nspec:\n  ‸", has: ["validations", "matchConstraints"] },
  { name: "values in a binding",              field: "policy", text: "kind: ValidatingAdmissionPolicyBinding\nspec:\n  validationActions:\n  - x: ‸", has: [] },
  { name: "the request",                      field: "request", text: "operation: CREATE\n‸", has: ["user", "groups"], not: ["operation"] },
  { name: "its operation",                    field: "request", text: "operation: ‸", has: ["UPDATE"] },
];

test.each(FIELDS)("$name", ({ field, text, has, not = [], others }) => {
  const found = labels(field, text, others);
  expect(found).toEqual(expect.arrayContaining(has));
  for (const each of not) expect(found).not.toContain(each);
  if (has.length === 0) expect(found).toEqual([]);
});

describe("inside expressions", () => {
  const inRule = (text: string): string[] => labels("definition", CRD.replace("RULE", `${text}‸`));
  const inPolicy = (text: string): string[] =>
    labels("policy", POLICY.replace("RULE", `${text}‸`), { object: "apiVersion: apps/v1\nkind: Deployment\n" });

  // biome-ignore format: a table
  test.each([
    { name: "variables and functions",         found: () => inRule("se"),                        has: ["self", "oldSelf", "has", "size"], not: ["startsWith"] },
    { name: "fields of self, and macros",      found: () => inRule("self."),                     has: ["size", "hosts"], not: ["startsWith"] },
    { name: "functions of strings",                found: () => inRule("self.mode."),                has: ["startsWith", "matches"], not: ["all"] },
    { name: "functions of lists",                found: () => inRule("self.hosts."),               has: ["all", "exists"], not: ["startsWith"] },
    { name: "an item by its index",            found: () => inRule("self.hosts[0]."),            has: ["name", "port"] },
    { name: "the variable of a macro",         found: () => inRule("self.hosts.all(h, h."),      has: ["name", "port"], not: ["size_"] },
    { name: "keys of a map",                   found: () => inRule("self.tags.all(k, k."),       has: ["startsWith"], not: ["name"] },
    { name: "nothing inside a string",           found: () => inRule("self.mode == 'f"),           has: [] },
    { name: "nothing behind a number",         found: () => inRule("self.size > 1."),            has: [] },
    { name: "the object of a policy",          found: () => inPolicy("object.spec."),            has: ["replicas", "template"] },
    { name: "the variables of a policy",       found: () => inPolicy("variables."),              has: ["containers"] },
    { name: "the request in a policy",         found: () => inPolicy("request."),                has: ["operation", "userInfo"] },
  ])("$name", ({ found, has, not = [] }) => {
    const all = found();
    expect(all).toEqual(expect.arrayContaining(has));
    for (const each of not) expect(all).not.toContain(each);
    if (has.length === 0) expect(all).toEqual([]);
  });

  test("a bare expression completes its variables", () => {
    expect(labels("expression", "re‸", { variables: "request: {}\nlimit: 1\n" })).toEqual(
      expect.arrayContaining(["request", "limit", "quantity"]),
    );
  });

  test("the last readable version of a CRD is remembered", () => {
    const completer = new Completer();
    labels("definition", `${CRD}‸`, {}, completer);
    const broken = CRD.replace("RULE", '"self.‸');
    expect(labels("definition", broken, {}, completer)).toContain("hosts");
  });
});

test("a key is inserted with its separator, and required keys come first", () => {
  const { options = [] } = complete("object", `${OBJECT}spec:\n  ‸`, { definition: CRD }) ?? {};
  const of = (label: string) => options.find((each) => each.label === label);
  expect(of("size")).toMatchObject({ apply: "size: ", isRequired: true, about: "How large it is." });
  expect(of("hosts")).toMatchObject({ apply: "hosts:\n    - " });
  expect(of("tags")).toMatchObject({ apply: "tags:\n    " });
});
