import { block } from "../recording/model.ts";
import { scene } from "../recording/scene.ts";
import { book, refund, weather } from "../recording/tools.ts";

const wish = block(["refund", { order: "A1", amount: 5 }]);

export const questions = [
  scene("approval-approved", "A call needs a person's yes, the run waits, and goes on after it.", async (stage) => {
    const agent = stage.agent([`I refund it.${wish}`, "The money is on its way.<end>"], { tools: [refund] });
    await stage.ask(agent, "Refund order A1.");
    const question = await stage.question();
    await agent.send(stage.key, { kind: "approve", question }, { id: "approve-1", from: "Ada" });
    await stage.recover(agent);
  }),

  scene("approval-denied", "The person says no and why; the model reads the reason.", async (stage) => {
    const agent = stage.agent([wish, "Then I refund three.<end>"], { tools: [refund] });
    await stage.ask(agent, "Refund order A1.");
    const question = await stage.question();
    await agent.send(stage.key, { kind: "deny", question, reason: "That is too much." }, { id: "deny-1", from: "Ada" });
    await stage.recover(agent);
  }),

  scene("approval-open", "Two calls of one batch: the first has run, the second waits for a person.", async (stage) => {
    const agent = stage.agent([block(["weather", { city: "Kiel" }], ["refund", { order: "B2", amount: 7 }])], {
      tools: [weather, refund],
    });
    await stage.ask(agent, "The weather in Kiel, and refund B2.");
  }),

  scene("tool-asks-a-person", "A tool asks the person something, and gets an answer.", async (stage) => {
    const agent = stage.agent([block(["book", { ship: "Aurora" }]), "You have an outside cabin.<end>"], {
      tools: [book],
    });
    await stage.ask(agent, "Book the Aurora.");
    const question = await stage.question();
    await agent.send(
      stage.key,
      { kind: "answer", question, content: { cabin: "outside", beds: 2 } },
      { id: "answer-1", from: "Ada" },
    );
    await stage.recover(agent);
  }),

  scene(
    "answered-at-once",
    "A person is at hand: questions are put and answered while the run goes on.",
    async (stage) => {
      const agent = stage.agent([wish, block(["book", { ship: "Aurora" }]), "Both are done.<end>"], {
        tools: [refund, book],
      });
      await stage.ask(agent, "Refund A1 and book the Aurora.", {
        approve: () => true,
        answer: () => ({ cabin: "inside", beds: 1 }),
      });
    },
  ),
];
