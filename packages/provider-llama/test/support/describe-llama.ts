import { describe } from "vitest";

/** Whether tests that need llama.cpp must run. */
export const isRequired = process.env.COGENCY_REQUIRE_LLAMA === "1";

/** Why llama.cpp cannot be loaded on this machine; undefined if it can. */
export async function libraryProblem(): Promise<string | undefined> {
  try {
    const { getLlama } = await import("node-llama-cpp");
    // Loads what was compiled for this machine, and nothing of it stays.
    await getLlama({ dryRun: true, gpu: false, progressLogs: false, debug: false });
    return undefined;
  } catch (error) {
    return (error as Error).message.split("\n")[0];
  }
}

/** For tests that need llama.cpp. With COGENCY_REQUIRE_LLAMA=1 they always run, and fail if it does not load. */
export const describeLlama = describe.runIf(isRequired || (await libraryProblem()) === undefined);
