/** The examples in the comments of public names compile, run, and give the result that they show. */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { publicExamples } from "./examples.mjs";
import { root } from "./repository.mjs";

/** What the examples of an entry point take for granted. */
const GIVEN = {
  "@portcullis/gostd/netip": `
    const read = (text: string): Addr => parseAddr(text).value ?? fail();
    const [addr, other, mapped] = [read("10.0.0.1"), read("fe80::1"), read("::ffff:10.0.0.1")];
    const prefix: Prefix = parsePrefix("10.0.0.0/8").value ?? fail();`,
  "@portcullis/gostd/net": `const addr = parseIp("10.0.0.1") ?? fail();`,
  "@portcullis/gostd/url": `const url: Url = parse("https://example.com:8443/a%20b?page=2#top").url ?? fail();`,
  "@portcullis/gostd/regexp/automaton": `
    const [before, after] = [compileAutomaton("^[ab]$") ?? fail(), compileAutomaton("^a$") ?? fail()];`,
  "@portcullis/cel": `
    const compiled = new Environment({ variables: { n: INT } }).compile("n > 1");
    const ast = compiled.ok ? compiled.ast : fail();
    const made = new Environment({ variables: { n: INT } }).program(ast);
    const program = made.ok ? made.program : fail();
    const overload = global("double_int", [INT], INT, (n) => Number(n) * 2);
    const [list, map] = [fromJson([1]), fromJson({ replicas: 2 })];`,
  "@portcullis/engine": `
    const gates = { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true };
    const cluster = new MemoryCluster([], { engine: { version: SERVER_VERSION, gates } });
    const crd = fromPlain({ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" }) as JsonObject;
    const write: Write = {
      verb: "create",
      endpoint: { type: cluster.kinds.findKind("v1", "Namespace") ?? fail(), subresource: undefined },
      namespace: "",
      name: "",
      user: { name: "alice", uid: "", groups: [], extra: new Map() },
      manager: "kubectl",
      fieldValidation: "Strict",
      isDryRun: false,
      options: fromPlain({}) as JsonObject,
      content: { bytes: Buffer.from('{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"A"}}'), format: "json" },
    };
    const { refusal } = await review(write, cluster);`,
  "@portcullis/engine/kubecel": `
    const environment = kubernetesEnvironment({ version: "1.37", mode: "new" });
    const compiled = environment.compile("1 < 2");
    const ast = compiled.ok ? compiled.ast : fail();
    const authorizer: Authorizer = { authorize: () => ({ decision: "allow", reason: "", error: undefined }) };`,
  "@portcullis/engine/policy": `
    const rules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }];
    const api = "admissionregistration.k8s.io/v1";
    const spec = { matchConstraints: { resourceRules: rules } };
    const policy = {
      apiVersion: api,
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: "a" },
      spec: { ...spec, validations: [{ expression: "false" }] },
    };
    const binding = {
      apiVersion: api,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name: "a" },
      spec: { policyName: "a", validationActions: ["Deny"] },
    };
    const mutatingPolicy = {
      apiVersion: api,
      kind: "MutatingAdmissionPolicy",
      metadata: { name: "a" },
      spec: { ...spec, reinvocationPolicy: "Never", mutations: [] },
    };
    const mutatingBinding = { ...binding, kind: "MutatingAdmissionPolicyBinding", spec: { policyName: "a" } };
    const request: PolicyRequest = {
      resource: { group: "", version: "v1", resource: "pods" },
      object: { apiVersion: "v1", kind: "Pod", metadata: { name: "a", namespace: "default" } },
    };
    const manifests: Parameters<typeof convertDraftPolicy>[0] = [];`,
  "@portcullis/engine/upgrade": `
    const gates = { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true };
    const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } };
    const crd: Parameters<typeof compareDefinitions>[0] = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "widgets.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
        versions: [version],
      },
    };`,
  "@portcullis/engine/codec": `
    const decoded = decodeYaml("spec: {size: 1}", { positions: true });
    const root = (decoded.error === undefined ? decoded.source : undefined) ?? fail();`,
  "@portcullis/engine/apply": `
    const versions = [{ name: "v1", schema: undefined }];
    const resource = { group: "example.com", kind: "Widget", preserveUnknownFields: true, versions };
    const parseJson = (text: string) => JSON.parse(text);
    const names = { group: "example.com", kind: "Widget", version: "v1", subresource: "" } as const;
    const endpoint = { ...names, schema: undefined, versionsWithStatus: [], parseJson };
    const scope = customResourceScope({ ...endpoint, types: customResourceTypes(resource) });
    const patch = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" } };
    const now = "2030-01-01T00:00:00Z";`,
  "@portcullis/server": `
    const folder = mkdtempSync(path.join(tmpdir(), "portcullis-example-"));
    process.on("exit", () => rmSync(folder, { recursive: true }));
    const source = new MemoryStore();
    await source.create("/registry/a", "{}");
    const app = await App.open({ store: new MemoryStore(), system: nodeSystem, now: Date.now, authenticators: [] });
    const dataDir = path.join(folder, "origin");
    await (await openSqliteStore({ dataDir })).close();
    const backup = path.join(folder, "backup.db");
    await backupSqliteStore({ dataDir, target: backup });
    const [ca, cert, key] = ["", "", ""];`,
  "@portcullis/webhook": `const issue: WebhookOptions["issue"] = async () => fail();`,
  "@portcullis/embed": `const [crds, text] = ["", ""];`,
  "@portcullis/checker": `
    const gates = { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true };
    const engine = { version: SERVER_VERSION, gates };
    const [document = fail()] = readFile("a.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: a}}").documents;`,
};

