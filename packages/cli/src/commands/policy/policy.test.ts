import { describe, expect, test } from "vitest";
import { runCommand } from "../commands.testing.ts";
import { policy } from "./policy.ts";

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  matchConditions: [{name: not-by-root, expression: "request.userInfo.username != 'root'"}]
  variables: [{name: max, expression: "int(params.data.max)"}]
  validations:
  - expression: object.spec.replicas <= variables.max
    messageExpression: "'at most ' + string(variables.max)"
  - expression: "!has(oldObject.spec) || object.spec.replicas >= oldObject.spec.replicas"
    message: never fewer
    reason: Forbidden
  auditAnnotations: [{key: replicas, valueExpression: string(object.spec.replicas)}]
`;
const BINDING = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: replicas}
spec: {policyName: replicas, validationActions: [Deny], paramRef: {name: limits, parameterNotFoundAction: Deny}}
`;
const PARAMS = `apiVersion: v1
kind: ConfigMap
metadata: {name: limits}
data: {max: "3"}
`;
const deployment = (replicas: number | "", name = "web"): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  ${replicas === "" ? "" : `replicas: ${replicas}`}
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}
`;
const FILES = {
  "p/policy.yaml": POLICY.replace("!has(oldObject.spec)", "oldObject == null"),
  "p/binding.yaml": BINDING,
  "p/params.yaml": PARAMS,
};

function run(args: readonly string[], files: Readonly<Record<string, string>> = {}) {
  return runCommand(policy, args, { ...FILES, ...files });
}

describe("eval", () => {
  const evaluate = (files: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    run(["eval", "@/p", ...args], files);

  const MUTATING = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: fewer}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  reinvocationPolicy: Never
  mutations:
  - {patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{spec: Object.spec{replicas: 3}}"}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: fewer}
spec: {policyName: fewer}
`;

  test("mutating policies run first, and the changed fields are printed", async () => {
    const files = { "d.yaml": deployment(7), "p/mutating.yaml": MUTATING };
    const { stdout } = await evaluate(files, "--object", "@/d.yaml", "--explain");
    expect(stdout.split("\n").slice(0, 6)).toEqual([
      "deployment.apps/web created (server dry run)",
      "  spec.replicas: 3, it was 7",
      "  mutating policy fewer  matched: resourceRules[0] matches",
      "    binding fewer  matched: the binding adds no constraints",
      "      mutation [0] Object{spec: Object.spec{replicas: 3}} = {spec: {replicas: 3}}  (cost 80)",
      "        changes the object",
    ]);
  });

  test("a mutating policy that fails refuses the request, and validating policies do not run", async () => {
    const broken = MUTATING.replace("replicas: 3}}", "replicas: object.nope}}");
    const files = { "d.yaml": deployment(7), "p/mutating.yaml": broken };
    const { code, stdout } = await evaluate(files, "--object", "@/d.yaml");
    expect([code, stdout]).toEqual([
      1,
      `The deployments "web" is invalid: : policy 'fewer' with binding 'fewer' denied request: expression 'Object{spec: Object.spec{replicas: object.nope}}' resulted in error: no such key: nope\n`,
    ]);
  });

  test("the changed object is in the JSON output", async () => {
    const files = { "d.yaml": deployment(7), "p/mutating.yaml": MUTATING };
    const { stdout } = await evaluate(files, "--object", "@/d.yaml", "-o", "json");
    expect(JSON.parse(stdout).results[0].mutation.object.spec.replicas).toBe(3);
  });

  test("an allowed object prints kubectl's text and exits with 0", async () => {
    expect(await evaluate({ "d.yaml": deployment(3) }, "--object", "@/d.yaml")).toEqual({
      code: 0,
      stdout: "deployment.apps/web created (server dry run)\n",
      stderr: "",
    });
  });

  test("a refusal prints kubectl's text and exits with 1", async () => {
    expect(await evaluate({ "d.yaml": deployment(4) }, "--object", "@/d.yaml")).toMatchObject({
      code: 1,
      stdout:
        "The deployments \"web\" is invalid: : ValidatingAdmissionPolicy 'replicas' with binding 'replicas' denied request: at most 3\n",
    });
  });

  test("a refusal with another reason names the file", async () => {
    const files = { "d.yaml": deployment(1), "old.yaml": deployment(2) };
    const { stdout } = await evaluate(files, "--object", "@/d.yaml", "--old", "@/old.yaml");
    expect(stdout).toBe(
      "Error from server (Forbidden): error when replacing \"d.yaml\": deployments.apps \"web\" is forbidden: ValidatingAdmissionPolicy 'replicas' with binding 'replicas' denied request: never fewer\n",
    );
  });

  test("warnings come first", async () => {
    const files = { "p/binding.yaml": BINDING.replace("[Deny]", "[Warn]"), "d.yaml": deployment(4) };
    expect(await evaluate(files, "--object", "@/d.yaml")).toMatchObject({
      code: 0,
      stdout:
        "Warning: Validation failed for ValidatingAdmissionPolicy 'replicas' with binding 'replicas': at most 3\ndeployment.apps/web created (server dry run)\n",
    });
  });

  test("objects are defaulted unless --raw is given", async () => {
    const files = { "d.yaml": deployment("") };
    expect((await evaluate(files, "--object", "@/d.yaml")).code).toBe(0);
    const { stdout } = await evaluate(files, "--object", "@/d.yaml", "--raw");
    expect(stdout).toContain("no such key: replicas");
  });

  test("every object is a separate request", async () => {
    const files = { "all.yaml": `${deployment(4)}---\n${deployment(2, "b")}` };
    const { code, stdout } = await evaluate(files, "--object", "@/all.yaml");
    expect(code).toBe(1);
    expect(stdout).toContain('The deployments "web" is invalid');
    expect(stdout).toContain("deployment.apps/b created");
  });

  test("policies see the user", async () => {
    const args = ["--object", "@/d.yaml", "--as", "root"];
    expect((await evaluate({ "d.yaml": deployment(4) }, ...args)).code).toBe(0);
  });

  test("a deletion that no rule matches is not evaluated", async () => {
    const args = ["--object", "@/d.yaml", "--operation", "delete"];
    expect((await evaluate({ "d.yaml": deployment(4) }, ...args)).stdout).toBe(
      'deployment.apps "web" deleted from default namespace (server dry run)\n',
    );
  });

  test("--explain shows every step with its value and cost", async () => {
    const { stdout } = await evaluate({ "d.yaml": deployment(4) }, "--object", "@/d.yaml", "--explain");
    expect(stdout.split("\n").slice(1)).toEqual([
      "  policy replicas  matched: resourceRules[0] matches",
      "    binding replicas  matched: the binding adds no constraints",
      "      params default/limits",
      "      condition not-by-root request.userInfo.username != 'root' = true  (cost 4)",
      "      variable max = 3  (cost 4)",
      "      validation [0] object.spec.replicas <= variables.max = false  (cost 6 + 4 for variables)",
      "        fails: at most 3",
      "        object.spec.replicas = 4",
      "        variables.max = 3",
      "      validation [1] oldObject == null || object.spec.replicas >= oldObject.spec.replicas = true  (cost 2)",
      "      variable max = 3  (cost 4)",
      "      message [0] 'at most ' + string(variables.max) = \"at most 3\"  (cost 4 + 4 for variables)",
      '      annotation replicas string(object.spec.replicas) = "4"  (cost 4)',
      "  audit annotations",
      "    replicas/replicas: 4",
      "",
    ]);
  });

  test("--explain shows why a policy was not applied", async () => {
    const args = ["--object", "@/d.yaml", "--as", "root", "--explain"];
    expect((await evaluate({ "d.yaml": deployment(4) }, ...args)).stdout).toContain(
      "not applied: condition not-by-root is false",
    );
    const other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n";
    expect((await evaluate({ "c.yaml": other }, "--object", "@/c.yaml", "--explain")).stdout).toContain(
      "policy replicas  not applied: none of the resourceRules matches",
    );
  });

  test("--all lists every refusal", async () => {
    const files = { "d.yaml": deployment(4), "old.yaml": deployment(5) };
    const { stdout } = await evaluate(files, "--object", "@/d.yaml", "--old", "@/old.yaml", "--all");
    expect(stdout).toContain("also denied by replicas with binding replicas: never fewer");
  });

  test("a request file may use the short format", async () => {
    const request = `operation: UPDATE\nobject: d.yaml\noldObject: all.yaml#b\nuser: {username: bob, groups: [devs]}\n`;
    const files = {
      "r.yaml": request,
      "d.yaml": deployment(2),
      "all.yaml": `${deployment(1, "a")}---\n${deployment(3, "b")}`,
    };
    const { stdout } = await evaluate(files, "--request", "@/r.yaml");
    expect(stdout).toContain("Error from server (Forbidden)");
  });

  test("a request file may be an AdmissionReview", async () => {
    const review = {
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      request: {
        uid: "1",
        kind: { group: "apps", version: "v1", kind: "Deployment" },
        resource: { group: "apps", version: "v1", resource: "deployments" },
        name: "web",
        namespace: "default",
        operation: "CREATE",
        userInfo: { username: "bob", groups: ["devs"] },
        object: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec: { replicas: 9 } },
        oldObject: null,
        dryRun: false,
        options: { apiVersion: "meta.k8s.io/v1", kind: "CreateOptions" },
      },
    };
    const { code, stdout } = await evaluate(
      { "r.json": JSON.stringify(review) },
      "--request",
      "@/r.json",
      "-o",
      "json",
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: "PolicyEvaluation",
      allowed: false,
      results: [
        {
          request: { operation: "CREATE", user: { username: "bob", groups: ["devs"] } },
          status: { reason: "Invalid", code: 422 },
          auditAnnotations: { "replicas/replicas": "9" },
          denials: [{ policy: "replicas", binding: "replicas", message: "at most 3", reason: "Invalid" }],
        },
      ],
    });
  });

  test("JSON with --explain has the steps", async () => {
    const args = ["--object", "@/d.yaml", "-o", "json", "--explain"];
    const { stdout } = await evaluate({ "d.yaml": deployment(4) }, ...args);
    expect(JSON.parse(stdout)).toMatchObject({
      results: [
        {
          policies: [
            {
              policy: "replicas",
              outcome: "match",
              bindings: [
                {
                  evaluations: [
                    {
                      param: { name: "limits" },
                      validations: { expressions: [{ value: "false" }, { value: "true" }] },
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  test("an object that no policy would ever see is reported", async () => {
    const files = { "d.yaml": deployment(-1) };
    const { code, stderr } = await evaluate(files, "--object", "@/d.yaml");
    expect(code).toBe(0);
    expect(stderr).toBe(
      "portcullis: the API server would refuse the object before it asks any policy: spec.replicas: Invalid value: -1: must be greater than or equal to 0\n",
    );
  });

  test("an object of another namespace is refused with kubectl's message", async () => {
    const files = { "d.yaml": deployment(1).replace("{name: web}", "{name: web, namespace: shop}") };
    await expect((async () => evaluate(files, "--object", "@/d.yaml", "-n", "bank"))()).rejects.toThrow(
      'the namespace from the provided object "shop" does not match the namespace "bank"',
    );
  });

  test("an unknown kind is evaluated with a guessed resource", async () => {
    const files = { "w.yaml": "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w, namespace: ns}\n" };
    const { code, stderr } = await evaluate(files, "--object", "@/w.yaml");
    expect(code).toBe(0);
    expect(stderr).toContain("no kind Widget in example.com/v1 is known");
  });

  test.each([
    { name: "no object", args: ["eval", "@/p"], problem: "nothing to evaluate" },
    {
      name: "no policy",
      args: ["eval", "@/p/params.yaml", "--object", "@/p"],
      problem: "no ValidatingAdmissionPolicy",
    },
    { name: "no path", args: ["eval"], problem: "needs at least one path" },
    {
      name: "an odd operation",
      args: ["eval", "@/p", "--object", "@/p", "--operation", "GET"],
      problem: "unknown operation",
    },
    { name: "an odd output", args: ["eval", "@/p", "-o", "xml"], problem: "unknown output" },
    { name: "an odd resource", args: ["eval", "@/p", "--resource", "cats"], problem: "no resource `cats` is known" },
    { name: "an odd command", args: ["evil"], problem: "unknown command `policy evil`" },
  ])("$name is a usage error", async ({ args, problem }) => {
    await expect((async () => run(args))()).rejects.toThrow(problem);
  });

  test("a policy the API server would refuse is refused with its message", async () => {
    const broken = FILES["p/policy.yaml"].replace("<= variables.max", "<= variables.min");
    await expect(
      evaluate({ "p/policy.yaml": broken, "d.yaml": deployment(1) }, "--object", "@/d.yaml"),
    ).rejects.toThrow(
      'ValidatingAdmissionPolicy.admissionregistration.k8s.io "replicas" is invalid: spec.validations[0].expression: Invalid value: "object.spec.replicas <= variables.min": compilation failed: ERROR: <input>:1:34: undefined field',
    );
  });
});

describe("convert", () => {
  const DRAFT = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-latest}
spec:
  policyType: Singleton
  match: {rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  validations:
  - rule: "!self.endsWith(':latest')"
    scope: spec.containers[*].image
    message: "no: latest"
`;

  test("a draft policy becomes a policy and a binding that eval accepts", async () => {
    const { code, stdout } = await run(["convert", "@/early.yaml"], { "early.yaml": DRAFT });
    expect(code).toBe(0);
    expect(stdout).toContain('message: "no: latest"\n');
    expect(stdout).toContain("kind: ValidatingAdmissionPolicyBinding\n");
    const pod = (image: string) =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: "${image}"}]}\n`;
    const files = { "v1.yaml": stdout, "pod.yaml": pod("a:latest"), "ok.yaml": pod("a:1") };
    expect((await run(["eval", "@/v1.yaml", "--object", "@/pod.yaml"], files)).stdout).toContain("no: latest");
    expect((await run(["eval", "@/v1.yaml", "--object", "@/ok.yaml"], files)).code).toBe(0);
  });

  test("parts that cannot be converted are reported with exit code 1", async () => {
    const odd = DRAFT.replace("scope: spec.containers[*].image", "scope: io.k8s.api.core.v1.ServicePort");
    const { code, stderr } = await run(["convert", "@/early.yaml"], { "early.yaml": odd });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: ValidatingAdmissionPolicy\/no-latest: spec\.validations\[0\]\.rule: /);
  });

  test("a scope may be an API type", async () => {
    const typed = DRAFT.replace("scope: spec.containers[*].image", "scope: io.k8s.api.core.v1.Container").replace(
      "!self.endsWith",
      "!self.image.endsWith",
    );
    const { code, stdout } = await run(["convert", "@/early.yaml"], { "early.yaml": typed });
    expect(code).toBe(0);
    expect(stdout).toContain("object.spec.initContainers.all(");
  });

  test("JSON has objects and findings", async () => {
    const { stdout } = await run(["convert", "@/early.yaml", "-o", "json"], { "early.yaml": DRAFT });
    expect(JSON.parse(stdout)).toMatchObject({
      kind: "PolicyConversion",
      findings: [],
      objects: [{ kind: "ValidatingAdmissionPolicy" }, { kind: "ValidatingAdmissionPolicyBinding" }],
    });
  });

  test("an input without draft policies is an error", async () => {
    await expect((async () => run(["convert", "@/p"]))()).rejects.toThrow(
      "no policy of Kyverno, Gatekeeper or the KEP-3488 draft found",
    );
  });

  const POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: a:latest}]}\n";

  test("eval takes a draft policy as it is", async () => {
    const warned = DRAFT.replace("    message:", "    severity: Warning\n    message:");
    const files = { "early.yaml": DRAFT, "warned.yaml": warned, "pod.yaml": POD };
    const denied = await run(["eval", "@/early.yaml", "--object", "@/pod.yaml"], files);
    expect([denied.code, denied.stderr]).toEqual([1, ""]);
    expect(denied.stdout).toContain(
      "ValidatingAdmissionPolicy 'no-latest' with binding 'no-latest' denied request: no: latest",
    );
    const allowed = await run(["eval", "@/warned.yaml", "--object", "@/pod.yaml"], files);
    expect([allowed.code, allowed.stdout]).toEqual([0, expect.stringContaining("no: latest")]);
  });

  test("eval refuses a draft policy that cannot be converted", async () => {
    const odd = DRAFT.replace("scope: spec.containers[*].image", "scope: io.k8s.api.core.v1.ServicePort");
    const files = { "early.yaml": odd, "pod.yaml": POD };
    await expect((async () => run(["eval", "@/early.yaml", "--object", "@/pod.yaml"], files))()).rejects.toThrow(
      "ValidatingAdmissionPolicy/no-latest: spec.validations[0].rule",
    );
  });

  test("suites test draft policies as they are", async () => {
    const suite = `kind: PolicySuite
policies: [early.yaml]
base: {apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: a:latest}]}}
tests:
- {name: latest, expect: deny, message: "no: latest"}
`;
    const files = { "suite/suite.yaml": suite, "suite/early.yaml": DRAFT };
    const { code, stdout } = await run(["test", "@/suite/suite.yaml"], files);
    expect(stdout).toContain("1 passed, 0 failed");
    expect(code).toBe(0);
  });
});
