import { ProviderError, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { createKeyRing, type ToolSource } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { copiedCapability } from "../../src/hooks.ts";
import type { AgentHook } from "../../src/index.ts";
import { block, conversation } from "../support/fixtures.ts";
import { changingSource, noticesIn, remote, sourced } from "../support/sources.ts";

const [star, fork] = [remote("github__star"), remote("github__fork")];
const down = new ProviderError("overloaded", "Too busy.");

describe("a step that is repeated with another provider", () => {
  it.each<[string, readonly AgentHook[]]>([
    ["", []],
    [
      ", with what the hooks of the step allow",
      [{ name: "plan", beforeStep: () => ({ tools: ["github__star", "github__fork"] }) }],
    ],
  ])("has the tools that there are then%s", async (_, hooks) => {
    const source = changingSource("github", star);
    const next = scripted([block(["github__fork", {}]), "Done.<end>"]);
    const { ask, provider, log } = sourced(
      [
        () => {
          source.set(fork, remote("github__delete"));
          return { chunks: [], error: down };
        },
      ],
      [source],
      { fallback: [next], hooks },
    );
    expect(await ask()).toMatchObject({ status: "completed", toolErrors: 0 });
    expect(provider.requests[0]?.system).toContain("github__star");
    const { system = "" } = next.requests[0] ?? {};
    expect([system.includes("github__star:"), system.includes("github__fork:")]).toEqual([false, true]);
    expect(system.includes("github__delete:")).toBe(hooks.length === 0);
    expect(noticesIn(await log())).toEqual([
      "Your tools have changed. New: github__fork, github__delete. No longer there: github__star.",
    ]);
  });
});

describe("a hook that names the tools of a step", () => {
  it("may name some that are not there, where tools come and go", async () => {
    const source = changingSource("github", star);
    const hooks = [{ name: "plan", beforeStep: () => ({ tools: ["github__star", "github__gone"] }) }];
    const { ask } = sourced([block(["github__star", {}]), "Done.<end>"], [source], { hooks });
    expect(await ask()).toMatchObject({ status: "completed", toolErrors: 0 });
  });

  it("reads those that there are, and which of them change nothing", async () => {
    const source = changingSource("github", star);
    const seen: unknown[] = [];
    const hooks: AgentHook[] = [
      { name: "see", beforeStep: ({ tools, readOnlyTools }) => void seen.push([tools, readOnlyTools]) },
    ];
    const look = remote("github__look", { annotations: { readOnlyHint: true } });
    const change = () => {
      source.set(star, look);
      return block(["github__star", {}]);
    };
    await sourced([change, "Done.<end>"], [source], { hooks }).ask();
    expect(seen).toEqual([
      [["github__star"], []],
      [["github__star", "github__look"], ["github__look"]],
    ]);
  });
});

describe("a run that nobody answers for", () => {
  it("is not offered tools of sources that would ask, and each is said once", async () => {
    const source = changingSource("github", remote("github__star", { approval: "ask" }), fork);
    const { ask, provider, warn, log } = sourced(
      [
        () => {
          source.set(...source.tools(), remote("github__delete", { approval: "ask" }));
          return block(["github__fork", {}]);
        },
        "Done.<end>",
        "Done.<end>",
      ],
      [source],
    );
    await ask();
    expect(provider.requests.map(({ system }) => /github__star|github__delete/.test(system))).toEqual([false, false]);
    expect(warn.mock.calls.map(([text]) => /not offered (\S+):/.exec(text)?.[1])).toEqual([
      "github__star",
      "github__delete",
    ]);
    expect(noticesIn(await log())).toEqual([]);
    // With a person they are there, which the model is told.
    await ask("And now?", { approve: () => true });
    expect(provider.requests[2]?.system).toContain("github__star");
    expect(noticesIn(await log())).toEqual(["Your tools have changed. New: github__star, github__delete."]);
  });
});

describe("a run that must answer with an object", () => {
  it("may call tools that come from sources alone", async () => {
    const source = changingSource("github", star);
    const { agent, provider } = sourced([block(["github__star", {}]), '{"stars":1}<end>'], [source]);
    const { object } = await agent.object("go", z.object({ stars: z.number() })).result;
    expect(object).toEqual({ stars: 1 });
    expect(provider.requests[0]?.system).toContain("github__star");
  });
});

describe("a question that waits in the inbox", () => {
  it("asks again where the definition of its tool changed meanwhile, in the same process", async () => {
    const ran: string[] = [];
    const source = changingSource("github", remote("github__star", { description: "Stars.", approval: "ask" }, ran));
    const keyRing = createKeyRing(["a ring of this process, which is long enough"]);
    const { ask, send, recover } = sourced(
      [block(["github__star", {}]), "Done.<end>"],
      [source],
      { keyRing },
      memoryStore(),
    );
    const { waiting: [first] = [] } = await ask();
    expect(first?.concerns).toEqual([]);
    source.set(remote("github__star", { description: "Deletes.", approval: "ask" }, ran));
    await send({ conversation }, { kind: "approve", question: first?.question ?? "" });
    const { waiting: [second] = [] } = await recover({ conversation }).result;
    expect(second?.question).not.toBe(first?.question);
    expect(second?.concerns.map(({ kind }) => kind)).toContain("changed");
    expect(ran).toEqual([]);
    await send({ conversation }, { kind: "approve", question: second?.question ?? "" });
    expect(await recover({ conversation }).result).toMatchObject({ status: "completed", toolErrors: 0 });
    expect(ran).toEqual(["Deletes."]);
  });
});

describe("a capability from elsewhere", () => {
  it("has its sources copied: their methods keep their object, and cannot be replaced", async () => {
    class Server implements ToolSource {
      readonly name = "github";
      readonly #tools = [star];
      tools = () => this.#tools;
      notes(): string[] {
        return this.#tools.map(({ name }) => `There is ${name}.`);
      }
    }
    const given = new Server();
    const capability = copiedCapability("it", { name: "mcp", sources: [given] });
    given.tools = () => [];
    const { agent, provider } = sourced(["Done.<end>"], []);
    await agent.use(capability).ask("go");
    expect(provider.requests[0]?.system).toContain("github__star");
    expect(JSON.stringify(provider.requests[0]?.messages)).toContain("There is github__star.");
    expect(() => copiedCapability("it", { name: "mcp", sources: [7 as never] })).toThrow("give a tool source");
  });
});
