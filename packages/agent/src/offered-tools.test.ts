import { scripted } from "@cogency/provider";
import { type Approval, defineTool, type Tool, type ToolHook } from "@cogency/tools";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { block, conversation, echo } from "../test/support/fixtures.ts";
import type { ExecutionOptions } from "./agent-options.ts";
import { createAgent } from "./create-agent.ts";

const tool = (name: string, more: Partial<Parameters<typeof defineTool>[0]> = {}): Tool =>
  defineTool({ name, description: `Use ${name}.`, input: z.object({}), execute: () => `${name} ran`, ...more });

const shell = tool("shell", { approval: "ask" });
const scrape = tool("scrape", { approval: "ask", annotations: { readOnlyHint: true } });
const wipe = tool("wipe", { approval: "deny" });
const write = tool("write", { annotations: { destructiveHint: true } });
const read = tool("read", { annotations: { readOnlyHint: true } });
const tools = [shell, scrape, wipe, write, read];
const all = tools.map(({ name }) => name);

/** What the host is told, and which tools the model hears of. */
async function told(execution: ExecutionOptions) {
  const warnings: string[] = [];
  const provider = scripted(["Hello."]);
  const agent = createAgent({ provider, tools, execution, warn: (message) => void warnings.push(message) });
  await agent.run("go").result;
  const system = provider.requests[0]?.system ?? "";
  return { warnings, offered: all.filter((name) => system.includes(`Use ${name}.`)) };
}

const approving: Approval["approve"] = async () => true;

describe("the tools that are offered to a model", () => {
  it.each<[string, ExecutionOptions, string[]]>([
    ["there are no rules and nobody to ask", {}, ["write", "read"]],
    ["there are empty rules and nobody to ask", { approval: {} }, ["read"]],
    ["a rule allows one by name", { approval: { policy: { tools: { shell: "allow" } } } }, ["shell", "read"]],
    ["a rule allows one in any case", { approval: { policy: { tools: { wipe: "allow_anyway" } } } }, ["wipe", "read"]],
    ["a function decides about one", { approval: { policy: { tools: { shell: () => "ask" } } } }, ["shell", "read"]],
    ["everything else is allowed", { approval: { policy: { otherwise: "allow" } } }, ["write", "read"]],
    [
      "what destroys is allowed, and what only reads asks",
      { approval: { policy: { annotations: { destructiveHint: "allow", readOnlyHint: "ask" } } } },
      ["write"],
    ],
    ["a function decides about all", { approval: { policy: () => "ask" } }, all],
    ["somebody can be asked", { approval: { approve: approving } }, all],
    [
      "somebody can be asked, and rules deny",
      { approval: { policy: { tools: { shell: "deny" } }, approve: approving } },
      all,
    ],
    ["a hook may make another call of one", { hooks: [{ name: "h", beforeToolUse: () => undefined }] }, all],
    ["a hook only looks at results", { hooks: [{ name: "h", afterToolUse: () => undefined }] }, ["write", "read"]],
  ])("are the tools that can run, if %s", async (_, execution, expected) => {
    const { warnings, offered } = await told(execution);
    expect(offered).toEqual(expected);
    const missing = all.filter((name) => !expected.includes(name));
    expect(warnings).toHaveLength(missing.length > 0 ? 1 : 0);
    if (missing.length === 0) return;
    expect(warnings[0]).toContain(`The model is not offered ${missing.join(", ")}:`);
    expect(warnings[0]).toContain("`execution.approval.approve`");
    expect(warnings[0]).toContain("`execution.approval.policy`");
  });

  it("leave out only tools whose calls are refused", async () => {
    const decisions = [undefined, "allow", "allow_anyway", "ask", "deny"] as const;
    for (const own of decisions) {
      for (const hint of decisions) {
        for (const otherwise of decisions) {
          const annotations = { readOnlyHint: hint, destructiveHint: hint };
          const policy = { ...(own && { tools: { shell: own, write: own } }), annotations, otherwise };
          const provider = scripted([block(...all.map((name): [string, object] => [name, {}])), "ok"]);
          const warnings: string[] = [];
          const warn = (message: string) => void warnings.push(message);
          const ran: string[] = [];
          const agent = createAgent({ provider, tools, execution: { approval: { policy } }, warn });
          agent.on("tool_started", ({ name }) => ran.push(name));
          await agent.run("go").result;
          const offered = all.filter((name) => provider.requests[0]?.system.includes(`Use ${name}.`));
          expect(ran.toSorted(), JSON.stringify(policy)).toEqual(offered.toSorted());
        }
      }
    }
  });

  it("are all tools in a run that brings somebody to ask, and nothing is warned of", async () => {
    const provider = scripted(["Hello.", block(["shell", {}]), "Done.", "Hello."]);
    const warnings: string[] = [];
    const agent = createAgent({ provider, tools, warn: (message) => void warnings.push(message) });
    const offered = () => all.filter((name) => provider.requests.at(-1)?.system?.includes(`Use ${name}.`));
    await agent.ask("1", { approve: async () => true });
    expect(offered()).toEqual(all);
    expect(await agent.ask("2", { conversation, approve: async () => true })).toMatchObject({ toolErrors: 0 });
    expect(warnings).toEqual([]);
    await agent.ask("3");
    expect(offered()).toEqual(["write", "read"]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("Give `approve` to the run");
    expect(warnings[0]).toContain("With a `store` and a `keyRing`, calls wait for an answer that comes later");
  });

  it("come with a warning about the others, once per agent", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    try {
      const agent = createAgent({ provider: scripted(["a", "b"]), tools: [shell, echo] });
      expect(warn).not.toHaveBeenCalled();
      await agent.run("1").result;
      await agent.run("2").result;
      expect(warn.mock.calls).toEqual([[expect.stringContaining("The model is not offered shell:")]]);
      await createAgent({ provider: scripted(["c"]), tools: [echo] }).run("3").result;
      expect(warn).toHaveBeenCalledTimes(1);
    } finally {
      warn.mockRestore();
    }
  });

  it("may be called by another name, which a hook rewrites", async () => {
    const hooks: ToolHook[] = [{ name: "alias", beforeToolUse: () => ({ call: { name: "read" } }) }];
    const provider = scripted([block(["shell", {}]), "ok"]);
    const run = createAgent({ provider, tools, execution: { hooks } }).run("go");
    expect(await run.result).toMatchObject({ status: "completed", toolErrors: 0 });
  });
});