const IMPORTS = {
  "@portcullis/server": `
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";`,
  "@portcullis/checker": `import { MemoryCluster, SERVER_VERSION } from "@portcullis/engine";`,
};

/** Compiled, but not run. */
const NOT_RUN = {
  openEtcdStore: "needs an etcd",
  startWebhook: "needs a cluster",
  inClusterAccess: "needs the service account of a pod",
  createChecker: "needs a browser",
  startLanguageServer: "reads standard input until it ends",
};

/** Below the root, so that the packages are found. */
const folder = path.join(root, "node_modules/.cache/portcullis-examples");
const examples = publicExamples().filter(({ lines }) => lines.length > 0);
const specifiers = [...new Set(examples.map(({ specifier }) => specifier))].filter(
  (each) => each !== "@portcullis/gostd",
);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("they compile with strict TypeScript, run, and have the results that they show", async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [index, specifier] of specifiers.entries()) writeFileSync(fileOf(index), programOf(specifier));
  typeCheck();
  const problems = [];
  for (const [index, specifier] of specifiers.entries()) if (isRun(specifier)) problems.push(...(await run(index)));
  expect(problems).toEqual([]);
}, 600_000);

test("the root of gostd shows the examples of its modules", () => {
  const modules = examples.filter(({ specifier }) => specifier.startsWith("@portcullis/gostd/"));
  for (const { specifier, name, lines } of examples)
    if (specifier === "@portcullis/gostd")
      expect(modules.some((each) => each.name === name && each.lines.join() === lines.join())).toBe(true);
});

function isRun(specifier) {
  return examples.some((each) => each.specifier === specifier && NOT_RUN[each.name] === undefined);
}

function fileOf(index) {
  return path.join(folder, `example-${index}.ts`);
}

function programOf(specifier) {
  const own = publicExamples().filter((each) => each.specifier === specifier);
  const names = own.map(({ name, isValue }) => (isValue ? name : `type ${name}`));
  const shown = own.filter(({ lines }) => lines.length > 0);
  return `${IMPORTS[specifier] ?? ""}
import { inspect } from "node:util";
import { ${names.join(", ")} } from "${specifier}";

function fail(): never {
  throw new Error("the example has no value");
}

function show(name: string, value: unknown, wanted: string): void {
  const text = inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 5 });
  const found = typeof value === "string" ? JSON.stringify(value) : text.replaceAll("[Object: null prototype] ", "").replaceAll("'", '"').replaceAll("[ ", "[").replaceAll(" ]", "]");
  const same = typeof value === "string" ? value === JSON.parse(wanted) : found === wanted;
  if (!same) console.error(\`\${name}: \${found}, not \${wanted}\`);
}
${GIVEN[specifier] ?? ""}
${shown.map(({ name, lines }) => block(name, lines)).join("\n")}
`;
}

/** Each example has a scope of its own. A line with a comment shows the value of its expression. */
function block(name, lines) {
  const body = lines.map((line) => {
    const shown = /^(?!const |let |if |class |[ }])(.*?);? \/\/ (.*)$/.exec(line);
    return shown === null ? line : `show(${JSON.stringify(name)}, ${shown[1]}, ${JSON.stringify(shown[2])});`;
  });
  return NOT_RUN[name] === undefined
    ? `await (async () => {\n${body.join("\n")}\n})();`
    : `export async function ${name}Example() {\n${body.join("\n")}\n}`;
}

function typeCheck() {
  const compilerOptions = {
    noEmit: true,
    noUnusedLocals: false,
    // Packages for browsers are among them.
    lib: ["es2023", "dom"],
    types: ["node"],
    customConditions: ["portcullis-source"],
  };
  const files = specifiers.map((_, index) => path.basename(fileOf(index)));
  const config = { extends: path.join(root, "tsconfig.base.json"), compilerOptions, files };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const { status, stdout } = spawnSync("npx", ["--no-install", "tsc", "-p", folder], {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  expect(stdout, "an example does not compile").toSatisfy(() => status === 0);
}

/** What went wrong. */
async function run(index) {
  const outfile = path.join(folder, `example-${index}.mjs`);
  await build({
    entryPoints: [fileOf(index)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["portcullis-source"],
    external: ["libsql"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "silent",
  });
  const { status, stderr } = spawnSync(process.execPath, [outfile], { cwd: folder, encoding: "utf8", timeout: 60_000 });
  return status === 0 && stderr === "" ? [] : [`${specifiers[index]}: ${stderr}`];
}
