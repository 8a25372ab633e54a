import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Begins with the file that takes longest, so that no worker waits for another one's at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification) => moduleId.endsWith("/documents.verify.test.ts");
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

/** The tests of all packages in one run, with as many workers as there are cores. */
export default defineConfig({
  root: fileURLToPath(new URL("../../", import.meta.url)),
  test: {
    projects: ["{packages,apps,tooling}/*/vitest.config.ts"],
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    // Milliseconds from which a test has a line of its own.
    slowTestThreshold: 10_000,
    reporters: ["default", "json"],
    outputFile: { json: "node_modules/.report/vitest.json" },
  },
});
