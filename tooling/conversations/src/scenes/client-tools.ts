import type { Agent } from "@cogency/agent";
import { nativeDriver } from "@cogency/agent/native";
import type { ToolSpec } from "@cogency/protocol";
import { block, nativeCall, words } from "../recording/model.ts";
import { scene } from "../recording/scene.ts";
import type { Stage } from "../recording/stage.ts";
import { weather } from "../recording/tools.ts";

const number = { type: "number" } as const;

const add: ToolSpec = {
  name: "add",
  description: "Add two numbers.",
  parameters: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] },
};

/** Posts a prompt that brings `add`, and runs it until it waits. */
async function prompt(stage: Stage, agent: Agent, content: string): Promise<void> {
  await agent.send(stage.key, { kind: "prompt", content, tools: [add] }, { id: "prompt-1", from: "Ada" });
  await stage.recover(agent);
}

export const clientTools = [
  scene("client-tool-answered", "The client brings a tool, runs its call, and gives the output.", async (stage) => {
    const agent = stage.agent(
      [
        { events: [...words("I let you add."), ...nativeCall(0, "toolu_1", "add", { a: 1, b: 2 })] },
        { events: words("It is 3.") },
      ],
      { driver: nativeDriver() },
      { tools: true },
    );
    await prompt(stage, agent, "Add 1 and 2.");
    const question = await stage.question();
    await agent.send(
      stage.key,
      { kind: "answer", question, content: { output: { sum: 3 } } },
      { id: "answer-1", from: "Ada" },
    );
    await stage.recover(agent);
  }),

  scene(
    "client-tool-open",
    "A call of the client's tool waits for it, beside a call of the agent's own that has run.",
    async (stage) => {
      const agent = stage.agent([block(["weather", { city: "Kiel" }], ["add", { a: 1, b: 2 }])], { tools: [weather] });
      await prompt(stage, agent, "The weather in Kiel, and add 1 and 2.");
    },
  ),

  scene("client-tool-error", "The client could not run its tool, and says why.", async (stage) => {
    const agent = stage.agent([block(["add", { a: 1, b: 2 }]), "Your tool does not work: the page is closed.<end>"]);
    await prompt(stage, agent, "Add 1 and 2.");
    const question = await stage.question();
    await agent.send(
      stage.key,
      { kind: "answer", question, content: { error: "The page is closed." } },
      { id: "answer-1", from: "Ada" },
    );
    await stage.recover(agent);
  }),
];
