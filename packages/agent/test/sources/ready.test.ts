import type { ToolSource } from "@cogency/tools";
import { describe, expect, it, vi } from "vitest";
import { block, conversation } from "../support/fixtures.ts";
import { changingSource, remote, sourced } from "../support/sources.ts";

const star = remote("github__star");
const hanging = () => new Promise<never>(() => {});
const answer = ["Hello.<end>"];

describe("a run waits for its sources before its first step", () => {
  it("until all are ready, once a run", async () => {
    const source = changingSource();
    const ready = vi.fn(async (signal: AbortSignal) => {
      expect(signal).toBeInstanceOf(AbortSignal);
      source.set(star);
    });
    const { ask, provider } = sourced([block(["github__star", {}]), ...answer, ...answer], [{ ...source, ready }]);
    expect(await ask()).toMatchObject({ status: "completed", toolErrors: 0 });
    expect(provider.requests[0]?.system).toContain("github__star");
    expect(ready).toHaveBeenCalledTimes(1);
    await ask();
    expect(ready).toHaveBeenCalledTimes(2);
  });

  it("no longer once its signal has aborted", async () => {
    const controller = new AbortController();
    const ready = () => {
      controller.abort();
      return hanging();
    };
    const { ask, provider, warn } = sourced(answer, [{ ...changingSource(), ready }]);
    expect(await ask("go", { signal: controller.signal })).toMatchObject({ status: "stopped" });
    expect(provider.requests).toHaveLength(0);
    expect(warn).not.toHaveBeenCalled();
  });

  it("not where it has no step to take", async () => {
    const ready = vi.fn(async () => {});
    const { ask, recover } = sourced(answer, [{ ...changingSource(), ready }]);
    await ask();
    ready.mockClear();
    expect(await recover({ conversation }).result).toMatchObject({ status: "completed", text: "Hello." });
    expect(ready).not.toHaveBeenCalled();
  });
});

describe("a source that does not work", () => {
  const broken: [string, Partial<ToolSource>, string][] = [
    ["throws", { tools: () => fail("no wire") }, "could not give its tools: no wire"],
    ["throws what has no text", { tools: () => fail(Object.create(null)) }, "it threw what has no text"],
    ["gives no array", { tools: () => ({ 0: star }) as never }, "gave tools that are no array."],
    ["gives a promise", { tools: (async () => [star]) as never }, "gave tools that are no array."],
    ["rejects", { ready: () => Promise.reject(new Error("no wire")) }, "is not ready: no wire"],
    ["throws in ready", { ready: () => fail("no wire") }, "is not ready: no wire"],
    ["throws in its notes", { notes: () => fail("no wire") }, "could not give its notes: no wire"],
    ["gives notes that are no array", { notes: () => "x" as never }, "gave notes that are no array."],
  ];
  it.each(broken)("is said once, and never stops a run: it %s", async (_, part, message) => {
    const { ask, provider, warn } = sourced(
      [block(["github__star", {}]), ...answer, ...answer],
      [{ ...changingSource("docs"), ...part }, changingSource("github", star)],
    );
    for (let run = 1; run <= 2; run++) expect(await ask()).toMatchObject({ status: "completed", toolErrors: 0 });
    expect(provider.requests[0]?.system).toContain("github__star");
    expect(warn.mock.calls).toEqual([[expect.stringContaining('The tool source "docs" ')]]);
    expect(warn.mock.calls[0]?.[0]).toContain(message);
  });

  it.each<[string, unknown, string]>([
    ["is no tool", 7, 'offers a tool, which is left out: Tool "no. 1": it is 7; give what defineTool makes.'],
    ["lacks its body", { ...star, execute: undefined }, "it lacks execute"],
    ["has a name that no wire takes", { ...star, name: "star it" }, '"star it"'],
    [
      "has the name of a tool of the agent",
      remote("own"),
      "offers the tool own, which is left out: the agent has one of that name",
    ],
    ["has the name of an earlier source's tool", remote("docs__find"), 'the source "docs" has one of that name'],
    [
      "has a definition that JSON cannot hold",
      { ...star, annotations: { readOnlyHint: 1n } },
      "JSON cannot hold its definition",
    ],
    ["throws when it is read", throwing(), "no name"],
  ])("is left out with one warning where a tool %s", async (_, tool, message) => {
    const source = changingSource("github", tool as never, remote("github__fork"));
    const { ask, provider, warn } = sourced(
      [block(["github__fork", {}]), ...answer, ...answer],
      [changingSource("docs", remote("docs__find")), source],
      { tools: [remote("own")] },
    );
    for (let run = 1; run <= 2; run++) expect(await ask()).toMatchObject({ status: "completed", toolErrors: 0 });
    expect(provider.requests).toHaveLength(3);
    expect(warn.mock.calls).toEqual([[expect.stringContaining(message)]]);
  });

  it("has one warning for each thing, and no more than 200 in all", async () => {
    const source = changingSource("github");
    const { ask, warn } = sourced(
      [
        () => {
          source.set(
            ...Array.from({ length: 300 }, (_, index) => remote(`t${index}`)),
            ...Array.from({ length: 300 }, (_, index) => remote(`t${index}`)),
          );
          return block(["nothing", {}]);
        },
        ...answer,
      ],
      [source],
    );
    expect(await ask()).toMatchObject({ status: "completed" });
    expect(warn).toHaveBeenCalledTimes(200);
  });
});

describe("a name that two sources have", () => {
  it("stays with the one that had it first, as long as that offers it", async () => {
    const [docs, wiki] = [
      changingSource("docs"),
      changingSource("wiki", remote("find", { description: "In the wiki." })),
    ];
    const described: string[] = [];
    const change = (to: () => void) => (request: { system: string }) => {
      described.push(/In the \w+\./.exec(request.system)?.[0] ?? "");
      to();
      return block(["find", {}]);
    };
    const { ask } = sourced(
      [
        change(() => docs.set(remote("find", { description: "In the docs." }))),
        change(() => wiki.set()),
        change(() => wiki.set(remote("find", { description: "In the wiki." }))),
        change(() => {}),
        ...answer,
      ],
      [docs, wiki],
    );
    expect(await ask()).toMatchObject({ status: "completed" });
    expect(described).toEqual(["In the wiki.", "In the wiki.", "In the docs.", "In the docs."]);
  });
});

function fail(what: unknown): never {
  throw typeof what === "string" ? new Error(what) : what;
}

function throwing(): object {
  return {
    get name(): string {
      return fail("no name");
    },
  };
}
