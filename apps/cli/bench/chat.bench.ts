import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { TurnView } from "../src/person/turn/turn-view.ts";
import { Screen } from "../src/screen/screen.ts";

// Measures what an answer costs on the screen of the chat, each way in a process of its own. Run: node bench/chat.bench.ts
const size = 1_000_000;
const piece = 64;
const columns = 80;

const ways = {
  "written as it comes": asItComes,
  "on the chat's screen": onScreen,
  "a word a frame": aWordAFrame,
};

const [way] = process.argv.slice(2);
if (way === undefined) {
  console.log(
    `chat: an answer of ${size / 1e6} MB in pieces of ${piece} characters; CPU includes the start of the process`,
  );
  for (const name of Object.keys(ways))
    console.log(execFileSync(process.execPath, [fileURLToPath(import.meta.url), name], { encoding: "utf8" }).trimEnd());
} else {
  const write = counting();
  await ways[way as keyof typeof ways](write);
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpu = ((userCPUTime + systemCPUTime) / 1e6).toFixed(2);
  console.log(`${way.padEnd(22)} ${cpu} s CPU   at most ${Math.round(maxRSS / 1000)} MB   ${write.note()}`);
}

interface Counting {
  (text: string): void;
  bytes(): number;
  words: number;
  note(): string;
}

function counting(): Counting {
  let bytes = 0;
  const write = (text: string) => {
    bytes += Buffer.byteLength(text);
  };
  return Object.assign(write, {
    bytes: () => bytes,
    words: 0,
    note(this: Counting) {
      return this.words > 0
        ? `${Math.round(bytes / this.words)} bytes a word`
        : `${(bytes / 1e6).toFixed(1)} MB written`;
    },
  });
}

/** Markdown of several kinds, again and again. */
function answer(length: number): string {
  const prose = "The quick brown fox jumps over the lazy dog, and **nothing** of `it` is lost. ".repeat(6);
  const code = `\`\`\`ts\n${"const value = compute(left, right);\n".repeat(20)}\`\`\``;
  const list = Array.from({ length: 12 }, (_, n) => `- item ${n} of a list with some words`).join("\n");
  const table = `| name | value |\n|---|---|\n${"| a row | 12 |\n".repeat(8)}`;
  const section = [`## A part`, prose, list, code, table, "> a quote of a line or two"].join("\n\n");
  return `${section}\n\n`.repeat(Math.ceil(length / section.length)).slice(0, length);
}

/** As they come from a model: none is kept. */
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += piece) yield text.slice(at, at + piece);
}

async function asItComes(write: Counting): Promise<void> {
  await each(piecesOf(answer(size)), 20, write);
}

async function onScreen(write: Counting): Promise<void> {
  const { say, close } = chatScreen(write);
  await each(piecesOf(answer(size)), 20, say);
  close();
}

/** As a model of 50 words a second does it, so that each is a frame. */
async function aWordAFrame(write: Counting): Promise<void> {
  const words = answer(6000).match(/\S+\s*/g) ?? [];
  const { say, close } = chatScreen(write);
  for (const word of words) {
    say(word);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  write.words = words.length;
  close();
}

async function each(pieces: Iterable<string>, together: number, say: (text: string) => void): Promise<void> {
  let count = 0;
  for (const text of pieces) {
    say(text);
    if (count++ % together === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

function chatScreen(write: (text: string) => void) {
  const screen = new Screen(
    { columns, rows: 24, write },
    (width) => {
      const rows = [...turns.rows(width), "", "> ", "working 12 s · 812 tokens in, 40 out · offline echo"];
      return { rows, cursor: { row: rows.length - 2, column: 2 } };
    },
    "above the cursor",
  );
  const turns = new TurnView({
    add: (block) => screen.add(block),
    refresh: () => screen.refresh(),
    stream: process.stdout,
  });
  const run = { id: "run", conversation: "bench", step: 1, order: 0 };
  screen.open();
  return {
    say: (content: string) => turns.event({ type: "respond", content, unit: 1, timestamp: 0, run }),
    close() {
      turns.event({ type: "end", timestamp: 0, run });
      screen.close();
    },
  };
}
