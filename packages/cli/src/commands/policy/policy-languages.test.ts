/** Policies of Kyverno and Gatekeeper: converted, tested and compared. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../commands.testing.ts";
import { policyTest } from "../test.ts";
import { policyConvert } from "./policy-convert.ts";
import { policyParity } from "./policy-parity.ts";

const KYVERNO = `apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: no-latest}
spec:
  validationActions: [Deny]
  evaluation: {background: {enabled: true}}
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  validations:
  - {expression: "object.spec.containers.all(c, !c.image.endsWith(':latest'))", message: no latest}
`;
const EXCEPTION = `---
apiVersion: policies.kyverno.io/v1
kind: PolicyException
metadata: {name: labs}
spec:
  policyRefs: [{name: no-latest, kind: ValidatingPolicy}]
  matchConditions: [{name: labs, expression: "object.metadata.namespace == 'labs'"}]
`;
const POD = (name: string, tag: string, namespace = "shop"): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {containers: [{name: c, image: "r/i:${tag}"}]}\n`;

describe("kyverno", () => {
  test("a policy becomes three: for pods, for workloads and for cron jobs", async () => {
    const { code, stdout, stderr } = await runCommand(policyConvert, ["@/p.yaml"], { "p.yaml": KYVERNO });
    expect(code).toBe(0);
    expect(stdout.match(/kind: ValidatingAdmissionPolicy\n/g)).toHaveLength(3);
    expect(stdout).toContain("object.spec.template.spec.containers.all(c,");
    expect(stdout).toContain("object.spec.jobTemplate.spec.template.spec.containers.all(c,");
    expect(stderr).toContain("no-latest: spec.evaluation: existing objects are not evaluated in the background");
  });

  const rule = (name: string, match: string, expression: string, more = ""): string =>
    `  - name: ${name}\n    match: ${match}\n    validate: {cel: {expressions: [{expression: "${expression}"}]}}\n${more}`;
  const cluster = (rules: string, annotations = "{}"): string =>
    `apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: all, annotations: ${annotations}}\nspec:\n  validationFailureAction: Enforce\n  rules:\n${rules}`;
  const ofPods = "{any: [{resources: {kinds: [Pod], operations: [CREATE]}}]}";
  const noLatest = "object.spec.containers.all(c, !c.image.endsWith(':latest'))";

  test("each CEL rule of a ClusterPolicy becomes a policy", async () => {
    const patterns = "  - name: pattern\n    match: {any: []}\n    validate: {pattern: {}}\n";
    const byUser = rule("by-user", "{any: [{subjects: [{kind: User, name: u}]}]}", "true");
    const policy = cluster(rule("No Latest", ofPods, noLatest) + patterns + byUser);
    const { stdout, stderr } = await runCommand(policyConvert, ["@/p.yaml"], { "p.yaml": policy });
    expect(stdout.match(/kind: ValidatingAdmissionPolicy\n {0,2}metadata:\n {2}name: \S+/g)).toEqual(
      ["all.no-latest", "all.no-latest-autogen-defaults", "all.no-latest-autogen-cronjobs"].map(
        (name) => `kind: ValidatingAdmissionPolicy\nmetadata:\n  name: ${name}`,
      ),
    );
    expect(stderr).toContain("all: spec.rules[1]: the rule is not in CEL");
    expect(stderr).toContain("all: spec.rules[2]: a filter by subjects cannot be converted");
  });

  test.each([
    { match: "{any: [{resources: {kinds: [ConfigMap]}}]}", results: ["fail", "fail"] },
    { match: "{any: [{resources: {kinds: [v1/ConfigMap]}}]}", results: ["fail", "fail"] },
    { match: "{any: [{resources: {kinds: [v2/ConfigMap]}}]}", results: ["skip", "skip"] },
    { match: "{any: [{resources: {kinds: [apps/*/ConfigMap]}}]}", results: ["skip", "skip"] },
    { match: "{resources: {kinds: ['*/*Map']}}", results: ["fail", "fail"] },
    { match: "{any: [{resources: {kinds: [Secret]}}, {resources: {names: ['b?']}}]}", results: ["skip", "fail"] },
    { match: "{all: [{resources: {kinds: [ConfigMap]}}, {resources: {names: [c]}}]}", results: ["fail", "skip"] },
    { match: "{resources: {name: c.d}}", results: ["skip", "skip"] },
    { match: "{resources: {namespaces: ['te*']}}", results: ["fail", "skip"] },
    { match: "{resources: {selector: {matchLabels: {app: 'w*'}}}}", results: ["fail", "skip"] },
    { match: "{resources: {selector: {matchExpressions: [{key: app, operator: Exists}]}}}", results: ["fail", "skip"] },
    {
      match: "{resources: {selector: {matchExpressions: [{key: app, operator: NotIn, values: [web]}]}}}",
      results: ["skip", "fail"],
    },
    { match: "{resources: {operations: [UPDATE]}}", results: ["skip", "skip"] },
    {
      match: "{resources: {kinds: [ConfigMap]}}",
      more: "    exclude: {any: [{resources: {namespaces: [team]}}]}\n",
      results: ["skip", "fail"],
    },
    {
      match: "{resources: {kinds: [ConfigMap]}}",
      more: "    celPreconditions: [{name: p, expression: \"object.metadata.name == 'c'\"}]\n",
      results: ["fail", "skip"],
    },
  ])("a rule of a ClusterPolicy matches by $match", async ({ match, more, results }) => {
    const map = (name: string, namespace: string, labels: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: ${namespace}, labels: ${labels}}\n`;
    const [one, other] = results;
    const { code, stdout } = await runCommand(policyTest, ["@/t.yaml"], {
      "t.yaml": `apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: t}\npolicies: [p.yaml]\nresources: [r.yaml]\nresults:\n- {policy: all, rule: r, resources: [c], result: ${one}}\n- {policy: all, rule: r, resources: [bd], result: ${other}}\n`,
      "p.yaml": cluster(rule("r", match, "false", more) + rule("other", "{resources: {kinds: [ConfigMap]}}", "true")),
      "r.yaml": `${map("c", "team", "{app: web}")}---\n${map("bd", "shop", "{}")}`,
    });
    expect(stdout).toContain("2 passed, 0 failed");
    expect(code).toBe(0);
  });

  test("rules about pods are about their controllers, unless an annotation says otherwise", async () => {
    const deployment = `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: shop}\nspec: {selector: {}, template: {spec: {containers: [{name: c, image: "r/i:latest"}]}}}\n`;
    const run = async (annotations: string, rules: string, result: string) => {
      const { stdout } = await runCommand(policyTest, ["@/t.yaml"], {
        "t.yaml": `apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: t}\npolicies: [p.yaml]\nresources: [r.yaml]\nresults: [{policy: all, rule: ${rules}, kind: Deployment, resources: [d], result: ${result}}]\n`,
        "p.yaml": cluster(rule("r", ofPods, noLatest), annotations),
        "r.yaml": deployment,
      });
      return stdout;
    };
    expect(await run("{}", "r", "fail")).toContain("1 passed");
    expect(await run("{}", "autogen-r", "fail")).toContain("1 passed");
    const none = "{pod-policies.kyverno.io/autogen-controllers: none}";
    expect(await run(none, "r", "skip")).toContain("1 passed");
    const some = "{pod-policies.kyverno.io/autogen-controllers: 'StatefulSet,Deployment'}";
    expect(await run(some, "r", "fail")).toContain("1 passed");
    expect(await run("{}", "none-such", "fail")).toContain("1 skipped");
  });

  test("functions that Kubernetes does not have are reported", async () => {
    const policy = KYVERNO.replace("object.spec.containers", "resource.List('v1', 'pods', '').items");
    const { code, stderr } = await runCommand(policyConvert, ["@/p.yaml"], { "p.yaml": policy });
    expect(code).toBe(1);
    expect(stderr).toContain("undeclared reference to 'resource'");
  });

  test("its tests run, with exceptions and generated policies", async () => {
    const deployment = `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: shop}\nspec: {selector: {}, template: {spec: {containers: [{name: c, image: "r/i:latest"}]}}}\n`;
    const result = (kind: string, name: string, expected: string): string =>
      `- {policy: no-latest, kind: ${kind}, resources: [${name}], result: ${expected}, isValidatingPolicy: true}\n`;
    const { code, stdout } = await runCommand(policyTest, ["@/t.yaml"], {
      "t.yaml": `apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: t}\npolicies: [p.yaml]\nexceptions: [e.yaml]\nresources: [r.yaml]\nresults:\n${result("Pod", "good", "pass")}${result("Pod", "bad", "fail")}${result("Pod", "lab", "skip")}${result("Deployment", "d", "fail")}`,
      "p.yaml": KYVERNO,
      "e.yaml": EXCEPTION.slice(4),
      "r.yaml": [POD("good", "1"), POD("bad", "latest"), POD("lab", "latest", "labs"), deployment].join("---\n"),
    });
    expect(stdout).toContain("4 passed, 0 failed");
    expect(code).toBe(0);
  });

  test("a mutated object contains what the test expects", async () => {
    const policy = `apiVersion: policies.kyverno.io/v1
