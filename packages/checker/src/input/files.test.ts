import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { expect, test } from "vitest";
import { listInputs } from "./files.ts";

function folderWith(...files: readonly string[]): string {
  const folder = scratchFolder();
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), "");
  }
  return folder;
}

test("links to files are followed, links to folders are not", () => {
  const folder = folderWith("a/one.yaml", "b/two.yaml", "a/note.txt");
  symlinkSync("..", path.join(folder, "a", "up"));
  symlinkSync("../b", path.join(folder, "a", "folder.yaml"));
  symlinkSync("../b/two.yaml", path.join(folder, "a", "link.yaml"));
  symlinkSync("nowhere", path.join(folder, "a", "nowhere.yaml"));
  const found = listInputs([path.join(folder, "a")]).map(({ file }) => path.basename(file));
  expect(found).toEqual(["link.yaml", "nowhere.yaml", "one.yaml"]);
});

test("folders with a file extension are read as folders, hidden folders are skipped", () => {
  const folder = folderWith("x.yaml/one.json", "node_modules/p/two.yaml", ".git/three.yaml");
  expect(listInputs([folder]).map(({ file }) => path.basename(file))).toEqual(["one.json"]);
});
