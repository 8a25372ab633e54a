import { describe, expect, it, vi } from "vitest";
import { createExecutor } from "../create-executor.ts";
import { defineTool } from "../define-tool.ts";
import type { BatchContext, Journal } from "../executor.ts";
import { createRegistry } from "../registry.ts";
import { toToolResult } from "../result/tool-result.ts";
import type { Tool } from "../tool.ts";
import type { ToolChanges } from "../tool-changes.ts";

const still: ToolChanges = { since: () => undefined, had: () => false, isRedefined: () => false };
const call = { name: "github__star", args: {}, id: "call_1" };

/** A tool of a server, and what its calls did. */
function starring(more: Partial<Parameters<typeof defineTool>[0]> = {}) {
  const body = vi.fn(() => "starred");
  const tool = defineTool({
    name: "github__star",
    description: "Star it.",
    input: { type: "object", properties: {} },
    definedBy: "https://mcp.example.com/mcp",
    execute: body,
    ...more,
  }) as Tool;
  return { tool, body };
}

const run = (tools: readonly Tool[], context: Partial<BatchContext>, called = call) =>
  createExecutor({ registry: createRegistry(tools) }).run([called], { conversation: "c", ...context });

/** A journal in memory. While `question` or `started` is written, `during` runs. */
function journalWith(during: Partial<Record<"question" | "started", () => void>>): Journal & { kinds: string[] } {
  const kinds: string[] = [];
  const note = (kind: string, then?: () => void) => async () => {
    kinds.push(kind);
    then?.();
  };
  return {
    kinds,
    question: note("question", during.question),
    approval: note("approval"),
    started: note("started", during.started),
    finished: note("finished"),
  };
}

describe("a call of a tool that may change", () => {
  it("runs while its tool is what was offered", async () => {
    const { tool, body } = starring();
    const [execution] = await run([tool], { changes: still });
    expect(execution).toMatchObject({ outcome: "success", value: "starred" });
    expect(body).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["changed", "tool_changed", "The tool github__star has changed since it was offered, so this call did not run."],
    ["gone", "tool_gone", "The tool github__star is not there any more, so this call did not run."],
  ] as const)("does not run once its tool is %s, and says so", async (what, code, sentence) => {
    const { tool, body } = starring();
    const journal = journalWith({});
    const [execution] = await run([tool], { changes: { ...still, since: () => what }, journal });
    expect(execution).toMatchObject({ outcome: "failure", started: false, settled: true, error: { code } });
    expect(execution && toToolResult(execution).content).toContain(sentence);
    expect(body).not.toHaveBeenCalled();
    expect(journal.kinds).toEqual([]);
  });

  it.each(["question", "started"] as const)(
    "does not run if its tool changes while its %s is written",
    async (when) => {
      const { tool, body } = starring({ approval: "ask" });
      let what: "changed" | undefined;
      const change = () => {
        what = "changed";
      };
      const journal = journalWith({ [when]: change });
      const changes = { ...still, since: () => what };
      const [execution] = await run([tool], { changes, journal, approve: () => true });
      expect(execution).toMatchObject({ outcome: "failure", started: false, error: { code: "tool_changed" } });
      expect(body).not.toHaveBeenCalled();
      // What the log says began has an end there.
      const started = when === "started" ? ["started", "finished"] : [];
      expect(journal.kinds).toEqual(["question", "approval", ...started]);
    },
  );

  it("does not run early once its tool has changed", async () => {
    const { tool, body } = starring({ annotations: { readOnlyHint: true } });
    const executor = createExecutor({ registry: createRegistry([tool]), earlyStart: true });
    const batch = executor.open({ conversation: "c", changes: { ...still, since: () => "changed" } });
    batch.add(call);
    expect(await batch.run()).toMatchObject([{ outcome: "failure", error: { code: "tool_changed" } }]);
    expect(body).not.toHaveBeenCalled();
  });

  it("has a sentence of its own where the model knew the tool from before", async () => {
    const { tool } = starring();
    const changes = { ...still, had: (name: string) => name === "github__old" };
    const [old] = await run([tool], { changes }, { ...call, name: "github__old" });
    expect(old?.error).toMatchObject({ code: "tool_gone" });
    const [never] = await run([tool], { changes }, { ...call, name: "github__never" });
    expect(never?.error).toMatchObject({ code: "unknown_tool" });
  });

  it.each(["allow", "allow_anyway"] as const)(
    "asks where the model knew another definition, also with the rule %s",
    async (rule) => {
      const { tool, body } = starring();
      const registry = createRegistry([tool]);
      const executor = createExecutor({ registry, approval: { policy: { tools: { [tool.name]: rule } } } });
      const changes = { ...still, isRedefined: (one: Tool) => one === tool };
      const approve = vi.fn(({ concerns }) => concerns.every(({ kind }: { kind: string }) => kind !== "changed"));
      const [asked] = await executor.run([call], { conversation: "c", changes, approve });
      expect(asked?.outcome).toBe("denied");
      expect(approve.mock.calls[0]?.[0].concerns).toMatchObject([{ kind: "changed" }]);
      const [unasked] = await executor.run([call], { conversation: "c", changes });
      expect(unasked?.error?.message).toContain("The tool github__star has changed since this call was written");
      expect(body).not.toHaveBeenCalled();
    },
  );
});
