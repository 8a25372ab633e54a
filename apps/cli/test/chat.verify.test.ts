import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { LogEvent } from "@cogency/protocol";
import { sqliteStore } from "@cogency/storage-sqlite";
import { describe, expect, it } from "vitest";
import { UsageMeter } from "../src/chat/conversation/usage-meter.ts";
import { fixtures, type Place, place } from "./support/command-line.ts";
import { hasPseudoTerminal, pseudoTerminal } from "./support/pseudo-terminal.ts";

const models = join(fixtures, "chat-models.ts");
const chat = ["--provider", models, "--model", "talking", "--notify", "--context-window", "100000"];

const enter = "\r";
const esc = "\u001b";
const altEnter = "\u001b\r";
const up = "\u001b[A";
const ctrl = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 64);
const pasted = (text: string) => `\u001b[200~${text}\u001b[201~`;

/** `pnpm soak` also measures how long it takes, and has a turn that is long enough to be told. */
const isSoak = process.env.COGENCY_SCREEN === "all";

/** The screen shows what was asked for at most so long after it, which is measured where the machine has nothing else to do. */
function obeyed(what: string, since: number): void {
  const milliseconds = performance.now() - since;
  if (isSoak) console.log(`${what}: shown after ${Math.round(milliseconds)} ms`);
  expect(milliseconds).toBeLessThan(isSoak ? 200 : 10_000);
}

/** What the terminal was told to show as a message. */
function toldIn(bytes: string): string[] {
  return bytes
    .split("\u001b]9;")
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf("\u0007")));
}

async function logOf({ store: path }: Place, conversation: string): Promise<LogEvent[]> {
  const store = await sqliteStore({ path });
  try {
    return await store.load({ conversation });
  } finally {
    await store.close();
  }
}

