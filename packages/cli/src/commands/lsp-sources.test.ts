/** CRDs that the language server takes from elsewhere, by its setting `crds`. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { tarGzOf } from "@portcullis/checker/internal/input/archives.testing";
import { readFile } from "@portcullis/checker/internal/input/documents";
import { CRD, startEditor, WIDGET } from "@portcullis/lsp/internal/server/workspace.testing";
import { startServer } from "@portcullis/server";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { expect, onTestFinished, test } from "vitest";
import { parseOptions } from "../frame/options.ts";
import { SOURCE_OPTIONS } from "../sources/fetch-sources.ts";
import { LibraryFolders } from "../sources/library-folders.ts";
import { writeFiles } from "./commands.testing.ts";

const FILE = "deploy/widget.yaml";
const TOO_LARGE = WIDGET.replace("size: 3", "size: 30");
const REFUSED = "spec.size: Invalid value: 30: spec.size in body should be less than or equal to 10";

const IO = { stdout: () => {}, stderr: () => {}, stdin: () => "", color: false };

function librariesWith(args: readonly string[]): LibraryFolders {
  const libraries = new LibraryFolders(parseOptions(args, SOURCE_OPTIONS), IO);
  onTestFinished(() => libraries.remove());
  return libraries;
}

test("the CRDs of a cluster are used, can be opened, and are removed at the end", async () => {
  const server = await startServer();
  onTestFinished(() => server.stop());
  for (const { object } of readFile("crd.yaml", CRD).documents) expect((await server.create(object)).code).toBe(201);
  const folder = scratchFolder();
  writeFiles(folder, { kubeconfig: server.kubeconfig() });
  const libraries = librariesWith(["--kubeconfig", path.join(folder, "kubeconfig")]);
  const folderOf = (source: string) => libraries.folderOf(source);
  const editor = await startEditor({ [FILE]: TOO_LARGE }, { settings: { crds: ["kube:"] }, server: { folderOf } });
  await editor.open(FILE, TOO_LARGE);
  expect((await editor.diagnostics(FILE)).map(({ message }) => message)).toContain(REFUSED);
  const place = await editor.definition(FILE, "si‸ze: 30");
  const definition = fileURLToPath(place?.uri ?? "");
  expect(existsSync(definition)).toBe(true);
  libraries.remove();
  expect(existsSync(definition)).toBe(false);
});

test("an archive is used", async () => {
  const folder = scratchFolder();
  writeFiles(folder, { "note.txt": "" });
  const archive = path.join(folder, "crds.tgz");
  const files = { "app/crd.yaml": CRD, "app/values.yaml": "a: 1\n", "app/example.org/part_v1.json": "{}" };
  writeFileSync(archive, tarGzOf(files));
  const library = await librariesWith([]).folderOf(archive);
  expect(readdirSync(library ?? "", { recursive: true }).sort()).toEqual([
    expect.stringMatching(/crd\.yaml$/),
    "example.org",
    "example.org/part_v1.json",
  ]);
});

test("a source that cannot be read is reported, and the others are used", async () => {
  const folder = scratchFolder();
  writeFiles(folder, { "crds/widget.yaml": CRD });
  const libraries = librariesWith(["--kubeconfig", path.join(folder, "missing")]);
  const editor = await startEditor(
    { [FILE]: TOO_LARGE },
    {
      settings: { crds: ["kube:", path.join(folder, "crds")] },
      server: { folderOf: (source) => libraries.folderOf(source) },
    },
  );
  await editor.open(FILE, TOO_LARGE);
  expect((await editor.diagnostics(FILE)).map(({ message }) => message)).toContain(REFUSED);
  expect(editor.warnings).toEqual([expect.stringContaining("the CRDs of kube: are not used: no kubeconfig at")]);
});
