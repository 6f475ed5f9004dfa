import { existsSync } from "node:fs";
import path from "node:path";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { describe, expect, test } from "vitest";
import { runCommand, WIDGET_CRD } from "../commands.testing.ts";
import { policy } from "./policy.ts";

const policyYaml = (expression: string, more = ""): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
${more}  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  validations:
  - expression: ${JSON.stringify(expression)}
`;
const BINDING = `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: replicas}
spec: {policyName: replicas, validationActions: [Deny]}
`;
const bound = (expression: string, more = ""): string => policyYaml(expression, more) + BINDING;

const run = (args: readonly string[], files: Readonly<Record<string, string>>, folder = scratchFolder()) =>
  runCommand(policy, args, files, { folder });

describe("policy diff", () => {
  const diff = (old: string, next: string, ...args: readonly string[]) =>
    run(["diff", "@/old.yaml", "@/new.yaml", ...args], { "old.yaml": bound(old), "new.yaml": bound(next) });

  test("policies that decide alike are proved to", async () => {
    expect(await diff("object.spec.replicas < 6", "object.spec.replicas <= 5")).toEqual({
      code: 0,
      stdout: `newly denied: none (proved, given default, native-validation)
newly allowed: none (proved, given default, native-validation)
`,
      stderr: "",
    });
  });

  test("a request shows a difference, with the API server's words", async () => {
    const { code, stdout } = await diff("object.spec.replicas <= 5", "object.spec.replicas <= 3");
    expect(code).toBe(1);
    expect(stdout.split("\n").slice(0, 5)).toEqual([
      "newly denied: some",
      "  CREATE deployments.apps default/example by alice",
      "  NEW: ValidatingAdmissionPolicy 'replicas' with binding 'replicas' denied request: failed expression: object.spec.replicas <= 3",
      "    object: {",
      '      "kind": "Deployment",',
    ]);
    expect(stdout).toContain('"replicas": 4,');
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("newly allowed: none (proved, given default, native-validation)");
  });

  test("programs get both directions, each with its verdict", async () => {
    const { code, stdout } = await diff("object.spec.replicas <= 5", "object.spec.replicas <= 3", "-o", "json");
    const report = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(report).toMatchObject({
      kind: "PolicyDiff",
      newlyDenied: {
        verdict: "some",
        witness: {
          kind: "AdmissionReview",
          request: { operation: "CREATE", object: { spec: { replicas: 4 } } },
        },
      },
      newlyAllowed: { verdict: "none", relies: ["default", "native-validation"] },
    });
  });

  test("a request that was saved is denied when it is evaluated", async () => {
    const folder = scratchFolder();
    const files = { "old.yaml": bound("object.spec.replicas <= 5"), "new.yaml": bound("object.spec.replicas <= 3") };
    await run(["diff", "@/old.yaml", "@/new.yaml", "--save-witnesses", "@/out"], files, folder);
    const saved = path.join(folder, "out/newly-denied.json");
    expect(existsSync(saved)).toBe(true);
    expect((await run(["eval", "@/new.yaml", "--request", "@/out/newly-denied.json"], {}, folder)).code).toBe(1);
    expect((await run(["eval", "@/old.yaml", "--request", "@/out/newly-denied.json"], {}, folder)).code).toBe(0);
  });

  test("a whole number that is written as a double keeps its spelling", async () => {
    const folder = scratchFolder();
    const widgets = (expression: string): string =>
      bound(expression)
        .replace("apiGroups: [apps], apiVersions: [v1]", 'apiGroups: ["*"], apiVersions: ["*"]')
        .replace("[deployments]", "[widgets]");
    const files = {
      "old.yaml": widgets("true"),
      "new.yaml": widgets("!has(object.spec) || !has(object.spec.size) || type(object.spec.size) != double"),
      "crd.yaml": WIDGET_CRD,
    };
    const { stdout } = await run(["diff", "@/old.yaml", "@/new.yaml", "--with", "@/crd.yaml"], files, folder);
    expect(stdout).toMatch(/"size": \d+\.0/);
  });

  test("params that are not given may hold anything", async () => {
    const param = "  paramKind: {apiVersion: v1, kind: ConfigMap}\n";
    const ref = BINDING.replace(
      "[Deny]",
      "[Deny], paramRef: {name: limits, namespace: default, parameterNotFoundAction: Deny}",
    );
    const side = (expression: string): string => policyYaml(expression, param) + ref;
    const files = {
      "old.yaml": side("object.spec.replicas <= int(params.data.max)"),
      "new.yaml": side("object.spec.replicas < int(params.data.max)"),
    };
    const { stdout } = await run(["diff", "@/old.yaml", "@/new.yaml", "-o", "json"], files);
    expect(JSON.parse(stdout)).toMatchObject({
      newlyDenied: { verdict: "some", needs: [{ kind: "ConfigMap", metadata: { name: "limits" } }] },
      newlyAllowed: { verdict: "none" },
    });
  });

  test("an unbound policy does nothing, and a note says so", async () => {
    const files = { "old.yaml": policyYaml("false"), "new.yaml": policyYaml("true") };
    const { code, stderr } = await run(["diff", "@/old.yaml", "@/new.yaml"], files);
    expect(code).toBe(0);
    expect(stderr).toBe("portcullis: the policy `replicas` has no binding, so it does nothing\n");
  });

  test.each([
    { name: "one path is not enough", args: ["diff", "@/old.yaml"], problem: "policy diff needs two paths" },
    {
      name: "a budget is a number",
      args: ["diff", "@/old.yaml", "@/new.yaml", "--budget", "long"],
      problem: "--budget",
    },
    {
      name: "other outputs are refused",
      args: ["diff", "@/old.yaml", "@/new.yaml", "-o", "junit"],
      problem: "no output `junit`",
    },
  ])("$name", async ({ args, problem }) => {
    const files = { "old.yaml": bound("true"), "new.yaml": bound("true") };
    await expect((async () => run(args, files))()).rejects.toThrow(problem);
  });

  test("an expression that does not compile is refused in the API server's words", async () => {
    await expect((async () => diff("true", "object.spec.("))()).rejects.toThrow("compilation failed");
  });

  test("what takes too long is unknown, with the reason", async () => {
    const nested =
      "object.spec.template.spec.containers.all(c, object.spec.template.spec.containers.exists_one(d, d.name == c.name && d.image.matches('(a|b)*x{1,200}') && d.args.all(e, d.args.exists_one(f, f == e))))";
    const { code, stdout } = await diff(nested, `!(${nested})`, "--budget", "0.2", "-o", "json");
    expect(code).toBe(1);
    for (const { verdict, why } of [JSON.parse(stdout).newlyDenied, JSON.parse(stdout).newlyAllowed]) {
      if (verdict === "unknown") expect(why).not.toBe("");
      expect(verdict).not.toBe("none");
    }
  });
});

describe("policy prove", () => {
  const prove = (text: string, ...args: readonly string[]) => run(["prove", "@/p.yaml", ...args], { "p.yaml": text });

  test("each validation has its facts, also without a binding", async () => {
    const { code, stdout } = await prove(policyYaml("object.spec.replicas >= 0"));
    expect(code).toBe(0);
    expect(stdout).toBe(`replicas, validation 0: object.spec.replicas >= 0
  never denies: yes (given default, native-validation)
  always denies: no (CREATE deployments.apps default/example by alice)
  may fail at run time: no (given default, native-validation)
  follows from another: no (there is no other validation)
