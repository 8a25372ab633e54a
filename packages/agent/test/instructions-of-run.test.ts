import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { copiedCapability, type InstructedRun } from "../src/hooks.ts";
import { type AgentOptions, createAgent } from "../src/index.ts";
import { nativeDriver } from "../src/native.ts";
import { reactDriver } from "../src/react.ts";
import { collect, conversation, echo, twoSteps } from "./support/fixtures.ts";
import { answer } from "./support/react.ts";

const secret = "They like rhubarb.";
const instructions = "Be brief.";
const remembered = () => ({ text: secret, recorded: "(1 memory)" });

describe("instructions of a run", () => {
  it("follow the agent's own in every request of the run, and are asked for once", async () => {
    const provider = scripted([...twoSteps, "Yes.<end>"]);
    let asked = 0;
    const agent = createAgent({ provider, tools: [echo], instructions, instructionsOfRun: () => `Run ${++asked}.` });
    await agent.ask("go", { conversation });
    await agent.ask("more", { conversation });
    expect(provider.requests.map(({ system }) => system.slice(0, 17))).toEqual([
      "Be brief.\n\nRun 1.",
      "Be brief.\n\nRun 1.",
      "Be brief.\n\nRun 2.",
    ]);
  });

  it("know the conversation, its user and the scope", async () => {
    const runs: InstructedRun[] = [];
    const instructionsOfRun = (run: InstructedRun) => void runs.push(run);
    const agent = createAgent({ provider: scripted(["Yes.<end>"]), scope: "/work", instructionsOfRun });
    await agent.ask("go", { conversation, user: "ann" });
    expect(runs).toMatchObject([{ conversation, user: "ann", scope: "/work" }]);
  });

  it.each<[string, AgentOptions["driver"], string]>([
    ["protocol", undefined, "Yes.<end>"],
    ["native", nativeDriver(), "Yes."],
    ["react", reactDriver(), answer("Yes.")],
  ])("leave no byte in the log where requests are recorded, with the driver %s", async (_, driver, reply) => {
    const store = memoryStore();
    const provider = scripted([reply, reply]);
    const agent = createAgent({ provider, store, driver, instructions, recordRequests: true, warn: () => {} });
    const knowing = agent.use({ name: "memory", instructionsOfRun: remembered });
    await knowing.ask("go", { conversation });
    await knowing.ask("more", { conversation });
    expect(provider.requests.map(({ system }) => system.includes(secret))).toEqual([true, true]);
    const log = JSON.stringify(await store.load({ conversation }));
    expect(log).not.toContain("rhubarb");
    // The system prompt is recorded once: it is the same as before.
    expect(log.split("Be brief.\\n\\n(1 memory)")).toHaveLength(2);
  });

  it("say in the record that they have changed, by what they give for it", async () => {
    const store = memoryStore();
    let count = 0;
    const instructionsOfRun = () => ({ text: secret, recorded: `(version ${++count})` });
    const provider = scripted(["Yes.<end>", "Yes.<end>"]);
    const agent = createAgent({ provider, store, recordRequests: true, instructionsOfRun, warn: () => {} });
    await agent.ask("go", { conversation });
    await agent.ask("more", { conversation });
    const log = JSON.stringify(await store.load({ conversation }));
    expect(log).toMatch(/\(version 1\).*\(version 2\)/);
  });

  it("leave no byte in the log where a driver writes them in another way", async () => {
    const store = memoryStore();
    const own = nativeDriver();
    const driver = {
      ...own,
      begin: (context: Parameters<typeof own.begin>[0]) => own.begin({ ...context, system: "They LIKE rhubarb" }),
    };
    const agent = createAgent({ provider: scripted(["Yes."]), store, driver, recordRequests: true, warn: () => {} });
    await agent.use({ name: "memory", instructionsOfRun: remembered }).ask("go", { conversation });
    const log = JSON.stringify(await store.load({ conversation }));
    expect(log).toContain("(1 memory)");
    expect(log).not.toContain("rhubarb");
  });

  it.each<[string, () => unknown, string]>([
    ["throw", () => Promise.reject(new Error("The store is away.")), "The store is away."],
    ["are no text", () => 5, "neither a text nor { text, recorded }"],
  ])("that %s are left out, the run says so and goes on", async (_, given, why) => {
    const provider = scripted(["Yes.<end>"]);
    const instructionsOfRun = given as () => string;
    const agent = createAgent({ provider, instructions, instructionsOfRun: [instructionsOfRun, () => "Be kind."] });
    const run = agent.run("go", { conversation });
    const errors = (await collect(run)).filter(({ type }) => type === "error");
    expect(errors).toMatchObject([{ code: "instructions_failed", content: expect.stringContaining(why) }]);
    expect((await run.result).status).toBe("completed");
    expect(provider.requests[0]?.system).toMatch(/^Be brief\.\n\nBe kind\./);
  });

  it("that never come end with the run's signal", async () => {
    const ending = new AbortController();
    const seen: AbortSignal[] = [];
    const instructionsOfRun = ({ signal }: InstructedRun) => {
      seen.push(signal);
      ending.abort();
      return new Promise<string>(() => {});
    };
    const agent = createAgent({ provider: scripted([]), instructionsOfRun });
    expect(await agent.ask("go", { conversation, signal: ending.signal })).toMatchObject({ status: "stopped" });
    expect(seen[0]?.aborted).toBe(true);
  });

  it("come with recover, and with a copied capability", async () => {
    const store = memoryStore();
    await createAgent({ provider: scripted([{ chunks: "Ha", error: new Error("down") }]), store, warn: () => {} }).ask(
      "go",
      { conversation },
    );
    const provider = scripted(["Yes.<end>"]);
    const agent = createAgent({ provider, store, warn: () => {} });
    const capability = copiedCapability("use", { name: "memory", instructionsOfRun: remembered });
    await agent.use(capability).recover({ conversation }).result;
    expect(provider.requests[0]?.system).toContain(secret);
  });

  it("must be functions", () => {
    const provider = scripted([]);
    expect(() => createAgent({ provider, instructionsOfRun: "Be brief." as never })).toThrow(/instructionsOfRun/);
    expect(() => createAgent({ provider }).use({ name: "a", instructionsOfRun: 1 as never })).toThrow(
      /instructionsOfRun/,
    );
  });
});
