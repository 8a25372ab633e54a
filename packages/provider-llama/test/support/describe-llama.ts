import { describe, inject } from "vitest";

/** For tests that need llama.cpp. With COGENCY_REQUIRE_LLAMA=1 they always run: the run fails before them if it does not load. */
export const describeLlama = describe.runIf(inject("hasLlama"));
