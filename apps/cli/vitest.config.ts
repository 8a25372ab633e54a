import preset from "@tooling/vitest";
import { mergeConfig } from "vitest/config";

export default mergeConfig(preset, {
  test: {
    globalSetup: ["@tooling/postgres/setup", "./test/support/sandbox-setup.ts", "./test/support/terminal-setup.ts"],
  },
});