kind: MutatingPolicy
metadata: {name: team}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}
  mutations: [{patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'team': 'a'}}]"}}]
`;
    const map = (rest: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: shop${rest}}\n`;
    const files = (team: string) => ({
      "t.yaml": `apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: t}\npolicies: [p.yaml]\nresources: [r.yaml]\nresults: [{policy: team, kind: ConfigMap, resources: [c], patchedResources: x.yaml, result: pass}]\n`,
      "p.yaml": policy,
      "r.yaml": map(""),
      "x.yaml": map(`, labels: {team: ${team}}`),
    });
    expect((await runCommand(policyTest, ["@/t.yaml"], files("a"))).code).toBe(0);
    const { code, stdout } = await runCommand(policyTest, ["@/t.yaml"], files("b"));
    expect(stdout).toContain('expected stored.metadata.labels.team "b", got "a"');
    expect(code).toBe(1);
  });
});

const TEMPLATE = `apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: {name: k8smaxreplicas}
spec:
  crd: {spec: {names: {kind: K8sMaxReplicas}}}
  targets:
  - target: admission.k8s.gatekeeper.sh
    code:
    - engine: K8sNativeValidation
      source:
        validations:
        - expression: "!has(variables.anyObject.spec.replicas) || variables.anyObject.spec.replicas <= variables.params.max"
          message: too many replicas
`;
const CONSTRAINT = `apiVersion: constraints.gatekeeper.sh/v1beta1
kind: K8sMaxReplicas
metadata: {name: few}
spec:
  match: {kinds: [{apiGroups: [apps], kinds: [Deployment]}], excludedNamespaces: ["kube-*"]}
  parameters: {max: 3}
`;
const DEPLOYMENT = (name: string, replicas: number, namespace: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {replicas: ${replicas}, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}\n`;

test("gator tests of K8sNativeValidation run, with match rules and parameters", async () => {
  const one = (name: string, file: string, violations: string): string =>
    `  - {name: ${name}, object: ${file}, assertions: [{violations: ${violations}}]}\n`;
  const { code, stdout } = await runCommand(policyTest, ["@/s.yaml"], {
    "s.yaml": `apiVersion: test.gatekeeper.sh/v1alpha1\nkind: Suite\ntests:\n- name: replicas\n  template: t.yaml\n  constraint: c.yaml\n  cases:\n${one("few", "few.yaml", "no")}${one("many", "many.yaml", "1")}${one("system", "system.yaml", "no")}`,
    "t.yaml": TEMPLATE,
    "c.yaml": CONSTRAINT,
    "few.yaml": DEPLOYMENT("few", 3, "shop"),
    "many.yaml": DEPLOYMENT("many", 4, "shop"),
    "system.yaml": DEPLOYMENT("system", 9, "kube-system"),
  });
  expect(stdout).toContain("3 passed, 0 failed");
  expect(code).toBe(0);
});

const POLICY = (limit: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]}
  validations: [{expression: "object.spec.replicas ${limit}", message: too many}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: replicas}
spec: {policyName: replicas, validationActions: [Deny]}
`;

describe("parity", () => {
  test("of two sets of policies is proved, or refuted by a request", async () => {
    const files = { "a.yaml": POLICY("<= 5"), "b.yaml": POLICY("< 6"), "c.yaml": POLICY("< 5") };
    const alike = await runCommand(policyParity, ["@/a.yaml", "@/b.yaml", "--budget", "30"], files);
    expect(alike).toMatchObject({ code: 0, stdout: "only B denies: none (proved)\nonly A denies: none (proved)\n" });
    const other = await runCommand(policyParity, ["@/a.yaml", "@/c.yaml", "--budget", "30"], files);
    expect(other.code).toBe(1);
    expect(other.stdout).toContain('"replicas": 5');
  });

  test("of a Kyverno policy and its conversion is proved", async () => {
    const policy = KYVERNO.replace(
      "  matchConstraints",
      "  autogen: {podControllers: {controllers: []}}\n  matchConstraints",
    );
    const { stdout } = await runCommand(policyConvert, ["@/p.yaml"], { "p.yaml": policy });
    const files = { "p.yaml": policy, "v.yaml": stdout };
    expect(await runCommand(policyParity, ["@/p.yaml", "@/v.yaml", "--budget", "30"], files)).toMatchObject({
      code: 0,
    });
  });
});

describe("parity with a webhook", () => {
  let server: Server;
  let limit = 5;
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (part) => {
        body += part;
      });
      request.on("end", () => {
        const { replicas } = JSON.parse(body).request.object.spec;
        response.end(JSON.stringify({ response: { allowed: replicas <= limit } }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => server.close());

  const run = () => {
    const { port } = server.address() as AddressInfo;
    const args = ["@/a.yaml", "--webhook", `http://127.0.0.1:${port}/`, "--budget", "30"];
    return runCommand(policyParity, args, { "a.yaml": POLICY("<= 5") });
  };

  test.each([4, 6, 0, 100])("a webhook with the limit %i is found out", async (other) => {
    limit = other;
    const { code, stdout } = await run();
    expect(stdout).toContain("disagreement: the");
    expect(code).toBe(1);
  });

  test("one that decides alike is not", async () => {
    limit = 5;
    const { code, stdout } = await run();
    expect(stdout).toMatch(/^no disagreement in [1-9][0-9]* requests\n$/);
    expect(code).toBe(0);
  });
});
