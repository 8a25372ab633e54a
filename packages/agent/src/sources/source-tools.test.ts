import type { ToolSource } from "@cogency/tools";
import { afterEach, describe, expect, it, vi } from "vitest";
import { changingSource, remote } from "../../test/support/sources.ts";
import { SourceTools } from "./source-tools.ts";

afterEach(() => vi.useRealTimers());

const star = remote("github__star");

function over(...sources: ToolSource[]) {
  const warn = vi.fn<(message: string) => void>();
  return { tools: new SourceTools(sources, new Set(), warn), warn };
}

describe("waiting for sources", () => {
  it("takes at most two seconds for all of them together; the late ones are said once", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const hanging = ["docs", "wiki"].map((name) => ({
      ...changingSource(name),
      ready: () => new Promise<never>(() => {}),
    }));
    const { tools, warn } = over(...hanging, { ...changingSource("github", star), ready: async () => {} });
    let isOver = false;
    const waiting = tools.ready(new AbortController().signal).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(warn.mock.calls).toEqual(
      ["docs", "wiki"].map((name) => [
        `The tool source "${name}" was not ready within 2 s. Runs go on without its tools until they come.`,
      ]),
    );
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is over for a source that has kept one run waiting, until it is ready or has failed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const ends: (() => void)[] = [];
    const ready = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
    const { tools } = over({ ...changingSource("docs"), ready });
    const { signal } = new AbortController();
    const first = tools.ready(signal);
    await vi.advanceTimersByTimeAsync(2_000);
    await first;
    await tools.ready(signal);
    expect(ready).toHaveBeenCalledTimes(1);
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    const third = tools.ready(signal);
    expect(ready).toHaveBeenCalledTimes(2);
    ends[1]?.();
    await third;
  });

  it("leaves it to a late source to say why its tools are not there", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const late = {
      ...changingSource("docs"),
      ready: () => new Promise<never>(() => {}),
      notes: () => ["docs is slow."],
    };
    const { tools, warn } = over(late);
    const waiting = tools.ready(new AbortController().signal);
    await vi.advanceTimersByTimeAsync(2_000);
    await waiting;
    expect(warn).not.toHaveBeenCalled();
    expect(tools.notes()).toEqual(["docs is slow."]);
  });

  it("leaves no listener on the signal", async () => {
    const { signal } = new AbortController();
    const [add, remove] = [vi.spyOn(signal, "addEventListener"), vi.spyOn(signal, "removeEventListener")];
    await over({ ...changingSource("docs"), ready: async () => {} }).tools.ready(signal);
    expect(remove).toHaveBeenCalledTimes(add.mock.calls.length);
  });
});

describe("what sources give", () => {
  it("is the same array as long as no tool of theirs is another one", () => {
    const source = changingSource("github", star);
    const { tools } = over(source);
    const first = tools.now();
    source.set(star);
    expect(tools.now()).toBe(first);
    source.set(remote("github__star"));
    expect(tools.now()).not.toBe(first);
  });

  it("is noticed also where a source changes its array", () => {
    const own = [star];
    const { tools } = over({ name: "github", tools: () => own });
    expect(tools.now()).toEqual([star]);
    own.length = 0;
    expect(tools.now()).toEqual([]);
  });

  it("is at most 10,000 tools of each", () => {
    const { tools, warn } = over({ name: "github", tools: () => Array.from({ length: 10_001 }, () => star) });
    expect(tools.now()).toHaveLength(1);
    expect(warn.mock.calls.flat().join()).toContain("has 10001 tools: the first 10000 are used.");
  });

  it("are notes in one line each, without hidden characters, at most 20 and once each", () => {
    const source = changingSource("docs");
    source.note(
      "a\nb\u200bc\u202e",
      " ",
      "twice",
      "twice",
      "x".repeat(500),
      ...Array.from({ length: 30 }, (_, index) => `n${index}`),
    );
    const notes = over(source).tools.notes();
    expect(notes.slice(0, 2)).toEqual(["a b c", "twice"]);
    expect(notes[2]).toHaveLength(400);
    expect(notes.length).toBeLessThanOrEqual(20);
  });

  it("narrowed to some names, has those as they are, and is the same array as long as nothing has changed", () => {
    const source = changingSource("github", star, remote("github__fork"));
    const narrowed = over(source).tools.narrowed(new Set(["github__star", "github__new"]));
    const first = narrowed.tools();
    expect(first).toEqual([star]);
    expect(narrowed.tools()).toBe(first);
    const came = remote("github__new");
    source.set(came, remote("github__other"));
    expect(narrowed.tools()).toEqual([came]);
  });
});
