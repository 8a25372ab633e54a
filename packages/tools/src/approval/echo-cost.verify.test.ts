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
  it("has one limit for all calls of a batch: once it is used up, a call counts as an echo", async () => {
    const begun = cpu();
    const executions = await executorOf([read]).run(reads(1000), contextOf([finished(beginnings)]));
    expect(cpu() - begun).toBeLessThan(3000);
    expect(executions[0]?.outcome).toBe("success");
    expect(executions.at(-1)).toMatchObject({ outcome: "denied", error: { message: /stands in a result of scrape/ } });
    // What cannot stand there is not asked about.
    const other = freeTool("other", () => "done");
    const calls = [...reads(300), { name: "other", args: { n: 1 } }];
    const mixed = await executorOf([read, other]).run(calls, contextOf([finished(beginnings)]));
    expect(mixed.at(-1)?.outcome).toBe("success");
  });

  it("reads a text once, also if each batch gets a new copy of the log", async () => {
    const code = "function f(a) { return `C:\\\\x\\n $(a) 50%41 &amp; ok`; }\n".repeat(1000);
    const events = Array.from({ length: 10 }, (_, index) => finished(code + index));
    const costs: number[] = [];
    for (const name of ["first", "second"]) {
      const tool = freeTool(name, () => 1, { annotations: { readOnlyHint: true } });
      const given = structuredClone(events);
      const begun = cpu();
      await executorOf([tool]).run([{ name, args: { n: 1 } }], contextOf(given));
      costs.push(cpu() - begun);
    }
    expect(costs[1]).toBeLessThan((costs[0] as number) / 2);
  });

  it("finds a call that is encoded once in any text, and one encoded twice in a text that the model sees whole", async () => {
    const call = { name: "read", args: { file: "a b" } };
    const text = JSON.stringify(call);
    const once = JSON.stringify(text).slice(1, -1);
    const twice = JSON.stringify(once).slice(1, -1);
    const filler = (length: number) => "word &amp; more\\n ".repeat(length / 16);
    const cases = [
      [filler(2_000_000) + once, "denied"],
      [filler(64_000) + twice, "denied"],
      [filler(2_000_000), "success"],
    ] as const;
    for (const [content, outcome] of cases) {
      const [execution] = await executorOf([read]).run([call], contextOf([finished(content)]));
      expect(execution?.outcome).toBe(outcome);
    }
  });
});
