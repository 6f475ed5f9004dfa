/** What browser bundles of the engine have in common, as plugins of esbuild. */
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const replacements = path.join(root, "packages/checker/src/browser");
const builtinKinds = path.join(root, "packages/engine/src/builtin/kinds/kinds.ts");
const cel = path.join(root, "packages/cel/src/parse");

/**
 * The messages of syntax errors in expressions need a parser that is as large as the rest of the language. A
 * replacement asks for it; `portcullis-lazy:cel-syntax-errors` is the real one.
 */
export function lazySyntaxErrors() {
  return {
    name: "lazy syntax errors",
    setup(build) {
      build.onResolve({ filter: /^\.\/syntax-errors\.ts$/ }, ({ importer }) =>
        importer === path.join(cel, "parser.ts") ? { path: path.join(replacements, "syntax-errors.ts") } : undefined,
      );
      build.onResolve({ filter: /^portcullis-lazy:cel-syntax-errors$/ }, () => ({
        path: path.join(cel, "syntax-errors.ts"),
      }));
    },
  };
}

/**
 * The rules of built-in kinds are half of the engine. A replacement asks for them; `portcullis-lazy:builtin-kinds` is
 * the real module.
 */
export function lazyBuiltinKinds() {
  return {
    name: "lazy built-in kinds",
    setup(build) {
      build.onResolve({ filter: /\/kinds\.ts$/ }, ({ path: name, resolveDir }) =>
        path.resolve(resolveDir, name) === builtinKinds
          ? { path: path.join(replacements, "builtin-kinds.ts") }
          : undefined,
      );
      build.onResolve({ filter: /^portcullis-lazy:builtin-kinds$/ }, () => ({ path: builtinKinds }));
    },
  };
}

/**
 * Browsers share pure functions with the command line. Some are in files with code that reads files. That code is left
 * out as unused; should any of it be used after all, the build fails.
 */
export function withoutNode() {
  return {
    name: "without node",
    setup(build) {
      build.onResolve({ filter: /^node:/ }, ({ path: name }) => ({
        path: name,
        namespace: "node",
        sideEffects: false,
      }));
      build.onLoad({ filter: /.*/, namespace: "node" }, ({ path: name }) => {
        if (name === "node:crypto")
          return { contents: `export { createHash } from "./sha256.ts";`, resolveDir: replacements };
        return { contents: "module.exports = {};" };
      });
      build.onEnd(({ metafile }) => {
        const used = Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) =>
          Object.entries(inputs).filter(([name, { bytesInOutput }]) => /^node:node:/.test(name) && bytesInOutput > 0),
        );
        const bad = used.filter(([name]) => name !== "node:node:crypto");
        if (bad.length > 0) throw new Error(`browsers would need ${bad.map(([name]) => name).join(", ")}`);
      });
    },
  };
}
