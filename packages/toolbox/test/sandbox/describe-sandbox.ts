import { describe } from "vitest";
import { findIsolation } from "../../src/sandbox/bubblewrap.ts";

/** Whether this machine isolates programs; tests that need it are skipped where it does not. */
export const isSandboxed = findIsolation().isolated;

/** With COGENCY_REQUIRE_BWRAP=1 they run in any case, and fail. */
export const describeSandbox = describe.runIf(isSandboxed || process.env.COGENCY_REQUIRE_BWRAP === "1");
