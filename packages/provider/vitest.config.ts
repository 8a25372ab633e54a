import { availableParallelism } from "node:os";
import preset from "@tooling/vitest";
import { mergeConfig } from "vitest/config";

/**
 * Most of these tests wait for timers and servers, so two workers help even on two cores, where vitest starts only one. A
 * process for each file would take longer to start than most files take to run.
 */
export default mergeConfig(preset, {
  test: { isolate: false, maxWorkers: Math.max(2, availableParallelism() - 1) },
});
