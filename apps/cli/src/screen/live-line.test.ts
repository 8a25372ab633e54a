import { stripVTControlCharacters } from "node:util";
import type { Json, RunEvent } from "@cogency/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeStream } from "../../test/support/fake-stream.ts";
import { createLiveLine } from "./live-line.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the line of long calls", () => {
  it("does not show a call that takes less than half a second", () => {
    const { live, writes } = terminal();
    live.event(started("1", "shell"));
    live.event(progress("1", { stream: "stdout", text: "hello\n" }));
    vi.advanceTimersByTime(400);
    live.event(completed("1"));
    vi.advanceTimersByTime(5000);
    expect(writes).toEqual([]);
  });

  it("shows the last line of a program's output, joined from pieces, and the seconds it has run", () => {
    const { live, shown } = terminal();
    live.event(started("1", "shell"));
    live.event(progress("1", { stream: "stdout", text: "first\nsecond\n\n" }));
    vi.advanceTimersByTime(1200);
    expect(shown()).toBe("⋯ shell 1 s  second");
    live.event(progress("1", { stream: "stdout", text: "thi" }));
    live.event(progress("1", { stream: "stdout", text: "rd 10 %\rthird 20 %" }));
    vi.advanceTimersByTime(2000);
    expect(shown()).toBe("⋯ shell 3 s  third 20 %");
  });

  it.each([
    ["scrape", { url: "http://a.example/" }, "⋯ scrape 0 s  http://a.example/"],
    ["search", { query: "bread", service: "brave" }, "⋯ search 0 s  bread"],
    ["replace", { file: "a.txt", diff: "-a" }, "⋯ replace 0 s"],
    ["other", null, "⋯ other 0 s"],
  ])("of %s with %j: %s", (name, update, line) => {
    const { live, shown } = terminal();
    live.event(started("1", name));
    live.event(progress("1", update));
    vi.advanceTimersByTime(700);
    expect(shown()).toBe(line);
  });

  it("counts the other running calls", () => {
    const { live, shown } = terminal();
    for (const id of ["1", "2", "3"]) live.event(started(id, "scrape"));
    live.event(progress("2", { url: "http://b" }));
    vi.advanceTimersByTime(700);
    expect(shown()).toBe("⋯ scrape 0 s (and 2 more)  http://b");
  });

  it("is drawn at most ten times a second, also with much progress", () => {
    const { live, writes } = terminal();
    live.event(started("1", "shell"));
    for (let tick = 0; tick < 3000; tick++) {
      live.event(progress("1", { stream: "stdout", text: `line ${tick}\n` }));
      vi.advanceTimersByTime(1);
    }
    expect(writes.filter((text) => text.includes("⋯")).length).toBeLessThanOrEqual(26);
  });

  it.each(["x".repeat(500), "日本".repeat(99), "👩‍👩‍👧".repeat(60), "\u001b[2K\u001b]0;t\u0007\u202ea\tb\u0000"])(
    "is never wider than the terminal and holds no control character: %j",
    (text) => {
      const { live, shown } = terminal();
      live.event(started("1", "shell"));
      live.event(progress("1", { stream: "stdout", text }));
      vi.advanceTimersByTime(700);
      const columns = Array.from(shown(), (character) => (character >= "\u1100" && character !== "⋯" ? 2 : 1));
      expect(columns.reduce((sum: number, width) => sum + width, 0)).toBeLessThan(40);
      expect(shown()).not.toMatch(/\p{Cc}|\u202e/u);
      expect(shown().length).toBeGreaterThan(12);
    },
  );

  it("is erased by clear, is not drawn while other output has the line, and is drawn again after it", () => {
    let isFree = true;
    const { live, shown } = terminal(() => isFree);
    live.event(started("1", "shell"));
    vi.advanceTimersByTime(700);
    isFree = false;
    live.clear();
    expect(shown()).toBe("");
    vi.advanceTimersByTime(700);
    expect(shown()).toBe("");
    isFree = true;
    vi.advanceTimersByTime(200);
    expect(shown()).toBe("⋯ shell 1 s");
    live.event(completed("1"));
    expect(shown()).toBe("");
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ["no terminal", false, "xterm"],
    ["a dumb terminal", true, "dumb"],
  ])("is not written to %s", (_, isTTY, term) => {
    vi.stubEnv("TERM", term);
    const { live, writes } = terminal(() => true, isTTY);
    live.event(started("1", "shell"));
    vi.advanceTimersByTime(2000);
    live.event(completed("1"));
    vi.unstubAllEnvs();
    expect(writes).toEqual([]);
  });
});

/** A terminal of 40 columns that keeps the written text, and the line that is shown. */
function terminal(isFree = () => true, isTTY = true) {
  const stream = fakeStream({ columns: 40, isTTY });
  const writes: string[] = [];
  stream.on("data", (text: string) => writes.push(text));
  return {
    live: createLiveLine(stream, isFree),
    writes,
    shown: () => stripVTControlCharacters(writes.join("").split("\r\u001b[2K").at(-1) ?? ""),
  };
}

const place = { timestamp: 0, run: { id: "r", conversation: "c", step: 1, order: 1 } };

function started(id: string, name: string): RunEvent {
  return { type: "tool_started", id, name, args: {}, ...place };
}

function progress(id: string, update: Json): RunEvent {
  return { type: "tool_progress", id, name: "x", update, ...place };
}

function completed(id: string): RunEvent {
  const result = { tool: "x", status: "success", content: "" } as const;
  return {
    type: "tool_ended",
    id,
    name: "x",
    args: {},
    started: true,
    outcome: "success",
    result,
    duration: 0,
    ...place,
  };
}