describe.skipIf(!hasPseudoTerminal)("the chat", () => {
  it("20, 21, 23 to 26: steers and queues, cancels, takes pastes, completes, searches, edits elsewhere, suspends, counts", async () => {
    const at = place();
    mkdirSync(join(at.folder, "src"));
    for (const file of ["main.ts", "main.log"]) writeFileSync(join(at.folder, "src", file), "");
    writeFileSync(join(at.folder, ".gitignore"), "*.log\n");
    writeFileSync(join(at.folder, "editor.sh"), `printf ' and of the editor' >> "$1"\n`, { mode: 0o700 });
    const terminal = pseudoTerminal(at, [...chat, "--yes", "--conversation", "talk"], {
      env: { EDITOR: `sh ${join(at.folder, "editor.sh")}`, COGENCY_STORE: at.store },
      before: "echo before the chat; set -m",
      after: "echo the shell has it; read line; fg",
    });
    await terminal.shows(/before the chat\ncogency, in .*\n\n>\nready · mode yes/);

    // 20: Enter steers, Alt-Enter queues, and Esc brings both back.
    terminal.type(`work${enter}`);
    await terminal.shows(/⋯ shell .*\n +begun\n/);
    terminal.type(`look at b${enter}`);
    await terminal.shows(/^next: look at b$/m);
    terminal.type(`then at c${altEnter}`);
    await terminal.shows(/^next: look at b\nlater: then at c$/m);
    terminal.type(esc);
    await terminal.shows(/^> look at b\n {2}then at c$/m);
    terminal.type(enter);
    await terminal.shows(/^next: look at b then at c$/m);
    terminal.type(`at last at d${altEnter}`);
    await terminal.shows(/^later: at last at d$/m);
    writeFileSync(join(at.folder, "go"), "");
    await terminal.shows(/^> look at b\n {2}then at c\n\nI read 2 of your lines, and the last one is "then at c"/m);
    await terminal.shows(
      /^> at last at d\n\nI read 1 of your lines, and the last one is "at last at d"\.\n\n>\nready/m,
    );

    // 21: what was said stays.
    terminal.type(`hang${enter}`);
    await terminal.shows(/I am about to\n[\s\S]*working/);
    // 28: the end of a long turn is told.
    if (isSoak) await setTimeout(10_500);
    const cancelledAt = performance.now();
    terminal.type(ctrl("C"));
    await terminal.shows(/^Cancelled\. [\s\S]*\n>\nready/m);
    obeyed("Ctrl-C", cancelledAt);
    expect(toldIn(terminal.bytes)).toEqual(isSoak ? ["The agent has stopped working."] : []);

    // 24: a paste is one marker, and is sent whole.
    const lines = Array.from({ length: 10_000 }, (_, line) => `line ${line}`).join("\n");
    const written = terminal.bytes.length;
    const pastedAt = performance.now();
    terminal.type(pasted(lines));
    await terminal.shows(/^> \[paste #1 \+10000 lines\]$/m);
    obeyed("a paste of 10,000 lines", pastedAt);
    expect(terminal.bytes.length - written).toBeLessThan(1000);
    terminal.type(enter);
    await terminal.shows(/I read 10000 of your lines, and the last one is "line 9999"/);

    // 25: files that git ignores are not offered; commands of one's own.
    terminal.type("@src/ma");
    await terminal.shows(/^> @src\/ma\n.*@?src\/main\.ts/m);
    terminal.type("\t");
    await terminal.shows(/^> @src\/main\.ts$/m);
    terminal.type(ctrl("U"));
    terminal.type(`!echo seen by $((1 + 1))${enter}`);
    await terminal.shows(/^seen by 2$/m);
    terminal.type(`!!echo seen by $((2 - 1))${enter}`);
    await terminal.shows(/^seen by 1$/m);
    terminal.type(`what did I run?${enter}`);
    await terminal.shows(/of your lines, and the last one is "<\/output>"/);

    // 23: the search, and $EDITOR.
    terminal.type(`${ctrl("R")}LOOK`);
    await terminal.shows(/^search "LOOK": look at b then at c/m);
    terminal.type(enter);
    await terminal.shows(/^> look at b\n {2}then at c$/m);
    terminal.type(ctrl("G"));
    await terminal.shows(/^> look at b\n {2}then at c and of the editor$/m);
    // Ctrl-Z gives the terminal to the shell, and fg shows the chat again.
    terminal.type(ctrl("Z"));
    const suspended = await terminal.shows(/^the shell has it$/m);
    expect(suspended).not.toMatch(/of the editor|^ready/m);
    terminal.type("\n");
    await terminal.shows(/^the shell has it\n[\s\S]*^> look at b\n {2}then at c and of the editor\nready/m);

    // 26: the numbers are those of the log, and whole where there is room.
    await terminal.shows(/^ready · mode yes · about [\d.]+K tokens · context about/m);
    await terminal.resize(140, 24);
    await terminal.shows(/^ready · mode yes · about [\d,]+ tokens in/m);
    const [, input, output, share] =
      /^ready · mode yes · about ([\d,]+) tokens in, about ([\d,]+) out · context about (\d+) %/m.exec(
        terminal.screen().join("\n"),
      ) ?? [];
    await terminal.resize(80, 24);
    // 21: the first Ctrl-C clears the line, the second one leaves.
    terminal.type(`${ctrl("C")}${ctrl("C")}`);
    await terminal.ended;
    const { before, after } = terminal.settings();
    expect(after).toBe(before);
    // The path of the module may need several rows.
    expect(terminal.lines().join("")).toContain("cogency --resume talk --provider ");
    const log = await logOf(at, "talk");
    const used = UsageMeter.of(log);
    expect([input, output]).toEqual([used.input.toLocaleString("en"), used.output.toLocaleString("en")]);
    expect(Number(share)).toBe(Math.round((100 * used.context) / 100_000));
    const said = JSON.stringify(log);
    expect(said).toContain("I am about to");
    expect(said).toContain("seen by 2");
    expect(said).not.toContain("seen by 1");
    const prompts = log.flatMap((event) =>
      event.type === "user" && event.origin === undefined ? [event.content] : [],
    );
    expect(prompts.filter((prompt) => /look at b|at last at d/.test(prompt))).toEqual([
      "look at b\nthen at c",
      "at last at d",
    ]);
    expect(prompts).toContain(lines);
    // Each answer stands once.
    expect(terminal.lines().filter((line) => line.startsWith("I read 10000"))).toHaveLength(1);
  });

  it("17, 23, 28: a new chat has the prompts of the one before, and a question that is answered elsewhere closes", async () => {
    const at = place();
    mkdirSync(join(at.folder, ".cogency"));
    writeFileSync(join(at.folder, ".cogency", "prompts.jsonl"), '"the first"\n"of yesterday"\n');
    const terminal = pseudoTerminal(at, [...chat, "--conversation", "talk"], { columns: 40 });
    await terminal.shows(/ready/);
    terminal.type(up);
    await terminal.shows(/^> of yesterday$/m);
    terminal.type(up);
    await terminal.shows(/^> the first$/m);
    terminal.type(`${ctrl("U")}write${enter}`);
    await terminal.shows(/content│ # Todo\n[\s\S]*Allow it\?[\s\S]*waits for you/);
    const asked = (await logOf(at, "talk")).findLast((event) => event.type === "record" && event.kind === "question");
    const { id } = asked?.type === "record" && asked.kind === "question" ? asked.data : { id: "" };
    // A key that is typed into a text never answers, however long the pause before it.
    terminal.type("pla");
    await terminal.shows(/The agent asks for permission\.\n[\s\S]*^> pla$/m);
    await setTimeout(600);
    terminal.type("y");
    await terminal.shows(/^> play$/m);
    terminal.type(esc);
    await terminal.shows(/Allow it\?[\s\S]*Set aside until you have answered: play/);
    expect((await at.cogency(["approve", "talk", id])).code).toBe(0);
    const answered = await terminal.shows(/^Allowed elsewhere\b[\s\S]*✓ write todo\.md[\s\S]*\n> play\nready/m);
    expect(answered).not.toMatch(/Allow it\?/);
    expect(toldIn(terminal.bytes)).toEqual(["The agent asks for permission."]);
    terminal.type(`${ctrl("U")}/quit${enter}`);
    expect(await terminal.ended).toBe(0);
  });
});
