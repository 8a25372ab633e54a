import type { LogEvent, ToolCall } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { batchContext, executorOf, freeTool } from "../../test/support/fixtures.ts";

const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const read = freeTool("read", () => "text", { annotations: { readOnlyHint: true } });

/** Escapes within escapes, which can be read in many ways. */
const ambiguous =
  "\\\\u005cu0026 &amp;#37;41 %255cu0026amp; \\x26#92;x25 %26lt; &#92;u0025 \\u0025\\u0032 &amp;amp;amp; %252525 ";
const beginnings = ambiguous + "read({file:".repeat(6000);

function finished(content: string): LogEvent {
  const result = { tool: "scrape", status: "success", content } as const;
  return { type: "record", kind: "finished", data: { id: "call_x", result }, timestamp: 1 };
}

function reads(count: number): ToolCall[] {
  return Array.from({ length: count }, (_, index) => ({ name: "read", args: { file: `a${index}` } }));
}

function contextOf(events: readonly LogEvent[], signal?: AbortSignal) {
  return batchContext({ state: { events, metadata: {}, step: 1, usage }, signal });
}

/** Milliseconds of the processor. */
function cpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

describe("the search for echoes in texts made to take long", () => {
  it("yields to other work, and stops when the run is cancelled", async () => {
    const user = new AbortController();
    let longest = 0;
    let last = cpu();
    let turns = 0;
    const watching = setInterval(() => {
      const now = cpu();
      longest = Math.max(longest, now - last);
      last = now;
      turns += 1;
      if (turns === 3) user.abort();
    }, 1);
    const executions = await executorOf([read]).run(reads(2000), contextOf([finished(beginnings)], user.signal));
    clearInterval(watching);
    expect(turns).toBeGreaterThanOrEqual(3);
    expect(executions).toHaveLength(2000);
    expect(executions.at(-1)?.outcome).toBe("cancelled");
    expect(longest).toBeLessThan(400);
  });

  it("stays within its limit for a large batch after reading logs of calls", async () => {
    const line = (index: number) => `${JSON.stringify({ name: "read", args: { file: `log${index}.md` } })}\n`;
    const log = finished(Array.from({ length: 1500 }, (_, index) => line(index)).join(""));
    const executions = await executorOf([read]).run(reads(40), contextOf([log]));
    expect(new Set(executions.map(({ outcome }) => outcome))).toEqual(new Set(["success"]));
    const [echo] = await executorOf([read]).run([{ name: "read", args: { file: "log7.md" } }], contextOf([log]));
    expect(echo?.outcome).toBe("denied");
  });

  it("accepts impossible arguments that a hook has replaced", async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`);
    const hooks = [{ name: "repair", beforeToolUse: () => ({ call: { args: { file: "a.md" } } }) }];
    const calls = [null, "text", deep].map((args) => ({ name: "read", args }));
    const executions = await executorOf([read], { hooks }).run(calls, contextOf([finished("read({file: b.md})")]));
    expect(executions.map(({ outcome }) => outcome)).toEqual(["success", "success", "success"]);
  });

  it("puts the questions in call order, however long each call takes", async () => {
    const asked: unknown[] = [];
    const approve = async ({ call }: { call: ToolCall }) => asked.push(call.args.file) > 0;
    const executor = executorOf([read], { approval: { policy: () => "ask", approve } });
    const executions = await executor.run(reads(60), contextOf([finished(beginnings)]));
    expect(asked).toEqual(reads(60).map(({ args }) => args.file));
    expect(executions.every(({ outcome }) => outcome === "success")).toBe(true);
  });
});
