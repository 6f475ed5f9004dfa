/** Editing sessions: at every pause, the editor shows what `portcullis check` reports about the file on disk. */
import path from "node:path";
import type { TestEditor } from "@portcullis/lsp/internal/server/editor.testing";
import {
  CRD,
  commitAll,
  POLICY,
  startEditor,
  WIDGET,
  writeWorkspace,
} from "@portcullis/lsp/internal/server/workspace.testing";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { expect, test } from "vitest";
import { writeFiles } from "./commands.testing.ts";
import { checked, current, type Files } from "./lsp.testing.ts";

/** Typed at the end of the text, or a replacement; after each, the session pauses. */
type Keystrokes = string | readonly [before: string, after: string];

interface Session {
  readonly name: string;
  readonly files: Files;
  readonly file: string;
  /** The text that the session starts with; "" for a new file. */
  readonly text: string;
  readonly keys: readonly Keystrokes[];
  /** How often the file has findings at a pause, so that sessions without any are noticed. */
  readonly found: number;
}

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: nginx
`;
const PARAM_POLICY = POLICY.replace(
  "  variables:\n",
  "  paramKind:\n    apiVersion: v1\n    kind: ConfigMap\n  variables:\n",
)
  .replace("variables.count >= 0", "variables.count < int(params.data.max)")
  .replace(
    "  validationActions: [Deny]\n",
    "  validationActions: [Deny]\n  paramRef:\n    name: limits\n    namespace: default\n    parameterNotFoundAction: Deny\n",
  );

const SESSIONS: readonly Session[] = [
  {
    name: "a custom resource is written from nothing",
    files: { "crds/widget.yaml": CRD },
    file: "deploy/new.yaml",
    text: "",
    keys: [
      "apiVersion: example.com/v1\n",
      "kind: Widget\n",
      "metadata:\n",
      "  name: one\n",
      "spec:\n",
      "  size: 1",
      "1\n",
      ["11", "7"],
      "  mode: quick\n",
      ["quick", "fast"],
      "  hosts:\n",
      "    - name: b\n",
      ["name: b", "name: a"],
      "      prt: 80\n",
      ["prt", "port"],
    ],
    found: 10,
  },
  {
    name: "a Deployment is broken and repaired",
    files: { "deploy/other.yaml": DEPLOYMENT.replaceAll("web", "other") },
    file: "deploy/web.yaml",
    text: DEPLOYMENT,
    keys: [
      ["replicas: 2", "replicas: two"],
      ["replicas: two", "replicas: -2"],
      ["replicas: -2", "replicas: 2"],
      ["image: nginx", "imagePullPolicy: Sometimes"],
      ["imagePullPolicy: Sometimes", "image: nginx"],
      ["name: web\nspec", "name: Web_1\nspec"],
      ["name: Web_1\nspec", "name: web\nspec"],
      "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports:\n  - port: 99999\n",
      ["port: 99999", "port: 80"],
      ["image: nginx", "image: nginx\n          envs: []"],
    ],
    found: 6,
  },
  {
    name: "a CRD gets a rule",
    files: {},
    file: "crds/widget.yaml",
    text: CRD,
    keys: [
      ["self.hosts.all(h, h.name.startsWith('a'))", "self.hosts.all(h, h.nam"],
      ["self.hosts.all(h, h.nam", "self.hosts.all(h, h.nam.startsWith('a'))"],
      ["h.nam.", "h.name."],
      ["type: integer\n                  maximum", "type: integr\n                  maximum"],
      ["type: integr\n", "type: integer\n"],
      ["                  maxItems: 10\n", ""],
      ["'a'))", "'a') && self.hosts.exists(o, o.name == h.name))"],
    ],
    found: 4,
  },
  {
    name: "a policy of the workspace decides",
    files: { "crds/widget.yaml": CRD, "policies/small.yaml": POLICY },
    file: "deploy/widget.yaml",
    text: WIDGET,
    keys: ["    - name: ab\n", "    - name: ac\n", ["    - name: ac\n", ""]],
    found: 1,
  },
  {
    name: "a policy with params is edited",
    files: {
      "crds/widget.yaml": CRD,
      "deploy/widget.yaml": WIDGET,
      "deploy/limits.yaml":
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: limits\n  namespace: default\ndata:\n  max: '1'\n",
    },
    file: "policies/small.yaml",
    text: PARAM_POLICY,
    keys: [
      ["variables.count < 3", "variables.cont < 3"],
      ["variables.cont", "variables.count"],
      ["expression: object.spec.hosts", "expression: object.spec.hots"],
      ["hots", "hosts"],
      ["policyName: small", "policyName: other"],
    ],
    found: 2,
  },
  {
    name: "objects appear twice",
    files: { "deploy/widget.yaml": WIDGET, "crds/widget.yaml": CRD },
    file: "deploy/x.yaml",
    text: "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: two\nspec:\n  size: 1\n",
    keys: [["name: two", "name: one"], `---\n${WIDGET}`, ["name: one", "name: three"]],
    found: 4,
  },
  {
    name: "JSON is edited",
    files: { "crds/widget.yaml": CRD },
    file: "deploy/widget.json",
    text: '{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "one"}, "spec": {"size": 3}}',
    keys: [
      ['"size": 3', '"size": 30'],
      ['"size": 30', '"size": 3, "size": 4'],
      ['"size": 3, "size": 4', '"size": "3"'],
    ],
    found: 4,
  },
  {
    name: "suppressions, placeholders and unknown kinds",
    files: {},
    file: "deploy/mixed.yaml",
    text: DEPLOYMENT,
    keys: [
      ["replicas: 2", "replicas: -2 # portcullis: ignore validation/* tests want it"],
      ["tests want it", ""],
      ["replicas: -2 # portcullis: ignore validation/* ", "replicas: __COUNT__"],
      "---\napiVersion: example.org/v1\nkind: Gadget\nmetadata:\n  name: g\n",
      "---\napiVersion: apps/v1beta1\nkind: Deployment\nmetadata:\n  name: g\n",
    ],
    found: 4,
  },
];

test.each(SESSIONS)("$name", async ({ files, file, text, keys, found }) => {
  const editor = await startEditor(text === "" ? files : { ...files, [file]: text });
  await editor.open(file, text);
  let withFindings = 0;
  for (const key of ["", ...keys]) {
    await press(editor, file, key);
    const shown = current(await editor.diagnostics(file));
    expect(shown, `after ${JSON.stringify(key)}`).toEqual(
      await checked({ ...files, [file]: editor.textOf(file) }, file),
    );
    if (shown.length > 0) withFindings++;
  }
  expect(withFindings).toBe(found);
  expect(editor.errors).toEqual([]);
});

async function press(editor: TestEditor, file: string, key: Keystrokes): Promise<void> {
  if (typeof key === "string") await editor.type(file, editor.textOf(file).length, key);
  else await editor.replace(file, key[0], key[1]);
}

test("objects of the last commit are checked as updates, with ratcheting", async () => {
  const old = { "crds/widget.yaml": CRD, "deploy/widget.yaml": WIDGET.replace("size: 3", "size: 30") };
  const root = writeWorkspace(old);
  commitAll(root);
  const editor = await startEditor(old, { root, settings: { compare: "update" } });
  const file = "deploy/widget.yaml";
  await editor.open(file, old[file]);
  const before = scratchFolder();
  writeFiles(before, { [file]: old[file] });
  for (const key of ["", ["mode: fast", "mode: slow"], ["size: 30", "size: 31"], ["size: 31", "size: 3"]] as const) {
    await press(editor, file, key);
    const wanted = await checked({ ...old, [file]: editor.textOf(file) }, file, ["--old", path.join(before, file)]);
    expect(current(await editor.diagnostics(file))).toEqual(wanted);
  }
});

test("by default, what a create and what an update would report are both shown", async () => {
  const old = { "crds/widget.yaml": CRD, "deploy/widget.yaml": WIDGET.replace("size: 3", "size: 30") };
  const root = writeWorkspace(old);
  commitAll(root);
  const editor = await startEditor(old, { root });
  await editor.open("deploy/widget.yaml", old["deploy/widget.yaml"]);
  const shown = await editor.settled("deploy/widget.yaml");
  expect(shown.map(({ message, severity }) => [severity, String(message).split("\n")[1] ?? ""])).toEqual([
    [1, ""],
    [3, "forgiven: `spec.size` is unchanged; the API server does not report it"],
  ]);
});
