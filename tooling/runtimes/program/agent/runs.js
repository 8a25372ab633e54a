import { createAgent, defineTool } from "@cogency/agent";
import { memoryStore } from "@cogency/storage";
import { equal } from "../equal.js";
import { runAll } from "../run-all.js";

/**
 * What an agent of one driver must do in any runtime, with a model and a store in memory.
 *
 * @param {(steps: Step[]) => Pick<import("@cogency/agent").AgentOptions, "driver" | "provider">} modelOf a driver, and a model that
 *   writes the steps for it
 * @returns {Promise<{ passed: number, failures: string[] }>}
 */
export function runsOf(modelOf) {
  return runAll(runs, modelOf);
}

/** @type {Record<string, (modelOf: Parameters<typeof runsOf>[0]) => Promise<void>>} */
const runs = {
  async "calls a tool and answers"(modelOf) {
    const { driver, provider } = modelOf([{ name: "add", args: { a: 2, b: 3 } }, "It is 5."]);
    const store = memoryStore();
    const run = createAgent({ driver, provider, store, tools: [add] }).run("2 + 3?", { conversation, stream: "token" });
    let text = "";
    for await (const event of run) if (event.type === "respond") text += event.content;
    equal(text, "It is 5.");
    equal((await run.result).status, "completed");
    const results = await store.load({ conversation }, { types: ["result"] });
    equal(results.map((event) => event.type === "result" && event.content).join(), added);
  },
  async "goes on with a conversation that another agent began"(modelOf) {
    const store = memoryStore();
    const first = modelOf(["I am here."]);
    await createAgent({ driver: first.driver, provider: first.provider, store }).ask("Hello?", { conversation });
    const { driver, provider } = modelOf([{ name: "add", args: { a: 2, b: 3 } }, "It is 5."]);
    const next = createAgent({ driver, provider, store, tools: [add] });
    const { text, steps } = await next.ask("2 + 3?", { conversation });
    equal(`${text} ${steps}`, "It is 5. 2");
    const said = await store.load({ conversation }, { types: ["user", "respond"] });
    equal(said.map((event) => "content" in event && event.content).join(" "), "Hello? I am here. 2 + 3? It is 5.");
  },
  async "is cancelled while a tool works"(modelOf) {
    const store = memoryStore();
    const controller = new AbortController();
    const { driver, provider } = modelOf([{ name: "work", args: {} }]);
    const { status } = await createAgent({ driver, provider, store, tools: [work] }).ask("Work!", {
      conversation,
      signal: controller.signal,
      on: ({ type }) => type === "tool_started" && controller.abort(),
    });
    equal(status, "stopped");
    equal((await store.load({ conversation }, { types: ["cancelled"] })).length, 1);
  },
};

const conversation = "c";

const number = { type: "number" };
const add = defineTool({
  name: "add",
  description: "Add two numbers.",
  input: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] },
  execute: ({ a, b }) => Number(a) + Number(b),
});
const added = '[{"tool":"add","status":"success","content":5}]';

const work = defineTool({
  name: "work",
  description: "Work until it is too much.",
  input: { type: "object" },
  execute: (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
});

/** @typedef {string | { name: string, args: import("@cogency/agent").JsonObject }} Step an answer, or a call */
