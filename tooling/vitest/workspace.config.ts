import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The tests of all packages in one run, with as many workers as there are cores. */
export default defineConfig({
  root: fileURLToPath(new URL("../../", import.meta.url)),
  test: {
    projects: ["{packages,apps,tooling}/*/vitest.config.ts"],
    maxWorkers: availableParallelism(),
    // Milliseconds from which a test has a line of its own.
    slowTestThreshold: 10_000,
    reporters: ["default", "json"],
    outputFile: { json: "node_modules/.report/vitest.json" },
  },
});
