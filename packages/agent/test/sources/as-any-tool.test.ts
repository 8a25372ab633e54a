import type { JsonObject, LogEvent } from "@cogency/protocol";
import { memoryStore } from "@cogency/storage";
import { type Tool, type ToolDefinition, withAttachments } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import type { AgentHook, AgentOptions } from "../../src/index.ts";
import { conversation } from "../support/fixtures.ts";
import { type Hand, hands } from "../support/many-tools.ts";
import { remote, sourced } from "../support/sources.ts";

const attachment = { kind: "image", mediaType: "image/png", data: "AAAA" } as const;

interface Scenario {
  tool: Partial<ToolDefinition<{ type: "object" }>>;
  options?: Partial<AgentOptions>;
  /** What the log of the conversation says. */
  says: string | RegExp;
}

/** Where the model may not have the other tool, it has this one. */
const look = remote("look", { annotations: { readOnlyHint: true } });

const hook = (points: Omit<AgentHook, "name">): Partial<AgentOptions> => ({ hooks: [{ name: "guard", ...points }] });

/** What an agent does with a tool, and what of it the log shows. */
const scenarios: Record<string, Scenario> = {
  "shortens a result": {
    tool: { maxResultBytes: 600, execute: () => "long ".repeat(1_000) },
    says: "left out. The whole result",
  },
  "takes attachments": {
    tool: { execute: () => withAttachments("a picture", [attachment] as never) },
    says: '"mediaType":"image/png"',
  },
  "notes what a result brings": { tool: { annotations: { openWorldHint: true } }, says: '"holds":"untrusted"' },
  "asks before private content leaves": {
    tool: { reachesOut: () => true },
    options: {
      instructionsHold: [{ holds: "private", source: "AGENTS.md" }],
      execution: { approval: { content: "ask", approve: () => ({ approved: false, reason: "Not this." }) } },
    },
    says: /"kind":"private"[\s\S]*Not this\./,
  },
  "lets hooks block a call": {
    tool: {},
    options: hook({ beforeToolUse: () => ({ block: "Not today." }) }),
    says: "Not today.",
  },
  "lets hooks see a result": {
    tool: {},
    options: hook({ afterToolUse: () => ({ result: "instead" }) as never }),
    says: /./,
  },
  "leaves it out of a plan": {
    tool: {},
    options: hook({ beforeStep: ({ readOnlyTools }) => ({ tools: readOnlyTools }) }),
    // The driver of `react` asks again by itself, which the log does not show.
    says: /^(?!.*did github__star)/s,
  },
  "lets a plan have it that changes nothing": {
    tool: { annotations: { readOnlyHint: true } },
    options: hook({ beforeStep: ({ readOnlyTools }) => ({ tools: readOnlyTools }) }),
    says: "did github__star",
  },
  "counts its calls": { tool: {}, options: { budget: { toolCalls: 1 } }, says: "0 of 1 tool calls are left" },
  "checks its arguments": {
    tool: { input: { type: "object", properties: { title: { type: "number" } } } as never },
    says: "Invalid arguments",
  },
  "obeys rules by its name": {
    tool: {},
    options: { execution: { approval: { policy: { tools: { github__star: "deny" } } } } },
    says: "the policy does not allow it",
  },
};

describe.each(["json", "native", "react"] as const)(
  "an agent treats a tool of a source like its own, with the driver for %s",
  (name) => {
    const hand: Hand = hands[name];
    const call = (title: string) =>
      name === "native"
        ? {
            events: [
              { type: "tool_call" as const, id: "toolu_1", name: "github__star", arguments: JSON.stringify({ title }) },
            ],
          }
        : hand.call("github__star", { title });

    it.each(Object.entries(scenarios))("it %s", async (_, { tool, options, says }) => {
      const made = remote("github__star", tool);
      const logOf = async (given: { own: Tool[]; from: Tool[] }) => {
        const sources = given.from.length > 0 ? [{ name: "github", tools: () => given.from }] : [];
        const { ask, log } = sourced(
          [call("a"), hand.say("So.")],
          sources,
          { driver: hand.driver(), clock: () => 0, whenUnanswered: "wait", tools: [...given.own, look], ...options },
          memoryStore(),
        );
        await ask("go", { conversation });
        return plain(await log());
      };
      const own = await logOf({ own: [made], from: [] });
      const from = await logOf({ own: [], from: [made] });
      expect(from).toEqual(own);
      expect(JSON.stringify(own).replaceAll("\\", "")).toMatch(says);
    });
  },
);

/** A log without what differs from run to run, and without what is said of sources. */
function plain(log: readonly LogEvent[]): unknown[] {
  const ids = new Map<string, string>();
  const isLeftOut = (event: LogEvent) =>
    event.type === "record" && ["source_tools", "origin", "usage"].includes(event.kind);
  const text = JSON.stringify(
    log.filter((event) => !isLeftOut(event)).map(({ seq: _, ...event }: LogEvent & { seq?: number }) => event),
  );
  const same = text.replace(/call_[A-Za-z0-9_-]+|[0-9a-f]{8}-[0-9a-f-]{27}|"mac":"[^"]*"|"key":"[^"]*"/g, (id) => {
    if (!ids.has(id)) ids.set(id, `id ${ids.size}`);
    return id.startsWith('"') ? '"same":1' : (ids.get(id) as string);
  });
  return JSON.parse(same) as JsonObject[];
}
