import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** What tests of several packages share is not published, so no package exports it. */
const SHARED = ["child.testing", "scratch.testing"].map((name) => ({
  find: `@portcullis/server/node/${name}`,
  replacement: fileURLToPath(new URL(`packages/server/src/node/${name}.ts`, import.meta.url)),
}));

/** Tests read the packages' sources directly; nothing has to be built for them. */
export default defineConfig({
  resolve: { alias: SHARED, conditions: ["portcullis-source", "node", "import", "default"] },
  ssr: { resolve: { conditions: ["portcullis-source", "node", "import", "default"] } },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "conformance/**/*.test.ts",
      "tools/**/*.test.mjs",
      "testservers/*.test.mjs",
    ],
    // All processors: by default one is left idle, which on a small machine is half of them.
    maxWorkers: "100%",
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ["default", "./tools/count-reporter.mjs"],
  },
});
