import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { fixtures, place } from "./support/command-line.ts";
import { hasPseudoTerminal, pseudoTerminal, type TestTerminal } from "./support/pseudo-terminal.ts";
import { hasTmux, tmuxTerminal } from "./support/tmux-terminal.ts";

const models = join(fixtures, "chat-models.ts");

/** `pnpm soak` tries all widths in both terminals, several times. */
const isSoak = process.env.COGENCY_SCREEN === "all";
const rounds = isSoak
  ? [40, 80, 200].flatMap((width) => [1, 2, 3, 4, 5].map((seed) => ({ inXterm: width, inTmux: width, seed })))
  : [{ inXterm: 40, inTmux: 200, seed: 0 }];

const shellLines = Array.from({ length: 40 }, (_, n) => `S${n};`);
const textLines = Array.from({ length: 80 }, (_, n) => `N${n};`);

describe.skipIf(!hasPseudoTerminal || !hasTmux)("an answer of 80 lines in the chat, in xterm and in tmux", () => {
  for (const { inXterm, inTmux, seed } of rounds) {
    it(`18: stands once and whole below what the shell printed, resized six times from ${inXterm} and ${inTmux} columns, seed ${seed}`, async () => {
      const before = 'i=0; while [ $i -lt 40 ]; do echo "S$i;"; i=$((i+1)); done';
      const chat = ["--provider", models, "--model", "streaming", "--ephemeral"];
      const xterm = pseudoTerminal(place(), chat, { columns: inXterm, before });
      const tmux = tmuxTerminal(place(), chat, { columns: inTmux, before });
      for (const text of await Promise.all([resizedSixTimes(xterm, seed), resizedSixTimes(tmux, seed)])) {
        expect(text.match(/S\d+;/g)).toEqual(shellLines);
        // Rows that were wrapped on the page are lines of their own. An older frame may have left the beginning of a line.
        const whole = text.replace(/\n/g, " ").match(/N\d+;(?= (?:word\d+ ?){14})/g);
        expect(whole).toEqual(textLines);
        expect(text.match(/> go/g)?.length).toBe(1);
        // One copy of the foot may stay behind: of a typed line at most.
        expect(text.match(/> typed/g)?.length ?? 0).toBeLessThanOrEqual(1);
      }
      expect(xterm.bytes).not.toMatch(forbidden);
    });
  }
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: erasing the screen or its scrollback, the other screen, and the mouse.
const forbidden = /\x1b\[[23]J|\x1bc|\x1b\[\?(?:47|1047|1049|100[0-6]|1015)h/;

/** Four times while it streams, and twice afterwards. Returns all that then stands in the terminal. */
async function resizedSixTimes(terminal: TestTerminal, seed: number): Promise<string> {
  const random = randomOf(seed);
  const resize = async () => {
    await terminal.resize(random(40, 200), random(10, 50));
    await setTimeout(random(0, 120));
  };
  await terminal.shows(/ready/);
  terminal.type("go\r");
  await terminal.shows(/N0;/);
  terminal.type("typed");
  for (const shown of [/N5;/, /N20;/, /N40;/, /N60;/]) {
    await terminal.shows(shown);
    await resize();
  }
  await terminal.shows(/N79;[\s\S]*ready · /);
  await resize();
  await resize();
  await setTimeout(150);
  terminal.type("\u0003\u0003");
  expect(await terminal.ended).toBe(0);
  return terminal.lines().join("\n");
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
