import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const typeTests = ["src/**/*.test-d.ts", "test/**/*.test-d.ts"];

/**
 * Tests stand beside the source; the JSON report is what the workspace's closing line is counted from.
 * Type tests are checked by `tsc` as part of the same run, in packages that have some.
 */
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    typecheck: { enabled: globSync(typeTests).length > 0, include: typeTests },
    reporters: ["default", "json"],
    outputFile: { json: "node_modules/.report/vitest.json" },
    // Files share their workers and the modules in them: a run takes half the time. Tests leave no global state behind.
    isolate: false,
    // The processes that tests start do not compile the same files again, nor strip their types.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("./node_modules/.caches/node", import.meta.url)) },
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
