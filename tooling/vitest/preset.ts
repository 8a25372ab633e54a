import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** `pnpm test` runs every file but these, `pnpm verify` only these: kills, attacks, mutants of kits, whole days. */
const long = "{src,test}/**/*.verify.test.ts";
const isVerify = process.env.COGENCY_TESTS === "verify";

/**
 * Tests stand beside the source. `tsc` checks the type tests: `pnpm typecheck`.
 *
 * Nothing is asserted about the time that a test takes. The limits are there to end a test that hangs: on a machine with
 * much other work a test may take ten times as long as it does alone.
 */
export default defineConfig({
  test: {
    include: isVerify ? [long] : ["{src,test}/**/*.test.ts"],
    exclude: ["**/node_modules/**", ...(isVerify ? [] : [long])],
    // Files share their workers and the modules in them: a run takes half the time. Tests leave no global state behind.
    isolate: false,
    // One more than vitest's own default, which leaves a core of two to itself.
    maxWorkers: availableParallelism(),
    // The processes that tests start do not compile the same files again, nor strip their types.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("./node_modules/.caches/node", import.meta.url)) },
    testTimeout: isVerify ? 600_000 : 120_000,
    hookTimeout: isVerify ? 600_000 : 120_000,
    // vitest's own limit is one second, in which a busy machine may not have started a process.
    expect: { poll: { timeout: 60_000 } },
  },
});
