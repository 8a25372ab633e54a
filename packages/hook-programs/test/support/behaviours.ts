import { rm } from "node:fs/promises";
import { expect, it } from "vitest";
import type { HookPoint } from "../../src/index.ts";
import { conversation, hooked, newFolder } from "./hooked.ts";

/** What a program does, and how its call ends at a guard and at a watcher. */
const behaviours: readonly (readonly [string, string, guard: string, watcher: string])[] = [
  ["ends with 0", "true", "passed", "passed"],
  ["reads nothing of its input", "exec <&-; true", "passed", "passed"],
  ["prints an empty answer", "echo '{}'", "passed", "passed"],
  ["prints text", "echo formatted 3 files", "failed", "passed"],
  ["prints half an answer", `echo '{"decision": "al'`, "failed", "failed"],
  ["prints an unknown field", `echo '{"permission": "allow"}'`, "failed", "failed"],
  ["prints a field of the wrong type", `echo '{"context": 1}'`, "failed", "failed"],
  ["prints a list", "echo '[1]'", "failed", "passed"],
  ["ends with 1", "echo broken >&2; exit 1", "failed", "failed"],
  ["hangs", "sleep 600", "failed", "failed"],
  ["hangs and ignores TERM", "trap '' TERM; while :; do sleep 1; done", "failed", "failed"],
  ["floods stdout", "yes", "failed", "failed"],
  ["floods stderr", "yes >&2", "failed", "failed"],
  ["crashes", "kill -SEGV $$", "failed", "failed"],
  ["does not exist", "no-such-program --now", "failed", "failed"],
];
const isGuard = (at: HookPoint) => at === "beforePrompt" || at === "beforeToolUse";
const asking = { execution: { approval: { policy: { otherwise: "ask" as const } } } };

/** Tests what each behaviour of a program brings about at these points. */
export function behavesAt(points: readonly HookPoint[]): void {
  const cases = points.flatMap((at) =>
    behaviours.map(([what, command, guard, watcher]) => [at, what, command, isGuard(at) ? guard : watcher] as const),
  );
  it.concurrent.each(cases)("at %s that %s: %s", async (at, what, command, expected) => {
    const own = await newFolder();
    const { agent, effects, outcomes } = hooked(
      own,
      [{ at, command, timeout: what.startsWith("hangs") ? 0.5 : 100 }],
      undefined,
      asking,
    );
    const { status, text } = await agent.ask("go", { conversation, approve: () => true });
    await rm(own, { recursive: true });
    // Each point is reached once.
    expect(outcomes).toMatchObject([{ at, outcome: expected }]);
    const isStopped = expected === "failed" && isGuard(at);
    expect(effects).toEqual(isStopped ? [] : ["act a"]);
    const refusesPrompt = isStopped && at === "beforePrompt";
    expect([status, text]).toEqual(refusesPrompt ? ["failed", ""] : ["completed", "Done."]);
  });
}
