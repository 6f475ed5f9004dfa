import { defineConfig } from "vitest/config";

/** Tests read the packages' sources directly; nothing has to be built for them. */
export default defineConfig({
  resolve: { conditions: ["portcullis-source", "node", "import", "default"] },
  ssr: { resolve: { conditions: ["portcullis-source", "node", "import", "default"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "conformance/**/*.test.ts"],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    reporters: ["default", "./tools/count-reporter.mjs"],
  },
});
