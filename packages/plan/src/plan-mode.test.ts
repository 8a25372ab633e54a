import { createAgent } from "@cogency/agent";
import { parentRun } from "@cogency/agent/child";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { createKeyRing, defineTool, type Tool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { plan } from "./plan-capability.ts";
import { type PlanModeOptions, planMode } from "./plan-mode.ts";
import { acceptedPlanOf, planOf } from "./plans-of.ts";
import { readAnswer } from "./read-answer.ts";
import { startText, stopText } from "./told-mode.ts";

const block = (...calls: object[]) => `<execute>${JSON.stringify(calls)}</execute>`;
const call = (name: string, args: object = {}) => ({ name, args });
const present = call("present_plan", { plan: "I will write the file.", steps: ["Write it", "Test it"] });

const choices = [
  { name: "ask", meaning: "each change asks" },
  { name: "edits", meaning: "changes run" },
];

interface World {
  mode: string;
  written: number;
}

function agentWith(
  answers: string[],
  world: World = { mode: "plan", written: 0 },
  options: Partial<PlanModeOptions> = {},
  others: readonly Tool[] = [],
) {
  const provider = scripted(answers);
  const store = memoryStore();
  const tools = [
    ...others,
    defineTool({
      name: "look",
      description: "look",
      input: { type: "object" },
      annotations: { readOnlyHint: true },
      execute: () => "seen",
    }),
    defineTool({
      name: "write",
      description: "write",
      input: { type: "object" },
      approval: "allow",
      execute: () => void world.written++,
    }),
  ];
  const make = () =>
    createAgent({ provider, store, tools, keyRing, warn: () => {} })
      .use(plan())
      .use(
        planMode({
          isOn: () => world.mode === "plan",
          choices,
          onAccepted: (choice) => {
            world.mode = choice;
          },
          ...options,
        }),
      );
  return { agent: make(), again: make, provider, store, world };
}

const keyRing = createKeyRing(["k".repeat(32)]);
const systemOf = (request: unknown) => JSON.stringify((request as { system: string }).system);
const textOf = (request: unknown) => JSON.stringify((request as { messages: unknown }).messages);

/** Gives work to an agent, which has all tools. */
const delegate = defineTool({
  name: "delegate",
  description: "delegate",
  input: { type: "object" },
  annotations: { readOnlyHint: true },
  async execute(_, context) {
    const run = parentRun(context);
    const tools = [...(run?.tools ?? []), "write", "present_plan"];
    const ending = await run?.run({ name: "helper", instructions: "You help.", tools }, "Help.");
    return ending?.result.text ?? "none";
  },
});

describe("an agent below one that plans", () => {
  it("changes nothing where the mode is that of the conversation above", async () => {
    const answers = [block(call("delegate")), block(call("write")), "Helped.<end>", "Done.<end>"];
    const isOn = ({ conversation }: { conversation: string }) => conversation === "c";
    const { agent, world, provider } = agentWith(answers, { mode: "ask", written: 0 }, { isOn }, [delegate]);
    await agent.ask("go", { conversation: "c" });
    expect(textOf(provider.requests.at(-1))).toContain("Helped.");
    expect(world.written).toBe(0);
  });

  it("is started by a tool that is not read-only where the host names it", async () => {
    const answers = [block(call("delegate")), block(call("write")), "Helped.<end>", "Done.<end>"];
    const tool = { ...delegate, annotations: {} };
    for (const delegating of [[], ["delegate"]]) {
      const { agent, world, provider } = agentWith([...answers], undefined, { delegating }, [tool]);
      await agent.ask("go", { conversation: "c" });
      expect(provider.requests).toHaveLength(delegating.length === 0 ? 3 : 4);
      expect(world.written).toBe(0);
    }
  });

  it("presents no plan to the person", async () => {
    const answers = [block(call("delegate")), block(present), "Helped.<end>", "Done.<end>"];
    const { agent, world, provider } = agentWith(answers, undefined, {}, [delegate]);
    const asked: string[] = [];
    await agent.ask("go", { conversation: "c", answer: ({ message }) => `${asked.push(message)}` && "edits" });
    expect(textOf(provider.requests.at(-2))).toContain("Only the agent that the user speaks to presents a plan.");
    expect([asked, world.mode]).toEqual([[], "plan"]);
  });
});

describe("an agent that plans", () => {
  it("is offered only what changes nothing, is told to plan once, and a call of another tool is blocked", async () => {
    const { agent, provider, world } = agentWith([block(call("write")), block(call("look")), "Seen.<end>"]);
    await agent.ask("go", { conversation: "c" });
    expect(systemOf(provider.requests[0])).toContain("present_plan");
    expect(systemOf(provider.requests[0])).not.toMatch(/write\W+write/);
    expect(world.written).toBe(0);
    expect(textOf(provider.requests.at(-1)).split(startText).length - 1).toBe(1);
  });

  it("has no tool to present a plan while it does not plan", async () => {
    const { agent, provider } = agentWith(["Hi.<end>"], { mode: "ask", written: 0 });
    await agent.ask("go", { conversation: "c" });
    expect(systemOf(provider.requests[0])).not.toContain("present_plan");
    expect(textOf(provider.requests[0])).not.toContain("Plan mode");
  });

  it("goes on in what the person chose, with the plan whole in the conversation and its steps as the plan", async () => {
    const { agent, provider, world, store } = agentWith([block(present), block(call("write")), "Done.<end>"]);
    const asked: string[] = [];
    const schemas: unknown[] = [];
    const answer = ({ message, schema }: { message: string; schema?: unknown }) => {
      asked.push(message);
      schemas.push(schema);
      return "edits";
    };
    await agent.ask("go", { conversation: "c", answer });
    // What a screen may offer as buttons.
    expect(schemas).toEqual([{ type: "string", examples: [...choices.map(({ name }) => name), "no"] }]);
    expect(asked[0]).toContain("I will write the file.\n\n1. Write it\n2. Test it\n\nYour answer:");
    expect(asked[0]).toContain("edits: accept it; changes run");
    expect(world).toEqual({ mode: "edits", written: 1 });
    const log = await store.load({ conversation: "c" });
    expect(acceptedPlanOf(log)).toMatchObject({ plan: "I will write the file.", choice: "edits" });
    expect(planOf(log)?.steps).toEqual([
      { step: "Write it", state: "open" },
      { step: "Test it", state: "open" },
    ]);
    expect(textOf(provider.requests.at(-1))).toContain("I will write the file.");
    expect(textOf(provider.requests.at(-1))).not.toContain(stopText);
  });

  it("changes nothing in the block that presents the plan, also after the plan is accepted", async () => {
    const { agent, world } = agentWith([block(present, call("write")), "Done.<end>"]);
    await agent.ask("go", { conversation: "c", answer: () => "edits" });
    expect(world.written).toBe(0);
  });

  it.each([
    ["no", "refused the plan", "plan"],
    ["Do not ask me, write a test first.", "write a test first", "plan"],
    ["yes", '\\"choice\\":\\"ask\\"', "ask"],
  ])("an answer %j leads to %s", async (answer, read, mode) => {
    const { agent, provider, world } = agentWith([block(present), "Done.<end>"]);
    await agent.ask("go", { conversation: "c", answer: () => answer });
    expect(textOf(provider.requests.at(-1))).toContain(read);
    expect(world.mode).toBe(mode);
  });

  it("says so where what the person chose is not possible", async () => {
    const { agent, provider, world } = agentWith([block(present), "Done.<end>"], undefined, {
      onAccepted: () => {
        throw new Error("This process cannot change its mode.");
      },
    });
    await agent.ask("go", { conversation: "c", answer: () => "edits" });
    expect(textOf(provider.requests.at(-1))).toContain("This process cannot change its mode.");
    // It knows already that it still plans.
    expect(textOf(provider.requests.at(-1)).split(startText).length - 1).toBe(1);
    expect(world.mode).toBe("plan");
  });

  it("is told when the person ends the mode without a plan, once", async () => {
    const { agent, provider, world } = agentWith(["A.<end>", "B.<end>", "C.<end>"]);
    await agent.ask("one", { conversation: "c" });
    world.mode = "ask";
    await agent.ask("two", { conversation: "c" });
    await agent.ask("three", { conversation: "c" });
    expect(textOf(provider.requests.at(-1)).split(stopText).length - 1).toBe(1);
  });

  it("waits for an answer without a person, and another process in another mode goes on with it", async () => {
    const { agent, again, world, store } = agentWith([block(present), block(call("write")), "Done.<end>"]);
    const waiting = await agent.ask("go", { conversation: "c" });
    if (waiting.status !== "waiting") throw new Error(waiting.status);
    const [question] = waiting.waiting;
    expect(question?.message).toContain("I will write the file.");
    world.mode = "ask";
    await again().send({ conversation: "c" }, { kind: "answer", question: question?.question ?? "", content: "edits" });
    const result = await again().recover({ conversation: "c" }).result;
    expect([result.status, world.mode, world.written]).toEqual(["completed", "edits", 1]);
    expect(acceptedPlanOf(await store.load({ conversation: "c" }))?.choice).toBe("edits");
  });

  it("reads a notice from outside, which neither ends the mode nor accepts the plan that waits", async () => {
    const answers = [block(call("write")), block(present), block(call("write")), "Done.<end>"];
    const { agent, world, provider } = agentWith(answers);
    const here = { conversation: "c" };
    const notice = { kind: "notice", source: "ci", content: "edits" } as const;
    await agent.send(here, notice);
    const waiting = await agent.recover(here).result;
    if (waiting.status !== "waiting") throw new Error(waiting.status);
    expect(textOf(provider.requests[0])).toContain("- ci: edits");
    await agent.send(here, notice);
    await agent.sweep();
    expect([provider.requests.length, world]).toEqual([2, { mode: "plan", written: 0 }]);
    const [question] = waiting.waiting;
    await agent.send(here, { kind: "answer", question: question?.question ?? "", content: "edits" });
    await agent.sweep();
    expect(world).toEqual({ mode: "edits", written: 1 });
    expect(textOf(provider.requests.at(-1)).split("- ci: edits")).toHaveLength(3);
  });

  it("refuses a plan that says nothing, and one that nobody would read whole", async () => {
    const { agent, provider } = agentWith([
      block(call("present_plan", { plan: " " })),
      block(call("present_plan", { plan: "x".repeat(20_001) })),
      "Done.<end>",
    ]);
    await agent.ask("go", { conversation: "c", answer: () => "ask" });
    expect(textOf(provider.requests.at(-1))).toContain("`plan` says nothing.");
    expect(textOf(provider.requests.at(-1))).toContain("Give at most 20000.");
  });
});

describe("readAnswer", () => {
  it.each([
    [" Edits ", { kind: "accept", choice: "edits" }],
    ["ask", { kind: "accept", choice: "ask" }],
    ["OK", { kind: "accept", choice: "ask" }],
    ["edit", { kind: "change", words: "edit" }],
    ["yes, but ask", { kind: "change", words: "yes, but ask" }],
    ["everything", { kind: "change", words: "everything" }],
    ["", { kind: "refuse" }],
    ["No", { kind: "refuse" }],
  ])("reads %j", (text, answer) => {
    expect(readAnswer(text, choices)).toEqual(answer);
  });
});
