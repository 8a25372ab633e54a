import { ProviderError, type ScriptedStep } from "@cogency/provider";
import type { StoredEvent } from "@cogency/storage";
import { defineTool, type Tool } from "@cogency/tools";
import { createWorker } from "@cogency/worker";
import { block } from "../recording/model.ts";
import { scene } from "../recording/scene.ts";
import type { Stage } from "../recording/stage.ts";
import { refund, weather } from "../recording/tools.ts";

/** A worker runs a prompt of the inbox until the log holds such an event. */
async function work(stage: Stage, answers: readonly ScriptedStep[], until: (event: StoredEvent) => boolean) {
  const agent = stage.agent(answers);
  const worker = createWorker({ agent, store: stage.store, owner: "recorder", attempts: 1, on: () => {} });
  await agent.send(stage.key, { kind: "prompt", content: "Hello." }, { id: "prompt-1", from: "Ada" });
  await worker.start();
  await stage.stored(until);
  await worker.drain();
}

const isRecord = (event: StoredEvent, kind: string) => event.type === "record" && event.kind === kind;

/** Tools of a process that dies while they run: their bodies never end before. */
function mortalTools(hasDied: () => boolean): Tool[] {
  const never = () => new Promise<never>(() => {});
  const oneText = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } } }) as const;
  return [
    defineTool({
      name: "pay",
      description: "Pay a bill.",
      input: oneText("bill"),
      execute: ({ bill }) => (bill === "rent" ? never() : `${bill} is paid`),
    }),
    defineTool({
      name: "deliver",
      description: "Deliver a letter. It can say whether it has.",
      input: oneText("to"),
      execute: ({ to }) => (hasDied() ? `delivered to ${to}` : never()),
      verify: () => ({ outcome: "not_done" }),
    }),
  ];
}

export const troubles = [
  scene(
    "failed-and-tried-again",
    "The server of the model is too busy; a worker says so, and tries again.",
    async (stage) => {
      const busy = { error: new ProviderError("overloaded", "Overloaded.") };
      await work(stage, [busy, "Hello, Ada.<end>"], (event) => isRecord(event, "run"));
    },
  ),

  scene("parked", "The model does not exist; the worker gives up, and parks the conversation.", async (stage) => {
    const gone = { error: new ProviderError("not_found", "No such model.") };
    const isParked = (event: StoredEvent) =>
      event.type === "record" && event.kind === "notice" && event.data.parked === true;
    await work(stage, [gone, gone], isParked);
  }),

  scene("failed", "Three answers in a row cannot be used, so the run fails.", async (stage) => {
    const bad = "<execute>[{]</execute>";
    await stage.ask(stage.agent([bad, bad, bad], { tools: [weather] }), "The weather in Oslo?");
  }),

  scene("broken-off", "The answer breaks off in the middle of a text; a later run goes on.", async (stage) => {
    const cut = { chunks: "The ferry to Oslo leaves in", error: new ProviderError("cut_stream", "Cut.") };
    const agent = stage.agent([cut, "The ferry leaves at nine.<end>"]);
    await stage.ask(agent, "When does the ferry leave?");
    await stage.recover(agent);
  }),

  scene(
    "cancelled-in-a-text",
    "The person cancels in the middle of a text; what was written is kept. Later they go on.",
    async (stage) => {
      const agent = stage.agent([
        { chunks: "Once upon a time there was a ferry which went", hang: true },
        "Then I stop here.<end>",
      ]);
      const run = stage.ask(agent, "Tell me a story.");
      await stage.wrote("a ferry which");
      await agent.send(stage.key, { kind: "cancel", reason: "Too long." }, { id: "cancel-1", from: "Ada" });
      await run;
      await stage.ask(agent, "Shorter, please.");
    },
  ),

  scene("cancelled-in-a-call", "The person cancels while a call runs.", async (stage) => {
    const wait = defineTool({
      name: "wait",
      description: "Wait.",
      input: { type: "object", properties: {} },
      execute: (_, { signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("Stopped.")))),
    });
    const agent = stage.agent([block(["wait", {}])], { tools: [wait] });
    const run = stage.ask(agent, "Wait for it.");
    await stage.stored((event) => isRecord(event, "started"));
    await agent.send(stage.key, { kind: "cancel" }, { id: "cancel-1", from: "Ada" });
    await run;
  }),

  scene(
    "killed-in-a-batch",
    "The process dies in a batch of three calls. Another one goes on: one outcome is unknown.",
    async (stage) => {
      let hasDied = false;
      const options = {
        tools: mortalTools(() => hasDied),
        execution: { concurrency: 2 },
        lease: { isGone: () => true },
      };
      const wish = block(["pay", { bill: "rent" }], ["deliver", { to: "Bo" }], ["pay", { bill: "water" }]);
      void stage.ask(stage.agent([`I do it.${wish}`], options), "Pay the rent and the water, and deliver the letter.");
      let begun = 0;
      await stage.stored((event) => isRecord(event, "started") && ++begun === 2);
      hasDied = true;
      await stage.recover(stage.agent(["The letter is delivered. Look whether the rent is paid.<end>"], options));
    },
  ),

  scene(
    "cancelled-while-it-waits",
    "The run waits for a yes, and the person cancels instead; then they ask for something else.",
    async (stage) => {
      const wish = block(["refund", { order: "D4", amount: 4 }]);
      const agent = stage.agent([wish, "All right.<end>"], { tools: [refund] });
      await stage.ask(agent, "Refund order D4.");
      await agent.send(stage.key, { kind: "cancel" }, { id: "cancel-1", from: "Ada" });
      await stage.recover(agent);
      await stage.ask(agent, "Leave it.");
    },
  ),
];