`);
  });

  test("programs get a verdict and a request for each fact", async () => {
    const { stdout } = await prove(bound("object.metadata.labels.app == 'x'"), "-o", "json");
    const { facts } = JSON.parse(stdout);
    expect(facts).toMatchObject([
      {
        policy: "replicas",
        validation: 0,
        neverDenies: { verdict: "false", witness: { kind: "AdmissionReview" } },
        alwaysDenies: { verdict: "false", witness: { kind: "AdmissionReview" } },
        mayFailAtRuntime: { verdict: "true", witness: { kind: "AdmissionReview" } },
        impliedBy: { verdict: "false" },
      },
    ]);
  });

  test("a validation that follows from another names it", async () => {
    const two = `${policyYaml("object.spec.replicas < 5")}  - expression: object.spec.replicas < 9\n`;
    const { stdout } = await prove(two, "-o", "json");
    expect(JSON.parse(stdout).facts[1].impliedBy).toMatchObject({ verdict: "true", by: 0 });
    expect(JSON.parse(stdout).facts[0].impliedBy).toMatchObject({ verdict: "false" });
  });

  test("a property holds for all that is admitted, or a request breaks it", async () => {
    const holds = await prove(
      bound("object.spec.replicas <= 5"),
      "--property",
      "object.spec.replicas < 100",
      "-o",
      "json",
    );
    expect(holds.code).toBe(0);
    expect(JSON.parse(holds.stdout).properties).toMatchObject([{ holds: { verdict: "true" } }]);
    const broken = await prove(
      bound("object.spec.replicas <= 5"),
      "--property",
      "object.spec.replicas < 5",
      "-o",
      "json",
    );
    expect(broken.code).toBe(1);
    expect(JSON.parse(broken.stdout).properties[0].holds.witness.request.object.spec.replicas).toBe(5);
  });

  test("a property that is not boolean is refused", async () => {
    await expect((async () => prove(bound("true"), "--property", "object.spec.replicas"))()).rejects.toThrow(
      "must evaluate to bool",
    );
  });

  test("two files are equivalent, or a request shows the difference", async () => {
    const files = {
      "p.yaml": bound("object.spec.replicas < 6"),
      "q.yaml": bound("object.spec.replicas <= 5"),
      "r.yaml": bound("object.spec.replicas <= 6"),
    };
    expect((await run(["prove", "@/p.yaml", "--equivalent-to", "@/q.yaml"], files)).code).toBe(0);
    expect((await run(["prove", "@/p.yaml", "--equivalent-to", "@/r.yaml"], files)).code).toBe(1);
  });
});

describe("policy gaps", () => {
  const PODS = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-privileged}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  validations:
  - expression: object.spec.containers.all(c, !c.?securityContext.?privileged.orValue(false))
`;

  test("containers of other lists and kinds with the same template slip through", async () => {
    const { code, stdout } = await run(["gaps", "@/p.yaml"], { "p.yaml": PODS });
    expect(code).toBe(1);
    expect(stdout.split("\n").slice(0, 4)).toEqual([
      "no-privileged, validation 0: init containers are not checked",
      "  CREATE pods default/example by alice",
      "no-privileged, validation 0: ephemeral containers are not checked",
      "  UPDATE pods/ephemeralcontainers default/example by alice",
    ]);
    expect(stdout).toContain("deployments carry the same pod template and are not checked");
  });

  test("programs get the requests", async () => {
    const { stdout } = await run(["gaps", "@/p.yaml", "-o", "json"], { "p.yaml": PODS });
    const { gaps } = JSON.parse(stdout);
    expect(gaps[0]).toMatchObject({
      policy: "no-privileged",
      validation: 0,
      gap: "init-containers",
      witness: { kind: "AdmissionReview" },
    });
    expect(gaps[0].witness.request.object.spec.initContainers[0].securityContext.privileged).toBe(true);
  });

  test("scaling, updates and deletions are looked at", async () => {
    const text = policyYaml("object.spec.replicas <= 5").replace("[CREATE, UPDATE]", "[CREATE, DELETE]");
    const { stdout } = await run(["gaps", "@/p.yaml"], { "p.yaml": text });
    expect(stdout).toBe(`replicas, validation 0: updates of deployments are not checked
  UPDATE deployments.apps default/example by alice
replicas, validation 0: deployments/scale is not checked
  UPDATE deployments.apps/scale default/example by alice
replicas, validation 0: object is null when something is deleted, so the expression fails: every such deletion is denied
  DELETE deployments.apps default/example by alice
`);
  });

  test("a policy without gaps is reported as such", async () => {
    const text = policyYaml("true");
    expect(await run(["gaps", "@/p.yaml"], { "p.yaml": text })).toEqual({
      code: 0,
      stdout: "no gap found\n",
      stderr: "",
    });
  });
});
