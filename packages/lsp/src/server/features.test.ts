/** Requests of an editor, over the protocol. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { CRD, FILES, POLICY, startEditor, WIDGET, writeWorkspace } from "./workspace.testing.ts";

const FILE = "deploy/widget.yaml";
const labels = (items: readonly { readonly label: string }[]): string[] => items.map(({ label }) => label);

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: a, labels: {app: a}}
spec:
  strategy: {type: Recreate}
  template:
    spec:
      hostnameOverride: a
      containers:
      - name: a
        resources: {limits: {memory: 1Gi}}
        ports:
        - containerPort: 80
          protocol: TCP
`;

describe("completion", () => {
  // biome-ignore format: a table
  test.each([
    { name: "fields of a custom resource", text: `${WIDGET}  ‸`, has: [], not: ["size"] },
    { name: "fields that are missing",     text: "apiVersion: example.com/v1\nkind: Widget\nspec:\n  ‸", has: ["size", "mode", "hosts"], not: ["spec"] },
    { name: "values of an enumeration",    text: "apiVersion: example.com/v1\nkind: Widget\nspec:\n  mode: ‸", has: ["fast", "slow"], not: [] },
    { name: "kinds of the workspace",      text: "apiVersion: example.com/v1\nkind: ‸", has: ["Widget"], not: ["Pod"] },
    { name: "fields of a built-in kind",   text: "apiVersion: apps/v1\nkind: Deployment\nspec:\n  ‸", has: ["replicas", "template"], not: [] },
    { name: "fields of a suite",           text: "kind: PolicySuite\ntests:\n  - ‸", has: ["expect", "operation"], not: ["tests"] },
    { name: "fields in JSON",              text: '{"apiVersion": "example.com/v1",\n"kind": "Widget",\n"spec": {"size": 1, "‸', has: ["mode", "hosts"], not: ["size"] },
    { name: "values in JSON",              text: '{"apiVersion": "example.com/v1",\n"kind": "Widget",\n"spec": {"mode": ‸', has: ["fast"], not: [] },
    { name: "the second document",         text: `${WIDGET}---\napiVersion: v1\nkind: Pod\nspec:\n  ‸`, has: ["containers"], not: ["size"] },
  ])("$name", async ({ text, has, not }) => {
    const editor = await startEditor(FILES);
    await editor.open(FILE, text.replace("‸", ""));
    const found = labels(await editor.complete(FILE, text));
    expect(found).toEqual(expect.arrayContaining(has));
    for (const each of not) expect(found).not.toContain(each);
  });

  test("required fields come first, and the text is complete", async () => {
    const editor = await startEditor(FILES);
    await editor.open(FILE, "apiVersion: example.com/v1\nkind: Widget\nspec:\n  ");
    const found = await editor.complete(FILE, "spec:\n  ‸");
    const first = [...found].sort((one, other) => ((one.sortText ?? "") < (other.sortText ?? "") ? -1 : 1))[0];
    expect(first).toMatchObject({ label: "size", detail: "integer, required", textEdit: { newText: "size: " } });
  });
});

describe("expressions", () => {
  test("a rule completes the fields of its schema, and functions that fit", async () => {
    const editor = await startEditor(FILES);
    await editor.open("crds/widget.yaml", CRD);
    await editor.replace("crds/widget.yaml", "self.hosts.all(h, h.name.startsWith('a'))", "self.hosts.all(h, h.");
    const found = labels(await editor.complete("crds/widget.yaml", "self.hosts.all(h, h.‸"));
    expect(found).toEqual(expect.arrayContaining(["name", "port"]));
  });

  test("a policy knows the kind it matches, and its variables", async () => {
    const editor = await startEditor({ ...FILES, "policy.yaml": POLICY });
    await editor.open("policy.yaml", POLICY);
    await editor.replace("policy.yaml", '"variables.count >= 0"', "object.spec.");
    expect(labels(await editor.complete("policy.yaml", "- expression: object.spec.‸\n"))).toContain("mode");
    await editor.replace("policy.yaml", "- expression: object.spec.\n", "- expression: variables.hosts[0].\n");
    expect(labels(await editor.complete("policy.yaml", "variables.hosts[0].‸"))).toContain("port");
  });

  test("hover shows types of fields, and signatures of functions", async () => {
    const editor = await startEditor({ ...FILES, "policy.yaml": POLICY });
    await editor.open("crds/widget.yaml", CRD);
    expect(await editor.hover("crds/widget.yaml", "self.ho‸sts.all")).toContain("**hosts** `list`");
    expect(await editor.hover("crds/widget.yaml", "h.na‸me.startsWith")).toContain("`maxLength: 20`");
    expect(await editor.hover("crds/widget.yaml", "h.name.starts‸With")).toContain(
      "<string>.startsWith(string) → bool",
    );
    await editor.open("policy.yaml", POLICY);
    expect(await editor.hover("policy.yaml", "size(variables.ho‸sts)")).toContain("**hosts** `list`");
  });

  test("a call shows its overloads and the argument", async () => {
    const editor = await startEditor(FILES);
    await editor.open(
      "crds/widget.yaml",
      CRD.replace("self.hosts.all(h, h.name.startsWith('a'))", "self.mode.replace('a', "),
    );
    const help = await editor.signature("crds/widget.yaml", "self.mode.replace('a', ‸");
    expect(help?.activeParameter).toBe(1);
    expect(help?.signatures[0]?.label).toBe("<string>.replace(string, string) → string");
    expect(help?.signatures[0]?.parameters).toEqual([{ label: "string" }, { label: "string" }]);
  });

  test("the cost of a rule is a lens above it", async () => {
    const editor = await startEditor(FILES);
    await editor.open("crds/widget.yaml", CRD);
    const [lens] = await editor.lenses("crds/widget.yaml");
    expect(lens?.command?.title).toMatch(/^cost [\d,]+ \(.* of a rule's budget\)$/);
    expect(lens?.range.start.line).toBe(CRD.split("\n").findIndex((line) => line.includes("- rule:")));
  });

  test("a policy's variable is renamed in its list and in every expression", async () => {
    const editor = await startEditor({ "policy.yaml": POLICY });
    await editor.open("policy.yaml", POLICY);
    const edits = await editor.rename("policy.yaml", "variables.cou‸nt < 3", "total");
    await editor.applyEdits("policy.yaml", edits);
    expect(editor.textOf("policy.yaml")).toBe(
      POLICY.replaceAll("variables.count", "variables.total").replace("- name: count", "- name: total"),
    );
  });

  test("the variable of a macro is renamed within it, and not in texts", async () => {
    const editor = await startEditor({ "policy.yaml": POLICY });
    await editor.open("policy.yaml", POLICY);
    const edits = await editor.rename("policy.yaml", "all(‸h, h.port", "host");
    await editor.applyEdits("policy.yaml", edits);
    expect(editor.textOf("policy.yaml")).toContain("all(host, host.port > 0 || host.name != 'h')");
    await expect(editor.rename("policy.yaml", "all(‸host", "1x")).rejects.toThrow("cannot be the name of a variable");
    await expect(editor.rename("policy.yaml", "val‸idationActions", "x")).rejects.toThrow("there is no variable here");
  });
});

describe("fields", () => {
  test.each([
    {
      at: "contai‸nerPort",
      has: ["**containerPort** `integer`, required", "- `format: int32`", "#containerport-v1-core"],
    },
    { at: "proto‸col: TCP", has: ["one of `TCP`", "- `default: TCP`"] },
    {
      at: "po‸rts:",
      has: ["- `x-kubernetes-list-type: map, keys: containerPort, protocol`", "- `patches merge by: containerPort`"],
    },
    { at: "hostnameOver‸ride", has: ["- `since Kubernetes 1.34`", "#podspec-v1-core"] },
    { at: "me‸mory:", has: ["#resourcerequirements-v1-core"] },
    { at: "st‸rategy:", has: ["v1.36/#deploymentstrategy-v1-apps"] },
    { at: "lab‸els:", has: ["#objectmeta-v1-meta"] },
  ])("hover on a field of a built-in kind, $at", async ({ at, has }) => {
    const editor = await startEditor(FILES);
    await editor.open(FILE, DEPLOYMENT);
    const text = await editor.hover(FILE, at);
    for (const each of has) expect(text).toContain(each);
  });

  test("hover shows type, description and bounds", async () => {
    const editor = await startEditor(FILES);
    await editor.open(FILE, WIDGET);
    expect(await editor.hover(FILE, "si‸ze: 3")).toBe(
      "**size** `integer`, required\n\nHow large it is.\n\n- `maximum: 10`",
    );
    expect(await editor.hover(FILE, "mode: fa‸st")).toContain("one of `fast`, `slow`");
  });

  test("a value leads to its field in the CRD", async () => {
    const editor = await startEditor(FILES);
    await editor.open(FILE, WIDGET);
    const place = await editor.definition(FILE, "name: a.exa‸mple.com");
    expect(place?.uri).toBe(editor.uriOf("crds/widget.yaml"));
    const lines = CRD.split("\n");
    expect(lines[place?.range.start.line ?? 0]).toBe("                      name:");
  });

  test("a binding leads to its policy, and a variable to its declaration", async () => {
    const editor = await startEditor({ "policy.yaml": POLICY });
    await editor.open("policy.yaml", POLICY);
    const lines = POLICY.split("\n");
    const policy = await editor.definition("policy.yaml", "policyName: sm‸all");
    expect(lines[policy?.range.start.line ?? -1]).toBe("  name: small");
    const variable = await editor.definition("policy.yaml", "variables.co‸unt < 3");
    expect(lines[variable?.range.start.line ?? -1]).toBe("    - name: count");
  });
});

test("CRDs outside of the workspace count, and those inside take precedence", async () => {
  const catalogue = writeWorkspace({
    "example.com/widget.yaml": CRD.replace("How large it is.", "From the catalogue."),
  });
  const editor = await startEditor({}, { settings: { crds: [catalogue] } });
  await editor.open(FILE, WIDGET.replace("size: 3", "size: 30"));
  expect((await editor.diagnostics(FILE)).map(({ code }) => code)).toEqual(["schema/maximum"]);
  expect(await editor.hover(FILE, "si‸ze: 30")).toContain("From the catalogue.");
  const place = await editor.definition(FILE, "si‸ze: 30");
  expect(place?.uri).toBe(pathToFileURL(path.join(catalogue, "example.com/widget.yaml")).href);
  const both = await startEditor(FILES, { settings: { crds: [path.join(catalogue, "example.com/widget.yaml")] } });
  await both.open(FILE, WIDGET);
  expect(await both.hover(FILE, "si‸ze: 3")).toContain("How large it is.");
});

test("a catalogue of JSON schemas describes kinds that no CRD defines", async () => {
  const size = { type: "integer", maximum: 10, description: "From a schema." };
  const spec = { type: "object", properties: { size }, additionalProperties: false };
  const schema = { type: "object", properties: { apiVersion: { type: "string" }, kind: { type: "string" }, spec } };
  const catalogue = writeWorkspace({ "example.com/widget_v1.json": JSON.stringify(schema, null, 2) });
  const editor = await startEditor({}, { settings: { crds: [catalogue] } });
  await editor.open(FILE, "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n  size: 30\n");
  expect((await editor.diagnostics(FILE)).map(({ code }) => code)).toEqual(["schema/maximum"]);
  expect(await editor.hover(FILE, "si‸ze: 30")).toContain("From a schema.");
  const place = await editor.definition(FILE, "si‸ze: 30");
  expect(place?.uri).toBe(pathToFileURL(path.join(catalogue, "example.com/widget_v1.json")).href);
  expect(JSON.stringify(schema, null, 2).split("\n")[place?.range.start.line ?? -1]).toContain('"size"');
  await editor.replace(FILE, "kind: Widget", "kind: widget");
  expect((await editor.diagnostics(FILE)).map(({ code }) => code)).toEqual(["schema/not-found"]);
});

describe("quick fixes", () => {
  const EXPENSIVE = CRD.replace("                  maxItems: 10\n", "").replace(
    "h.name.startsWith('a')",
    "self.hosts.exists(other, other.name == h.name)",
  );
  // biome-ignore format: a table
  test.each([
    { name: "a misspelt field",            text: WIDGET.replace("mode:", "mod:"), title: "Change to `mode`", after: WIDGET },
    { name: "a number where text belongs", text: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  port: 80\n", title: 'Quote it: "80"', after: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  port: \"80\"\n" },
    { name: "a text where a number belongs", text: "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\nspec:\n  replicas: \"2\"\n", title: "Remove the quotes: 2", after: "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\nspec:\n  replicas: 2\n" },
    { name: "a value of a list",           text: WIDGET.replace("fast", "quick"), title: 'Change to "slow"', after: WIDGET.replace("fast", "slow") },
    { name: "a field that is too deep",    text: "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\nspec:\n  selector:\n    matchLabels: {a: b}\n    replicas: 2\n", title: "Move `replicas` to spec", after: "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\nspec:\n  replicas: 2\n  selector:\n    matchLabels: {a: b}\n" },
  ])("$name", async ({ text, title, after }) => {
    const editor = await startEditor(FILES);
    await editor.open(FILE, text);
    const fixes = await editor.fixes(FILE);
    expect(labels(fixes.map((each) => ({ label: each.title })))).toContain(title);
    const edits = fixes.find((each) => each.title === title)?.edit?.changes?.[editor.uriOf(FILE)] ?? [];
    await editor.applyEdits(FILE, edits);
    expect(editor.textOf(FILE)).toBe(after);
  });

  test("a rule that costs too much gets the bound that fits", async () => {
    const editor = await startEditor(FILES);
    await editor.open("crds/widget.yaml", EXPENSIVE);
    expect(await editor.diagnostics("crds/widget.yaml")).not.toEqual([]);
    const fixes = await editor.fixes("crds/widget.yaml");
    const [fix] = fixes.filter(({ title }) => /^Set /.test(title));
    await editor.applyEdits("crds/widget.yaml", fix?.edit?.changes?.[editor.uriOf("crds/widget.yaml")] ?? []);
    expect(editor.textOf("crds/widget.yaml")).toMatch(/ max(?:Items|Length): \d+\n/);
    const left = await editor.diagnostics("crds/widget.yaml");
    expect(left.filter(({ message }) => String(message).includes("cost"))).toEqual([]);
  });
});

test("a version that the CRD does not serve is an error", async () => {
  const editor = await startEditor(FILES);
  await editor.open(FILE, "apiVersion: example.com/v7\nkind: Widget\nmetadata:\n  name: a\n");
  const found = await editor.diagnostics(FILE);
  expect(found.map(({ code, severity }) => [code, severity])).toEqual([["api/unknown", 1]]);
  expect(found[0]?.message).toContain("Widget is served in `example.com/v1`");
});
