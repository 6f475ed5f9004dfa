import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { expect, test, vi } from "vitest";
import { Disk } from "./disk.ts";
import { listInputs } from "./files.ts";

function folderWith(...files: readonly string[]): string {
  const folder = scratchFolder();
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), "");
  }
  return folder;
}

test("links to files are followed, links to folders are not, broken links are reported", () => {
  const folder = folderWith("a/one.yaml", "b/two.yaml", "a/note.txt");
  symlinkSync("..", path.join(folder, "a", "up"));
  symlinkSync("../b", path.join(folder, "a", "folder.yaml"));
  symlinkSync("../b/two.yaml", path.join(folder, "a", "link.yaml"));
  symlinkSync("nowhere", path.join(folder, "a", "nowhere.yaml"));
  const { files, problems } = listInputs([path.join(folder, "a")]);
  expect(files.map(({ file }) => path.basename(file))).toEqual(["link.yaml", "one.yaml"]);
  expect(problems).toMatchObject([{ rule: "input/broken-link", severity: "warning" }]);
  expect(path.basename(problems[0]?.file ?? "")).toBe("nowhere.yaml");
});

test("a link that points to itself and a folder that cannot be read are reported, and the rest is listed", () => {
  const folder = folderWith("a.yaml", "locked/b.yaml", "open/c.yaml");
  symlinkSync("loop.yaml", path.join(folder, "loop.yaml"));
  const denied = Object.assign(new Error("denied"), { code: "EACCES" });
  const { entries } = Disk.prototype;
  // A test may run as a user who can read everything.
  vi.spyOn(Disk.prototype, "entries").mockImplementation(function (this: Disk, place) {
    if (place.endsWith("locked")) throw denied;
    return entries.call(this, place);
  });
  try {
    const { files, problems } = listInputs([folder]);
    expect(files.map(({ file }) => path.basename(file))).toEqual(["a.yaml", "c.yaml"]);
    expect(problems.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
      "input/unreadable: no permission to read the folder",
      "input/broken-link: the link points to itself",
    ]);
    expect(() => listInputs([path.join(folder, "locked")])).toThrow("denied");
  } finally {
    vi.restoreAllMocks();
  }
});

test("modules that Go vendored are skipped, other folders of that name are not", () => {
  const folder = folderWith("vendor/modules.txt", "vendor/k8s.io/one.yaml", "deploy/vendor/two.yaml");
  expect(listInputs([folder]).files.map(({ file }) => path.basename(file))).toEqual(["two.yaml"]);
  expect(listInputs([path.join(folder, "vendor")]).files).toHaveLength(1);
});

test("folders with a file extension are read as folders, hidden folders are skipped", () => {
  const folder = folderWith("x.yaml/one.json", "node_modules/p/two.yaml", ".git/three.yaml");
  expect(listInputs([folder]).files.map(({ file }) => path.basename(file))).toEqual(["one.json"]);
});
