import preset from "@tooling/vitest";
import { mergeConfig } from "vitest/config";

export default mergeConfig(preset, {
  test: {
    globalSetup: ["@tooling/postgres/setup", "@tooling/redis/setup"],
    // Examples run beside each other, each in a process of its own.
    maxConcurrency: 2,
  },
});
