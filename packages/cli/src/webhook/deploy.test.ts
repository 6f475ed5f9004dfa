import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { builtinResources } from "@portcullis/engine/internal/builtin/builtin";
import { decodeDocuments } from "@portcullis/engine/internal/codec/documents";
import { toPlain } from "@portcullis/engine/internal/value/copy";
import { afterEach, beforeEach, expect, test } from "vitest";
import { webhook } from "../commands/webhook.ts";
import { eventually, type Json, NAME, NAMESPACE, TestCluster } from "./cluster.testing.ts";

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../../webhook/deploy");

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await TestCluster.start();
});
afterEach(() => cluster.stop());

/** In the order in which kubectl would apply them. */
function manifests(): Json[] {
  const texts = readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .sort();
  return texts.flatMap((file) =>
    decodeDocuments(readFileSync(path.join(folder, file), "utf8"), {}).map(({ document }) => {
      if (document.error !== undefined) throw new Error(`${file}: ${document.error}`);
      return toPlain(document.value);
    }),
  );
}

function collectionOf({ apiVersion, kind, metadata }: Json): string {
  const found = builtinResources().find((each) => {
    return each.kind === kind && apiVersion === (each.group === "" ? each.version : `${each.group}/${each.version}`);
  });
  const base = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${base}${metadata.namespace ? `/namespaces/${metadata.namespace}` : ""}/${found?.plural}`;
}

test("the manifests are accepted with strict field validation", async () => {
  const others = manifests().filter(({ kind }) => kind !== "Namespace");
  expect(others.length).toBeGreaterThan(8);
  for (const manifest of others) {
    const made = await cluster.send("POST", `${collectionOf(manifest)}?fieldValidation=Strict`, manifest);
    expect(made.metadata?.uid, JSON.stringify(made)).toBeDefined();
  }
});

test("the manifests use the default names of the command", () => {
  const all = manifests();
  const names = (kind: string): Json[] => all.filter((each) => each.kind === kind).map(({ metadata }) => metadata);
  expect(names("Service")).toMatchObject([{ name: NAME, namespace: NAMESPACE }]);
  expect(names("Namespace")).toMatchObject([{ name: NAMESPACE }]);
  const options = JSON.stringify(webhook.manual?.options);
  expect(options).toContain(`(default ${NAMESPACE})`);
  expect(options).toContain(`(default ${NAME})`);
});

test("the access that the manifests grant is sufficient", async () => {
  for (const manifest of manifests().filter(({ kind }) => !["Namespace", "Deployment"].includes(kind))) {
    await cluster.create(collectionOf(manifest), manifest);
  }
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${NAME}/token`;
  const { status } = await cluster.send("POST", path, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: {},
  });
  const problems: string[] = [];
  await cluster.startWebhook({
    access: { server: cluster.url, token: () => status.token },
    log: (text) => problems.push(text),
  });
  await cluster.enforce("by-access", {
    validations: [
      { expression: "authorizer.group('').resource('secrets').check('get').allowed()", message: "no access" },
    ],
  });
  await eventually(async () => expect((await cluster.admit("by-access")).message).toContain("no access"));
  expect(problems.filter((text) => !text.startsWith("webhook configuration written"))).toEqual([]);
  expect(await cluster.entries()).toHaveLength(1);
});
