import { defineConfig } from "vitest/config";

/**
 * Tests stand beside the source; the JSON report is what the workspace's closing line is counted from.
 * Type tests are checked by `tsc` as part of the same run, which costs nothing where there are none.
 */
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    typecheck: { enabled: true, include: ["src/**/*.test-d.ts", "test/**/*.test-d.ts"] },
    reporters: ["default", "json"],
    outputFile: { json: "node_modules/.report/vitest.json" },
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
