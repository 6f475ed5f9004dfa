/** `crd diff`, `preflight` and `crd scan` against a cluster: our own server, started here. */

import { readFile } from "@portcullis/checker/internal/input/documents";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { type RunningServer, startServer } from "@portcullis/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand, WIDGET_CRD } from "../commands.testing.ts";
import { preflight } from "../preflight.ts";
import { crdDiff } from "./crd-diff.ts";
import { crdScan } from "./crd-scan.ts";

const TIGHTER = WIDGET_CRD.replace("maximum: 10", "maximum: 5");
const LOOSER = WIDGET_CRD.replace("maximum: 10", "maximum: 50");
const GADGET_CRD = WIDGET_CRD.replace("widgets.example.com", "gadgets.example.com")
  .replace("plural: widgets", "plural: gadgets")
  .replace("kind: Widget}", "kind: Gadget}");
const OTHER_VERSION = WIDGET_CRD.replace("name: v1\n", "name: v2\n");

let server: RunningServer;
let files: Readonly<Record<string, string>>;

beforeAll(async () => {
  server = await startServer();
  await create(WIDGET_CRD);
  await create(GADGET_CRD);
  for (const [name, size] of Object.entries({ small: 3, large: 7, other: 4 })) await create(widget(name, size));
  files = {
    "kubeconfig.yaml": server.kubeconfig(),
    "tight.yaml": TIGHTER,
    "loose.yaml": LOOSER,
    "version.yaml": OTHER_VERSION,
  };
});

afterAll(() => server?.stop());

async function create(text: string): Promise<void> {
  const [document] = readFile("made.yaml", text).documents;
  if (document === undefined) throw new Error("no document");
  const { code, text: message } = await server.create(document.object);
  if (code >= 300) throw new Error(message);
}

function widget(name: string, size: number): string {
  return `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: ${name}, namespace: default}\nspec: {size: ${size}, mode: a}\n`;
}

const CLUSTER = ["--kubeconfig", "@/kubeconfig.yaml"];

async function live(): Promise<JsonObject> {
  const response = await server.app.fetch(
    new Request(`${server.url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com`, {
      headers: { authorization: `Bearer ${server.token}` },
    }),
  );
  const json = fromPlain(await response.json());
  return isObject(json) ? json : {};
}

test("preflight fails before anything is applied, and applies nothing", async () => {
  const before = await live();
  const { code, stdout } = await runCommand(preflight, ["-f", "@/tight.yaml", ...CLUSTER], files);
  expect(code).toBe(1);
  expect(stdout).toContain(
    "CustomResourceDefinition widgets.example.com failed upgrade safety validation `ChangeValidator`: version v1, field .spec.size",
  );
  expect(stdout).toContain('"spec":{"size":10}');
  expect(await live()).toEqual(before);
});

// biome-ignore format: a table
test.each([
  { name: "a safe upgrade passes", file: "loose.yaml", code: 0, says: "1 change proved safe" },
  { name: "the version that objects are stored in must stay", file: "version.yaml", code: 1, says: "stored version `v1` was removed" },
])("preflight with a cluster: $name", async ({ file, code, says }) => {
  const outcome = await runCommand(preflight, ["-f", `@/${file}`, ...CLUSTER], files);
  expect(outcome.stdout).toContain(says);
  expect(outcome.code).toBe(code);
});

test("preflight accepts a CRD that the cluster does not have", async () => {
  const made = { ...files, "new.yaml": WIDGET_CRD.replaceAll("widgets", "sprockets").replace("Widget}", "Sprocket}") };
  const { code, stdout } = await runCommand(preflight, ["-f", "@/new.yaml", ...CLUSTER], made);
  expect(code).toBe(0);
  expect(stdout).toContain("definition `sprockets.example.com` is new");
});

test("a scan reads all objects of the kind from the cluster", async () => {
  const { code, stdout } = await runCommand(crdScan, ["@/tight.yaml", "--margins", ...CLUSTER], files);
  expect(code).toBe(1);
  expect(stdout).toContain("1 of 3 invalid, 0 lose data, 0 get defaults");
  expect(stdout).toContain("default/large");
  expect(stdout).toContain('patch    [{"op":"replace","path":"/spec/size","value":5}]');
  expect(stdout).toContain("1 in namespace default");
  expect(stdout).toContain(".spec.size: most observed 7, maximum 5");
  expect((await runCommand(crdScan, ["@/loose.yaml", ...CLUSTER], files)).code).toBe(0);
});

// biome-ignore format: a table
test.each([
  { name: "the CRDs of the other side", args: ["kube:", "@/tight.yaml"], code: 1, says: "`maximum` changed from `10` to `5`", not: "gadgets" },
  { name: "one definition", args: ["kube:widgets.example.com", "@/loose.yaml"], code: 0, says: "1 change proved safe", not: "gadgets" },
  { name: "everything", args: ["kube:*", "@/loose.yaml"], code: 1, says: "definition `gadgets.example.com` is gone", not: "Q10" },
  { name: "as the new side", args: ["@/loose.yaml", "kube:"], code: 1, says: "`maximum` changed from `50` to `10`", not: "gadgets" },
])("crd diff takes a cluster as a side: $name", async ({ args, code, says, not }) => {
  const outcome = await runCommand(crdDiff, [...args, ...CLUSTER], files);
  expect(outcome.stdout).toContain(says);
  expect(outcome.stdout).not.toContain(not);
  expect(outcome.code).toBe(code);
});

// biome-ignore format: a table
test.each([
  { name: "a CRD that does not exist", args: ["kube:nope.example.com", "@/tight.yaml", ...CLUSTER], says: "the cluster has no CRD `nope.example.com`" },
  { name: "a context that does not exist", args: ["kube:", "@/tight.yaml", ...CLUSTER, "--context", "nope"], says: "no context `nope`" },
  { name: "no kubeconfig", args: ["kube:", "@/tight.yaml", "--kubeconfig", "@/missing.yaml"], says: "no kubeconfig at" },
  { name: "a cluster on both sides", args: ["kube:", "kube:", ...CLUSTER], says: "only one of the two" },
])("crd diff: $name is an error", async ({ args, says }) => {
  const run = runCommand(crdDiff, args, files);
  await expect(run).rejects.toThrow(UsageError);
  await expect(run).rejects.toThrow(says);
});

test("an unreachable or refusing cluster is an error", async () => {
  const stopped = await startServer();
  const gone = stopped.kubeconfig();
  await stopped.stop();
  const made = { ...files, "gone.yaml": gone, "stranger.yaml": server.kubeconfig().replace(server.token, "wrong") };
  for (const kubeconfig of ["@/gone.yaml", "@/stranger.yaml"]) {
    for (const run of [
      () => runCommand(preflight, ["-f", "@/tight.yaml", "--kubeconfig", kubeconfig], made),
      () => runCommand(crdScan, ["@/tight.yaml", "--kubeconfig", kubeconfig], made),
      () => runCommand(crdDiff, ["kube:", "@/tight.yaml", "--kubeconfig", kubeconfig], made),
    ])
      await expect(run()).rejects.toThrow(UsageError);
  }
});
