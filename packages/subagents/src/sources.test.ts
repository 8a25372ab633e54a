import type { LogEvent } from "@cogency/protocol";
import { memoryStore } from "@cogency/storage";
import type { Tool, ToolSource } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import {
  agentOf,
  block,
  childrenOf,
  conversation,
  give,
  helper,
  offeredIn,
  resultsIn,
  tool,
} from "../test/support/play.ts";

/** A source whose tools the test changes. */
function changing(...first: Tool[]) {
  let tools = first;
  const source: ToolSource = {
    name: "github",
    tools: () => tools,
    notes: () => ['The server "docs" is still connecting.'],
  };
  return {
    source,
    set(...next: Tool[]) {
      tools = next;
    },
  };
}

const noticesIn = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "user" && event.origin === "notice" ? [event.content] : []));

describe("an agent that a call starts, under one with tools of a source", () => {
  it.each([
    ["all of them", {}, ["agent", "github__fork", "github__star", "look"]],
    ["those that it names", { tools: ["github__star", "look"] }, ["github__star", "look"]],
    ["no other", { tools: ["github__star", "github__launch"] }, ["github__star"]],
    ["all but those that it must not have", { withoutTools: ["github__star"] }, ["agent", "github__fork", "look"]],
    ["none", { tools: [] }, []],
  ])("has %s", async (_, more, expected) => {
    const worker = helper("a", ["Yes.<end>"], more);
    const { source } = changing(tool("github__star"), tool("github__fork"));
    const { agent } = agentOf([block(give("a")), "Done.<end>"], [worker], { tools: [tool("look")], sources: [source] });
    expect(await agent.ask("Go.", { conversation })).toMatchObject({ status: "completed", toolErrors: 0 });
    expect(offeredIn(worker.provider.requests[0]).toSorted()).toEqual(expected);
  });

  it("calls them, and sees what becomes of those that it may use, and of no other", async () => {
    const store = memoryStore();
    const { source, set } = changing(tool("github__star"), tool("github__fork"));
    const worker = helper(
      "a",
      [
        () => {
          set(tool("github__star", { description: "otherwise" }), tool("github__new"));
          return block(["github__star"]);
        },
        block(["github__star"], ["github__new"]),
        () => {
          set();
          return block(["look"]);
        },
        "Yes.<end>",
      ],
      { tools: ["github__star", "look"] },
    );
    const { agent } = agentOf([block(give("a")), "Done.<end>"], [worker], {
      tools: [tool("look")],
      sources: [source],
      store,
    });
    expect(await agent.ask("Go.", { conversation })).toMatchObject({ status: "completed", toolErrors: 0 });
    const [child = ""] = await childrenOf(store);
    const results = await resultsIn(store, child);
    expect(results.map(({ status }) => status)).toEqual(["failure", "success", "failure", "success"]);
    expect(results[0]?.content).toContain("The tool github__star has changed since it was offered");
    expect(results[2]?.content).toContain('Unknown tool "github__new"');
    expect(noticesIn(await store.load({ conversation: child }))).toEqual([
      "Your tools have changed. Changed, so read them again: github__star.",
      "Your tools have changed. No longer there: github__star.",
    ]);
    // The agent above is told in its own next step.
    expect(noticesIn(await store.load({ conversation })).at(-1)).toContain(
      "No longer there: github__star, github__fork.",
    );
  });
});
