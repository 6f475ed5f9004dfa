/** The examples, read from their files. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { toPlain } from "@portcullis/engine/internal/value/copy";
import { type Example, readExample } from "./example.ts";

const folder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../../../examples/playground");

export function loadExamples(): Example[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => {
      const decoded = decodeYaml(readFileSync(path.join(folder, file), "utf8"), { duplicates: true });
      const problem = decoded.error ?? decoded.strictErrors[0];
      if (decoded.error !== undefined || problem !== undefined) throw new Error(`${file}: ${problem}`);
      return readExample(file, toPlain(decoded.value));
    });
}
