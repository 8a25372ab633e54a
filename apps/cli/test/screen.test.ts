import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { place } from "./support/command-line.ts";
import { hasPseudoTerminal, pseudoTerminal, type TestTerminal } from "./support/pseudo-terminal.ts";
import { hasTmux, tmuxTerminal } from "./support/tmux-terminal.ts";

const fixture = fileURLToPath(new URL("fixtures/streaming-screen.ts", import.meta.url));

/** `pnpm soak` tries all of them, several times. */
const isSoak = process.env.COGENCY_SCREEN === "all";
const widths = isSoak ? [40, 80, 200] : [80];

const terminals = [
  { name: "xterm", isThere: hasPseudoTerminal, start: pseudoTerminal },
  { name: "tmux", isThere: hasTmux, start: tmuxTerminal },
];
const cases = terminals.flatMap((terminal) =>
  widths.flatMap((columns) => Array.from({ length: isSoak ? 5 : 1 }, (_, round) => ({ ...terminal, columns, round }))),
);

describe("a text of 80 lines, streamed", () => {
  for (const { name, isThere, start, columns, round } of cases) {
    it.skipIf(!isThere)(
      `stands once and whole, below what the shell printed, in ${name} of ${columns} columns that is resized${isSoak ? `, ${round}` : ""}`,
      async () => {
        const terminal = start(place(), ["80", "1", "14"], {
          columns,
          before: 'i=0; while [ $i -lt 40 ]; do echo "S$i;"; i=$((i+1)); done',
          command: [fixture],
        });
        const expected = (kind: string, count: number) => Array.from({ length: count }, (_, n) => `${kind}${n};`);
        const random = randomOf(columns * 100 + round);
        for (const shown of ["N5;", "N20;", "N40;", "N60;"]) {
          await terminal.shows(new RegExp(shown));
          await resizedAtRandom(terminal, random);
        }
        await terminal.shows(/ready · /);
        for (let step = 0; step < 2; step++) await resizedAtRandom(terminal, random);
        await setTimeout(150);
        terminal.type("q");
        expect(await terminal.ended).toBe(0);
        const text = terminal.lines().join("\n");
        expect(text.match(/S\d+;/g)).toEqual(expected("S", 40));
        expect(committed(text)).toEqual(expected("N", 80));
        expect(text.match(/> typed/g)?.length ?? 0).toBeLessThanOrEqual(1);
        if ("bytes" in terminal) expect(String(terminal.bytes)).not.toMatch(forbidden);
      },
    );
  }
});

/** The numbered lines that stand on the page; the beginnings of one, which an older frame may have left, are not whole. */
function committed(text: string): string[] {
  return (
    text
      .replace(/\n/g, " ")
      .match(/N\d+;(?: word\d+){14}/g)
      ?.map((line) => line.slice(0, line.indexOf(";") + 1)) ?? []
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: erasing the screen or its scrollback, the other screen, and the mouse.
const forbidden = /\x1b\[[23]J|\x1bc|\x1b\[\?(?:47|1047|1049|100[0-6]|1015)h/;

async function resizedAtRandom(terminal: TestTerminal, random: (least: number, most: number) => number): Promise<void> {
  await terminal.resize(random(40, 200), random(10, 50));
  await setTimeout(random(0, 120));
}

/** A generator with a seed: mulberry32. */
function randomOf(seed: number): (least: number, most: number) => number {
  let state = seed;
  return (least, most) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return least + Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * (most - least + 1));
  };
}
