/**
 * The published packages run anywhere: they bundle for a browser without a Node module, and the bundle works in a realm
 * without Node and without the right to compile code from text (a strict Content-Security-Policy).
 */
import { isBuiltin } from "node:module";
import vm from "node:vm";
import { type BuildResult, build } from "esbuild";
import { describe, expect, test } from "vitest";

interface Sample {
  readonly name: string;
  /** An ES module whose default export is a text that proves that the package works. */
  readonly source: string;
  readonly expected: string;
}

const samples: readonly Sample[] = [
  {
    name: "@portcullis/cel",
    source: `
      import { Environment, INT } from "@portcullis/cel";
      const env = new Environment({ variables: { x: INT } });
      const compiled = env.compile("[1, 2, x].exists(n, n > 2 && 'n' + string(n) == 'n3')");
      const planned = env.program(compiled.ast);
      const bad = env.compile("x +");
      export default String(planned.program.evaluate({ x: 3 }).value) + " " + bad.text.split("\\n")[0].slice(0, 40);
    `,
    expected: "true ERROR: <input>:1:4: Syntax error: mismat",
  },
  {
    name: "@portcullis/engine",
    source: `
      import { kubernetesEnvironment } from "@portcullis/engine/kubecel";
      const env = kubernetesEnvironment({ version: "1.36", mode: "stored" });
      const compiled = env.compile("quantity('1Gi').isGreaterThan(quantity('1G')) && ip('::1').isLoopback()");
      export default String(env.program(compiled.ast).program.evaluate({}).value);
    `,
    expected: "true",
  },
];

describe.each(samples)("$name in a browser", ({ source, expected }) => {
  test("needs no Node module", async () => {
    const { metafile } = await bundle(source);
    const inputs = Object.values(metafile?.inputs ?? {}).flatMap((input) => input.imports.map(({ path }) => path));
    expect(inputs.filter((path) => isBuiltin(path))).toEqual([]);
  });

  test("works without Node's globals and without compiling code from text", async () => {
    const { outputFiles } = await bundle(source);
    const context = vm.createContext({}, { codeGeneration: { strings: false, wasm: false } });
    const code = outputFiles?.[0]?.text ?? "";
    expect(vm.runInContext(`${code};sample.default`, context)).toBe(expected);
  });
});

function bundle(source: string): Promise<BuildResult> {
  return build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: "ts" },
    bundle: true,
    write: false,
    metafile: true,
    format: "iife",
    globalName: "sample",
    platform: "browser",
    target: "es2022",
    conditions: ["portcullis-source"],
    logLevel: "silent",
  });
}
