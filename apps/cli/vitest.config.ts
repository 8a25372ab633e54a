import preset from "@tooling/vitest";
import { mergeConfig } from "vitest/config";

/** `pnpm verify` runs the tests in `test/` again, and starts the built command in a process of its own for each call. */
const isVerify = process.env.COGENCY_TESTS === "verify";
const include = isVerify ? ["test/**/*.test.ts"] : [];
const ofVerify = isVerify ? ["../../packages/provider-llama/test/support/library-setup.ts"] : [];

export default mergeConfig(preset, {
  test: {
    include,
    globalSetup: [
      "@tooling/postgres/setup",
      "./test/support/sandbox-setup.ts",
      "./test/support/terminal-setup.ts",
      ...ofVerify,
    ],
  },
});
