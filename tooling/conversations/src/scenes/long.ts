import { compaction } from "@cogency/agent/history";
import { toolSearch } from "@cogency/agent/tool-search";
import type { ModelRequest, ScriptedReply } from "@cogency/provider";
import { defineTool } from "@cogency/tools";
import { block } from "../recording/model.ts";
import { scene } from "../recording/scene.ts";
import { weather } from "../recording/tools.ts";

export const long = [
  scene("compaction", "The conversation grows too long, and the model sums up the earlier part.", async (stage) => {
    const reply = ({ system }: ModelRequest): ScriptedReply =>
      system.startsWith("You write the summary")
        ? "They walk through Norway, day by day."
        : { chunks: [`Noted. ${"More of the same. ".repeat(40)}`, "<end>"], delay: 1 };
    const agent = stage.agent(Array(7).fill(reply), { history: compaction({ window: 1000 }) });
    for (const day of [1, 2, 3, 4, 5]) await stage.ask(agent, `Day ${day}: ${"we walk, ".repeat(20)}and rest.`);
  }),

  scene("fork", "A fork of a conversation with a call; it goes on by itself.", async (stage) => {
    const agent = stage.agent(
      [block(["weather", { city: "Oslo" }]), "It rains in Oslo.<end>", "Then take the train.<end>"],
      { tools: [weather] },
    );
    const original = { conversation: "the-way-by-boat", user: stage.key.user };
    await agent.ask("May I go by boat to Oslo?", original);
    await agent.fork(original.conversation, { as: stage.key.conversation, user: stage.key.user });
    await stage.ask(agent, "And by train?");
  }),

  scene("tools-found", "There are many tools; the model searches one and calls it.", async (stage) => {
    const many = ["bank", "wiki", "shop", "mail"].map((service) =>
      defineTool({
        name: `${service}_find`,
        description: `Find something in the ${service}.`,
        input: { type: "object", properties: { words: { type: "string" } }, required: ["words"] },
        execute: ({ words }) => `${service}: ${words} found`,
      }),
    );
    const agent = stage.agent(
      [block(["find_tools", { query: "the bank" }]), block(["bank_find", { words: "rent" }]), "The rent is paid.<end>"],
      { tools: many, toolSearch: toolSearch({ above: 2, limit: 1 }) },
    );
    await stage.ask(agent, "Is the rent paid?");
  }),
];
