import { defineConfig } from "vitest/config";

/** Tests stand beside the source; the JSON report is what the workspace's closing line is counted from. */
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    typecheck: { include: ["src/**/*.test-d.ts"] },
    reporters: ["default", "json"],
    outputFile: { json: "node_modules/.report/vitest.json" },
    testTimeout: 20_000,
  },
});
