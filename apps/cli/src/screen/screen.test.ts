import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Emulator, emulator } from "../../test/support/emulator.ts";
import { TurnView } from "../person/turn/turn-view.ts";
import type { Frame } from "./paint.ts";
import { reflowOf } from "./reflow.ts";
import { Screen, type ScreenOutput } from "./screen.ts";

/** `pnpm soak` does many more. */
const runs = Number(process.env.COGENCY_SCREEN_RUNS ?? 40);

/** An output that keeps what is written to it. */
function output(columns = 80, rows = 24) {
  const writes: string[] = [];
  return { columns, rows, writes, write: (text: string) => void writes.push(text) };
}

const foot = (...rows: string[]): Frame => ({ rows, cursor: { row: rows.length - 1, column: 0 } });

function fakeTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

describe("Screen", () => {
  it("paints a frame of 16 ms in one synchronized write, however much is added in it", () => {
    fakeTime();
    const out = output();
    const screen = new Screen(out, () => foot("> "), "above the cursor");
    screen.open();
    vi.advanceTimersByTime(16);
    for (let n = 0; n < 100; n++) {
      screen.add(() => [`line ${n}`]);
      screen.refresh();
    }
    expect(out.writes).toHaveLength(1);
    vi.advanceTimersByTime(16);
    expect(out.writes).toHaveLength(2);
    for (const bytes of out.writes) {
      expect(bytes.split("\u001b[?2026h")).toHaveLength(2);
      expect(bytes.startsWith("\u001b[?2026h")).toBe(true);
      expect(bytes.endsWith("\u001b[?2026l")).toBe(true);
    }
    screen.refresh();
    vi.advanceTimersByTime(100);
    expect(out.writes).toHaveLength(2);
  });

  it("writes fewer than 100 bytes for a word of an answer, at 80 columns and a frame a word", () => {
    fakeTime();
    const out = output();
    const turns = new TurnView({
      add: (block) => screen.add(block),
      refresh: () => screen.refresh(),
      stream: process.stdout,
    });
    const screen = new Screen(
      out,
      (columns) => foot(...turns.rows(columns), "", "working 12 s · 812 tokens in, 40 out", "> "),
      "above the cursor",
    );
    screen.open();
    const run = { id: "run", conversation: "talk", step: 1, order: 0 };
    const prose = `${"The quick brown fox jumps over **the lazy dog**, and back. ".repeat(8)}\n\n`;
    const code = `\`\`\`ts\n${"const value = compute(left, right);\n".repeat(20)}\`\`\`\n\n`;
    const words = (prose + code + prose).match(/\S+\s*/g) ?? [];
    for (const content of words) {
      turns.event({ type: "respond", content, unit: 1, timestamp: 0, run });
      vi.advanceTimersByTime(16);
    }
    expect(out.writes.length).toBeGreaterThan(words.length * 0.9);
    expect(Buffer.byteLength(out.writes.join("")) / words.length).toBeLessThan(100);
  });

  it("holds its output until the size has been the same for 60 ms, and then paints once", () => {
    fakeTime();
    const out = output();
    const screen = new Screen(out, () => foot("> "), "above the cursor");
    screen.open();
    screen.flush();
    for (let step = 0; step < 10; step++) {
      out.columns -= 2;
      screen.resized();
      screen.add(() => [`line ${step}`]);
      vi.advanceTimersByTime(59);
    }
    expect(out.writes).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(out.writes).toHaveLength(2);
  });

  it("cuts rows that are too wide, and lets no control character of a row reach the terminal but colours", () => {
    const out = output(20);
    const screen = new Screen(
      out,
      () => foot("foot\u001b[2J\r\n\u009b3J\u0007", `\u001b[31m${"漢".repeat(30)}`),
      "nothing",
    );
    screen.open();
    screen.add(() => ["a\tb\u001b]52;c;AAAA\u0007", "x".repeat(100), "👨‍👩‍👧‍👦".repeat(20)]);
    screen.flush();
    const [bytes = ""] = out.writes;
    const commands = bytes.match(/\p{Cc}(\[[?\d;]*[a-zA-Z])?/gu) ?? [];
    const known = /^(\[(\d*[mKCJGAB]|\?2026[hl]|\?25[hl]|\?7[hl]))$/;
    expect(new Set(commands.filter((command) => !known.test(command.slice(1))))).toEqual(new Set(["\r", "\n"]));
    expect(bytes).toContain("foot\\u001b[2J");
    expect(bytes).not.toMatch(/x{20}/);
    expect(bytes).not.toContain("\u001b[2J");
  });

  it("keeps a foot that is higher than the screen on it, with the cursor", () => {
    const out = output(20, 5);
    const screen = new Screen(out, () => foot(...Array.from({ length: 30 }, (_, n) => `row ${n}`)), "nothing");
    screen.open();
    screen.flush();
    expect(out.writes.join("")).not.toContain("row 25");
    expect(out.writes.join("")).toContain("row 26");
  });

  it("writes what is due when it is closed, and leaves nothing of the foot", async () => {
    const terminal = emulator(40, 10);
    const screen = new Screen(terminal, () => foot("live", "> "), "above the cursor");
    screen.open();
    screen.flush();
    screen.add(() => ["the last line"]);
    screen.close();
    screen.add(() => ["too late"]);
    screen.flush();
    await terminal.write("$ ");
    expect(terminal.lines().filter((line) => line !== "")).toEqual(["the last line", "$"]);
  });

  it("erases nothing of what stays where a row was written over when the terminal had become narrower", async () => {
    const terminal = emulator(80, 10);
    const out = { columns: 80, rows: 10, write: (text: string) => void written.push(terminal.write(text)) };
    const written: Promise<void>[] = [];
    let live = "x";
    const screen = new Screen(out, () => foot(live, "> "), "above the cursor");
    screen.open();
    screen.add(() => ["stays"]);
    screen.flush();
    await Promise.all(written);
    terminal.resize(40, 10);
    live = "x".repeat(70);
    screen.flush();
    out.columns = 40;
    screen.resized();
    screen.flush();
    await Promise.all(written);
    expect(terminal.lines().filter((line) => line === "stays")).toHaveLength(1);
  });

  it("keeps every line once, and what was there before, through any changes of size, and where it learns of them late", async () => {
    await fc.assert(
      fc.asyncProperty(changes(any, 8, 50), async (steps) => {
        const { terminal, lines } = await lived(steps, true);
        const kept =
          terminal
            .lines()
            .join("\n")
            .match(/[SL]\d+;/g) ?? [];
        expect(kept).toEqual(lines);
      }),
      { numRuns: runs },
    );
  });

  it("leaves no copy of the foot behind where it fits the screen, also once its rows are wrapped anew", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    await fc.assert(
      // Rows of accents fit every width. Of longer ones nobody knows the columns for sure, so a copy may stay.
      fc.asyncProperty(changes(agreed, 2, 26), async (steps) => {
        const { terminal, rows } = await lived(steps, false);
        expect(terminal.lines().join("\n").match(/F\d;/g) ?? []).toEqual(rows);
      }),
      { numRuns: runs },
    );
  });
});

describe("reflowOf", () => {
  it("knows the terminals that wrap all rows or none", () => {
    expect(reflowOf({ TERM: "xterm-256color" })).toBe("above the cursor");
    expect(reflowOf({ TERM: "tmux-256color", TMUX: "/tmp/tmux-0/default,1,0" })).toBe("all");
    expect(reflowOf({ TERM: "xterm", XTERM_VERSION: "XTerm(379)" })).toBe("nothing");
    expect(reflowOf({ TERM: "screen", STY: "1.pts-0.host" })).toBe("nothing");
    expect(reflowOf({ TERM: "linux" })).toBe("nothing");
  });
});

/** Something that happens to a screen. */
type Change =
  | { readonly kind: "line"; readonly length: number; readonly text: string }
  | { readonly kind: "foot"; readonly height: number; readonly length: number; readonly text: string }
  | { readonly kind: "size"; readonly columns: number; readonly rows: number; readonly isLate: boolean };

const agreed = fc.constantFrom("a ", "漢", "e\u0301", "\u001b[1m~\u001b[22m");
/** Terminals disagree on the columns of the latter. */
const any = fc.oneof(agreed, fc.constantFrom("👨‍👩‍👧‍👦", "❤️", "👍🏽"));

const changes = (text: fc.Arbitrary<string>, height: number, length: number) =>
  fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant("line" as const), length: fc.nat({ max: 10 }), text }),
      fc.record({
        kind: fc.constant("foot" as const),
        height: fc.integer({ min: 1, max: height }),
        length: fc.nat({ max: length }),
        text,
      }),
      fc.record({
        kind: fc.constant("size" as const),
        columns: fc.integer({ min: 30, max: 100 }),
        rows: fc.integer({ min: 8, max: 30 }),
        isLate: fc.boolean(),
      }),
    ),
    { minLength: 4, maxLength: 30 },
  );

