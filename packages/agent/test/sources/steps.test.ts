import { describe, expect, it } from "vitest";
import { createAgent } from "../../src/index.ts";
import { block, conversation, echo } from "../support/fixtures.ts";
import { changingSource, noticesIn, recordsIn, remote, sourced } from "../support/sources.ts";

const star = remote("github__star");
const fork = remote("github__fork");

describe("the tools of a source", () => {
  it("are offered and called like the agent's own", async () => {
    const ran: string[] = [];
    const source = changingSource("github", remote("github__star", {}, ran));
    const { ask, provider, log } = sourced(
      [block(["github__star", {}], ["echo", { text: "a" }]), "Done.<end>"],
      [source],
      { tools: [echo] },
    );
    expect(await ask()).toMatchObject({ status: "completed", text: "Done.", toolErrors: 0 });
    expect(ran).toEqual(["github__star"]);
    expect(provider.requests[0]?.system).toContain("github__star");
    expect(provider.requests[0]?.system).toContain("echo");
    expect(noticesIn(await log())).toEqual([]);
  });

  it("are read as each step begins: what has changed is offered, and the model is told once", async () => {
    const source = changingSource("github", star);
    const { ask, provider, log } = sourced(
      [
        () => {
          source.set(star, fork);
          return block(["github__star", {}]);
        },
        block(["github__fork", {}]),
        "Done.<end>",
      ],
      [source],
    );
    expect(await ask()).toMatchObject({ status: "completed", toolErrors: 0 });
    const [first, second, third] = provider.requests.map(({ system }) => system);
    expect(first).not.toContain("github__fork");
    expect(second).toContain("github__fork");
    expect(third).toBe(second);
    expect(noticesIn(await log())).toEqual(["Your tools have changed. New: github__fork."]);
    expect(JSON.stringify(provider.requests[1]?.messages)).toContain("New: github__fork.");
  });

  it("cost nothing where nothing changes: the toolset is the same object", async () => {
    const source = changingSource("github", star);
    const { ask, provider } = sourced(
      [block(["github__star", {}]), block(["github__star", {}]), "Done.<end>"],
      [source],
    );
    await ask();
    expect(new Set(provider.requests.map(({ system }) => system)).size).toBe(1);
  });

  it("have had a change between two turns told, also in another process", async () => {
    const source = changingSource("github", star, fork);
    const { ask, store, log } = sourced(["Hello.<end>"], [source]);
    await ask();
    expect(noticesIn(await log())).toEqual([]);
    const changed = remote("github__fork", { description: "Forks it otherwise." });
    const later = sourced(
      ["Hello again.<end>", "And again.<end>"],
      [changingSource("github", changed, remote("docs__find"))],
      {},
      store,
    );
    await later.ask("And now?");
    await later.ask("And now?");
    expect(noticesIn(await log())).toEqual([
      "Your tools have changed. New: docs__find. Changed, so read them again: github__fork. No longer there: github__star.",
    ]);
    expect(recordsIn(await log())).toHaveLength(2);
  });

  it("have their notes told at the first step", async () => {
    const source = changingSource("docs");
    source.note('The server "docs" is still connecting.');
    const { ask, log } = sourced(
      [
        () => {
          source.set(remote("docs__find"));
          source.note();
          return block(["echo", { text: "a" }]);
        },
        "Done.<end>",
      ],
      [source],
      { tools: [echo] },
    );
    await ask();
    expect(noticesIn(await log())).toEqual([
      'About your tools:\nThe server "docs" is still connecting.',
      "Your tools have changed. New: docs__find.",
    ]);
  });

  it("are listed by at most twenty names", async () => {
    const source = changingSource("github", star);
    const many = Array.from({ length: 25 }, (_, index) => remote(`github__t${index}`));
    const { ask, log } = sourced(
      [
        () => {
          source.set(star, ...many);
          return block(["github__star", {}]);
        },
        "Done.<end>",
      ],
      [source],
    );
    await ask();
    const [notice] = noticesIn(await log());
    expect(notice).toContain("github__t19, and 5 more.");
    expect(notice).not.toContain("github__t20");
  });
});

describe("an agent without sources", () => {
  it("stores nothing about them", async () => {
    const { ask, log } = sourced(["Hello.<end>"], []);
    await ask();
    expect(recordsIn(await log())).toEqual([]);
  });
});

describe("a call of a tool that has changed since it was offered", () => {
  it.each([
    ["changed", () => [remote("github__star", { description: "Another." })], "has changed since it was offered"],
    [
      "one that cannot be written",
      () => [{ ...star, annotations: { readOnlyHint: 1n } } as never],
      "has changed since",
    ],
    ["gone", () => [], "is not there any more"],
  ] as const)("fails without running, while a question waits: %s", async (_, next, sentence) => {
    const ran: string[] = [];
    const source = changingSource("github", remote("github__star", { approval: "ask" }, ran));
    const { ask, log } = sourced([block(["github__star", {}]), "So it is.<end>"], [source]);
    const approve = async () => {
      source.set(...next());
      return true;
    };
    expect(await ask("go", { approve })).toMatchObject({ status: "completed", toolErrors: 1 });
    expect(ran).toEqual([]);
    const results = (await log()).flatMap((event) => (event.type === "result" ? [event.content] : []));
    expect(results).toHaveLength(1);
    expect(results[0]).toContain(sentence);
  });

  it("runs where its source has made the same tool anew: the one that was offered", async () => {
    const [offered, later]: [string[], string[]] = [[], []];
    const source = changingSource(
      "github",
      remote("github__star", { approval: "ask", description: "Stars." }, offered),
    );
    const { ask } = sourced([block(["github__star", {}]), "Done.<end>"], [source]);
    const approve = async () => {
      source.set(remote("github__star", { approval: "ask", description: "Stars." }, later), fork);
      return true;
    };
    expect(await ask("go", { approve })).toMatchObject({ status: "completed", toolErrors: 0 });
    expect([offered, later]).toEqual([["Stars."], []]);
  });

  it("has a sentence of its own also in a later step", async () => {
    const source = changingSource("github", star);
    const { ask, log } = sourced(
      [
        () => {
          source.set();
          return block(["echo", { text: "a" }]);
        },
        block(["github__star", {}]),
        "So it is.<end>",
      ],
      [source],
      { tools: [echo] },
    );
    await ask();
    const results = (await log()).flatMap((event) => (event.type === "result" ? [event.content] : []));
    expect(results[1]).toContain("The tool github__star is not there any more");
  });
});

describe("the sources of an agent", () => {
  it("have different names", () => {
    const source = changingSource("docs");
    const { agent } = sourced([], [source]);
    expect(() => sourced([], [source, changingSource("docs")])).toThrow('Two tool sources are named "docs".');
    expect(() => agent.use({ name: "more", sources: [changingSource("docs")] })).toThrow('named "docs"');
  });

  it("are those of its options and of its capabilities", async () => {
    const { agent, provider } = sourced(["Hello.<end>"], [changingSource("github", star)]);
    await agent.use({ name: "docs", sources: [changingSource("docs", remote("docs__find"))] }).ask("go");
    expect(provider.requests[0]?.system).toMatch(/github__star[\s\S]*docs__find/);
  });

  it("are checked when the agent is made", () => {
    const { provider } = sourced([], []);
    expect(() => createAgent({ provider, sources: [{ name: "", tools: () => [] }] })).toThrow("give a tool source");
    expect(conversation).toBe("c");
  });
});
