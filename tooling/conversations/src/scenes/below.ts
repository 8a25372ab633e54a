import { scripted } from "@cogency/provider";
import { subagents } from "@cogency/subagents";
import { block, slowly } from "../recording/model.ts";
import { type Scene, scene } from "../recording/scene.ts";
import type { Stage } from "../recording/stage.ts";
import { refund } from "../recording/tools.ts";

/** An agent that gives work to another one, whose call asks the person. */
async function playBelow(stage: Stage): Promise<void> {
  const clerk = {
    name: "clerk",
    description: "Refunds orders.",
    instructions: "You refund orders.",
    provider: scripted([block(["refund", { order: "C3", amount: 9 }]), "C3 is refunded.<end>"].map(slowly), {
      chunkSize: 6,
    }),
  };
  const agent = stage
    .agent(
      [`I ask the clerk.${block(["agent", { agent: "clerk", prompt: "Refund C3." }])}`, "The clerk has done it.<end>"],
      {
        tools: [refund],
      },
    )
    .use(subagents([clerk]));
  await stage.ask(agent, "Have C3 refunded.");
  const question = await stage.question();
  await agent.send(stage.key, { kind: "approve", question }, { id: "approve-1", from: "Ada" });
  await stage.recover(agent);
}

const lower: Scene = {
  name: "agent-below",
  about: "The conversation of the agent that another one has started, as its log is in the end.",
  async play(stage) {
    await playBelow(stage);
    for (const event of await stage.load()) {
      if (event.type === "record" && event.kind === "child")
        return { ...stage.key, conversation: event.data.conversation };
    }
    throw new Error("No agent was started.");
  },
};

export const below: readonly Scene[] = [
  scene("agent-above", "An agent gives work to another one, whose question comes up to the person.", playBelow),
  lower,
];
