import { describe } from "vitest";
import { findIsolation } from "../../src/sandbox/bubblewrap.ts";

/** Whether this machine can isolate programs. If not, the tests that need it are skipped. */
export const isSandboxed = findIsolation().isolated;

/** With COGENCY_REQUIRE_BWRAP=1 these tests always run, and fail if the machine cannot isolate programs. */
export const describeSandbox = describe.runIf(isSandboxed || process.env.COGENCY_REQUIRE_BWRAP === "1");