/** Lets changes happen to a screen, and returns the terminal with the names of the lines and of the rows of the foot that belong on it. */
async function lived(steps: readonly Change[], isKnownLate: boolean) {
  const terminal = emulator(80, 24);
  const written: Promise<void>[] = [];
  const out: { -readonly [key in keyof ScreenOutput]: ScreenOutput[key] } = {
    columns: 80,
    rows: 24,
    write: (text) => void written.push(terminal.write(text)),
  };
  const lines = Array.from({ length: 40 }, (_, n) => `S${n};`);
  out.write(lines.map((line) => `${line}\r\n`).join(""));
  let rows = ["F0;"];
  let shown: string[] = [];
  const screen = new Screen(
    out,
    () => {
      shown = rows.map((text) => text.slice(0, 3));
      return { rows, cursor: { row: rows.length - 1, column: 3 } };
    },
    "above the cursor",
  );
  screen.open();
  screen.flush();
  const learn = async (size: Pick<Emulator, "columns" | "rows">) => {
    Object.assign(out, { columns: size.columns, rows: size.rows });
    screen.resized();
    screen.flush();
  };
  for (const step of steps) {
    if (step.kind === "line") {
      const name = `L${lines.length};`;
      lines.push(name);
      screen.add(() => [name + step.text.repeat(step.length)]);
      screen.flush();
    } else if (step.kind === "foot") {
      rows = Array.from({ length: step.height }, (_, n) => `F${n};${step.text.repeat(step.length)}`);
      screen.flush();
    } else {
      await Promise.all(written);
      if (!isKnownLate) vi.advanceTimersByTime(1000);
      terminal.resize(step.columns, step.rows);
      if (!step.isLate || !isKnownLate) await learn(terminal);
    }
  }
  await learn(terminal);
  await Promise.all(written);
  return { terminal, lines, rows: shown };
}
