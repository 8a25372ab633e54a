import preset from "@tooling/vitest";
import { mergeConfig } from "vitest/config";

/** Commands that `pnpm test` carries out in its own process get one of their own: the same tests, of what is built. */
const include = process.env.COGENCY_TESTS === "verify" ? ["test/**/*.test.ts"] : [];

export default mergeConfig(preset, {
  test: {
    include,
    globalSetup: ["@tooling/postgres/setup", "./test/support/sandbox-setup.ts", "./test/support/terminal-setup.ts"],
  },
});
