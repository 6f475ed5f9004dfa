import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

/** The names that a module exports, with the file that declares each. */
function exportsOf(module: string) {
  const statements = read(module).matchAll(/export (?:type )?\{([^}]*)\} from "(\.[^"]+)"/g);
  return [...statements].flatMap(([, names = "", file = ""]) =>
    names
      .split(",")
      .map((name) => name.trim().replace(/^type /, ""))
      .filter((name) => name !== "")
      .map((name) => ({ name, file })),
  );
}

const names = exportsOf("./index.ts");

test("the public API has about 60 names", () => {
  expect(names.length).toBeGreaterThan(50);
  expect(names.length).toBeLessThanOrEqual(70);
});

test.each(names)("$name is documented with an example", ({ name, file }) => {
  const declaration = new RegExp(
    `/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\n(?://.*\\n)*export (?:abstract )?(?:class|const|function|interface|type) ${name}\\b`,
  );
  expect(declaration.exec(read(file))?.[1]).toMatch(/@example\s|Example: `|`\w+\(/);
});
