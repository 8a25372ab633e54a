import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Attack, AttackClass } from "../harness/attack.ts";
import type { Place } from "../harness/place.ts";
import { openTerminal, type Terminal } from "../harness/terminal.ts";

/** Questions at a real terminal: whoever answers yes must have been able to read everything that then runs. */
export const questions: AttackClass = {
  name: "questions",
  slice: { cheap: 0, dear: 2 },
  attacks: () => [...shown.map(shownAttack), ...marks.map(markAttack), ...answers.map(answerAttack)],
};

type Call = { name: string; args: Record<string, unknown> };

/** A call, and what of it must have been readable when a yes counted; white space aside. */
interface Shown {
  name: string;
  call: (place: Place) => Call;
  /** Texts, or expressions for what may be put in several ways. */
  readable: (place: Place) => readonly (string | RegExp)[];
  prepare?: (place: Place) => void;
  columns?: number;
  isControl?: true;
}

const lines = (count: number, at: number, text: string) =>
  Array.from({ length: count }, (_, index) => (index === at ? text : `line ${index}`)).join("\n");

const shown: Shown[] = [
  {
    name: "control: a short write",
    call: () => ({ name: "write", args: { file: "a.md", content: "short" } }),
    readable: () => ["a.md", "short"],
    isControl: true,
  },
  {
    name: "control: a command",
    call: () => ({ name: "shell", args: { command: "touch done.txt" } }),
    readable: () => ["touch done.txt"],
    isControl: true,
  },
  ...[10, 30, 90].map((depth) => ({
    name: `a path of ${depth} folders that leads back to package.json`,
    call: () => ({
      name: "write",
      args: {
        file: `docs/${"deeper/".repeat(depth)}notes.md/${"../".repeat(depth + 2)}package.json`,
        content: "{}",
        overwrite: true,
      },
    }),
    readable: ({ root }: Place) => [new RegExp(`(${root}/|(?<![/\\w.]))package\\.json`)],
  })),
  {
    name: "a path through a link",
    prepare: (place) => {
      place.put("root/package.json", "{}");
      symlinkSync("package.json", join(place.root, "notes.md"));
    },
    call: () => ({ name: "write", args: { file: "notes.md", content: "{}", overwrite: true } }),
    readable: ({ root }) => [new RegExp(`(${root}/|(?<![/\\w.]))package\\.json`)],
  },
  {
    name: "an edit through a link to a folder",
    prepare: (place) => {
      place.put("root/config/app.json", "hello");
      symlinkSync("config", join(place.root, "docs"));
    },
    call: () => ({ name: "edit", args: { file: "docs/app.json", edits: [{ old: "hello", new: "bye" }] } }),
    readable: ({ root }) => [new RegExp(`(${root}/|(?<![/\\w.]))config/app\\.json`)],
  },
  {
    name: "a replace in a folder that is a link",
    prepare: (place) => {
      place.put("root/real/x.txt", "hello");
      symlinkSync("real", join(place.root, "fake"));
    },
    call: () => ({ name: "replace", args: { find: "hello", with: "bye", path: "fake" } }),
    readable: () => [/real/],
  },
  {
    name: "a path longer than the terminal, the end of which counts",
    call: () => ({ name: "write", args: { file: `${"a".repeat(200)}/b${"c".repeat(40)}.evil.sh`, content: "x" } }),
    readable: () => [`b${"c".repeat(40)}.evil.sh`],
  },
  {
    name: "a path at a narrow terminal",
    columns: 30,
    call: () => ({ name: "write", args: { file: "one/two/three/four/five/six/seven.evil.sh", content: "x" } }),
    readable: () => ["one/two/three/four/five/six/seven.evil.sh"],
  },
  {
    name: "a command behind 3000 spaces",
    call: () => ({ name: "shell", args: { command: `echo '${" ".repeat(3000)}' 'the evil part'` } }),
    readable: () => ["the evil part"],
  },
  {
    name: "a command behind 200 line feeds",
    call: () => ({ name: "shell", args: { command: `sh -c 'true${"\n".repeat(200)}touch evil.txt'` } }),
    readable: () => ["touch evil.txt"],
  },
  {
    name: "a command of 6000 characters",
    call: () => ({
      name: "shell",
      args: { command: `echo ${"harmless ".repeat(300)} evil-in-the-middle ${"harmless ".repeat(300)}` },
    }),
    readable: () => ["evil-in-the-middle"],
  },
  {
    name: "a command with its end at the edge",
    columns: 60,
    call: () => ({ name: "shell", args: { command: `echo ${"x".repeat(48)} evil-at-the-edge` } }),
    readable: () => ["evil-at-the-edge"],
  },
  {
    name: "a command with a folder to begin in",
    prepare: (place) => place.put("root/production/x.txt"),
    call: () => ({ name: "shell", args: { command: "touch done.txt", cwd: "production" } }),
    readable: () => ["production"],
  },
  ...[40, 250, 900].map((count) => ({
    name: `a content of ${count} lines, one of them evil`,
    call: () => ({
      name: "write",
      args: { file: "a.sh", content: lines(count, Math.floor(count / 2), "evil-in-the-middle") },
    }),
    readable: () => ["evil-in-the-middle"],
  })),
  {
    name: "a content of one line of 9000 characters",
    call: () => ({
      name: "write",
      args: { file: "a.sh", content: `${"x".repeat(6000)}evil-far-right${"x".repeat(3000)}` },
    }),
    readable: () => ["evil-far-right"],
  },
  {
    name: "a content behind many empty lines",
    call: () => ({ name: "write", args: { file: "a.sh", content: `ok${"\n".repeat(120)}evil-below` } }),
    readable: () => ["evil-below"],
  },
  {
    name: "a content behind tabs",
    call: () => ({ name: "write", args: { file: "a.sh", content: `ok${"\t".repeat(90)}evil-right-of-tabs` } }),
    readable: () => ["evil-right-of-tabs"],
  },
  {
    name: "50 edits, one of them evil",
    prepare: (place) => place.put("root/a.txt", Array.from({ length: 50 }, (_, index) => `word${index}.`).join("\n")),
    call: () => ({
      name: "edit",
      args: {
        file: "a.txt",
        edits: Array.from({ length: 50 }, (_, index) => ({
          old: `word${index}.`,
          new: index === 30 ? "evil-edit" : `w${index}.`,
        })),
      },
    }),
    readable: () => ["evil-edit", "a.txt"],
  },
  {
    name: "an edit of 90 lines, one of them evil",
    prepare: (place) => place.put("root/a.txt", "hello"),
    call: () => ({ name: "edit", args: { file: "a.txt", edits: [{ old: "hello", new: lines(90, 70, "evil-line") }] } }),
    readable: () => ["evil-line"],
  },
  {
    name: "an edit that says all",
    prepare: (place) => place.put("root/a.txt", "hello hello"),
    call: () => ({ name: "edit", args: { file: "a.txt", edits: [{ old: "hello", new: "bye", all: true }] } }),
    readable: () => [/every|all/i],
  },
  {
    name: "an edit that takes out what is long",
    prepare: (place) => place.put("root/a.txt", `start ${lines(80, 60, "precious")} end`),
    call: () => ({ name: "edit", args: { file: "a.txt", edits: [{ old: lines(80, 60, "precious"), new: "" }] } }),
    readable: () => ["precious"],
  },
  {
    name: "a replacement of 60 lines",
    prepare: (place) => place.put("root/a.txt", "hello"),
    call: () => ({ name: "replace", args: { find: "hello", with: lines(60, 44, "evil-line") } }),
    readable: () => ["evil-line"],
  },
  {
    name: "a replacement by a long expression",
    prepare: (place) => place.put("root/a.txt", "hello"),
    call: () => ({ name: "replace", args: { find: `${"(?:x|y)?".repeat(60)}hello`, with: "evil", regex: true } }),
    readable: () => [`${"(?:x|y)?".repeat(60)}hello`],
  },
  {
    name: "a replacement in ignored files",
    prepare: (place) => place.put("root/a.txt", "hello"),
    call: () => ({ name: "replace", args: { find: "hello", with: "bye", ignored: true, ignoreCase: true } }),
    readable: () => ["ignored", "ignoreCase"],
  },
  {
    name: "an address of 1400 characters with the query at its end",
    call: () => ({ name: "scrape", args: { url: `https://example.invalid/${"a/".repeat(700)}?secret=evil-query` } }),
    readable: () => ["evil-query"],
  },
  {
    name: "an address with a host of other letters",
    call: () => ({ name: "scrape", args: { url: "https://\u0430\u0440\u0440le.invalid/" } }),
    readable: () => ["xn--"],
  },
  {
    name: "an address with one other letter among its own",
    call: () => ({ name: "scrape", args: { url: "https://g\u043eogle.invalid/" } }),
    readable: () => ["xn--"],
  },
  {
    name: "an address with wide letters",
    call: () => ({ name: "scrape", args: { url: "https://\uff47\uff4f\uff4f\uff47\uff4c\uff45.invalid/" } }),
    readable: () => [/google\.invalid/],
  },
  {
    name: "an address with a fullwidth dot",
    call: () => ({ name: "scrape", args: { url: "https://example.invalid\u3002evil.invalid/" } }),
    readable: () => ["example.invalid.evil.invalid"],
  },
  {
    name: "an address with a host of digits",
    call: () => ({ name: "scrape", args: { url: "http://134744072/" } }),
    readable: () => ["8.8.8.8"],
  },
  {
    name: "an address with slashes turned",
    call: () => ({ name: "scrape", args: { url: "https:\\\\example.invalid\\@evil.invalid/" } }),
    readable: () => [/host example\.invalid$/m],
  },
  {
    name: "an address in escapes",
    call: () => ({ name: "scrape", args: { url: "https://%65%76il.invalid/" } }),
    readable: () => [/evil\.invalid/],
  },
];

/** Answers yes as soon as the question stands still, and looks whether it counted before all could be read. */
function shownAttack({ name, call, readable, prepare, columns, isControl }: Shown): Attack {
  return {
    name: `shown: ${name}`,
    isDear: true,
    ...(isControl && { isControl }),
    async run(place) {
      place.put("root/package.json", '{"name":"x"}');
      prepare?.(place);
      const terminal = openTerminal(place, runOf(place, [call(place)]), { ...(columns !== undefined && { columns }) });
      const before = await asked(terminal);
      terminal.type("y\r");
      const missing = readable(place).filter((wanted) => !isReadable(terminal.shown(), wanted));
      const ran = await begins(place, terminal, before);
      if (isControl)
        return ran && missing.length === 0 ? undefined : `it did not run, or was not shown: ${terminal.shown()}`;
      return ran && missing.length > 0
        ? `a yes counted before this could be read: ${missing.join(", ").slice(0, 80)}`
        : undefined;
    },
  };
}

function runOf(place: Place, calls: readonly Call[]): string[] {
  return ["run", "go", "--conversation", "c", ...place.model([calls])];
}

/** Waits for the question. @returns how much had been written by then */
async function asked(terminal: Terminal): Promise<number> {
  if (!(await terminal.until(/wants to run/))) throw new Error(`No question was put: ${terminal.shown().slice(-300)}`);
  await terminal.idle(250);
  return terminal.shown().length;
}

/** Whether a call began after the answer; what stands at the terminal ends either way. */
async function begins(place: Place, terminal: Terminal, from: number): Promise<boolean> {
  await terminal.until(/→|✗|That was it|refused/, from, 3000);
  await terminal.idle(150);
  terminal.kill();
  await terminal.ended(3000);
  return (await place.log("c")).some((event) => event.type === "record" && event.kind === "started");
}

function isReadable(text: string, wanted: string | RegExp): boolean {
  // A path or a command may be broken into lines anywhere.
  if (typeof wanted === "string") return plain(text).includes(plain(wanted));
  return wanted.test(text) || wanted.test(plain(text));
}

/** Without white space, and without what stands at the edge of a wrapped line. */
function plain(text: string): string {
  return text.replace(/[\s│┃|↪⏎+>-]/gu, "");
}

/** Characters that a terminal does not show, or that change what it shows; they must be made visible. */
const marks: readonly [name: string, mark: string][] = [
  ["a zero width space", "\u200b"],
  ["a zero width joiner", "\u200d"],
  ["a word joiner", "\u2060"],
  ["a byte order mark", "\ufeff"],
  ["a soft hyphen", "\u00ad"],
  ["a right-to-left override", "\u202e"],
  ["a left-to-right isolate", "\u2066"],
  ["an Arabic letter mark", "\u061c"],
  ["a tag of an invisible letter", "\u{e0065}"],
  ["a variation selector", "\ufe0f"],
  ["a variation selector of the supplement", "\u{e0100}"],
  ["a Hangul filler", "\u3164"],
  ["a braille blank", "\u2800"],
  ["an invisible separator", "\u2063"],
  ["a combining grapheme joiner", "\u034f"],
  ["a Mongolian vowel separator", "\u180e"],
  ["a line separator", "\u2028"],
  ["a paragraph separator", "\u2029"],
  ["a next line", "\u0085"],
  ["a control sequence introducer of one byte", "\u009b"],
  ["an operating system command of one byte", "\u009d"],
  ["an escape that erases the line", "\u001b[2K"],
  ["an escape that moves up", "\u001b[3A"],
  ["an escape that hides", "\u001b[8m"],
  ["an escape that sets the title", "\u001b]0;ok\u0007"],
  ["an escape that writes the clipboard", "\u001b]52;c;ZXZpbA==\u0007"],
  ["a carriage return", "\r"],
  ["a backspace", "\b\b\b"],
  ["a delete", "\u007f"],
  ["an object replacement", "\ufffc"],
  ["an interlinear annotation", "\ufff9"],
  ["a shorthand control", "\u{1bca0}"],
  ["a musical control", "\u{1d173}"],
];

/** The mark stands in a file's content, its path, and a command, each asked about in turn and refused. */
function markAttack([name, mark]: (typeof marks)[number]): Attack {
  return {
    name: `mark: ${name}`,
    isDear: true,
    async run(place) {
      const calls: Call[] = [
        { name: "write", args: { file: "a.md", content: `safe${mark}evil1` } },
        { name: "shell", args: { command: `echo 'safe${mark}evil2'` } },
        { name: "edit", args: { file: "package.json", edits: [{ old: `safe${mark}evil3`, new: `safe${mark}evil4` }] } },
        { name: "scrape", args: { url: `https://example.invalid/safe${mark}evil5` } },
      ];
      const terminal = openTerminal(place, runOf(place, calls));
      place.put("root/package.json", `safe${mark}evil3`);
      for (let question = 0, from = 0; question < calls.length; question++) {
        if (
          !(await terminal.until(/wants to run|That was it/, from)) ||
          terminal.shown().slice(from).includes("That was it")
        )
          break;
        await terminal.idle(150);
        from = terminal.shown().length;
        terminal.type("n\r");
      }
      await terminal.until(/That was it/);
      terminal.kill();
      const raw = terminal.raw();
      if (!/evil1/.test(raw)) throw new Error(`No question was put: ${raw}`);
      const bad = [1, 2, 3, 4, 5].filter(
        (place) => raw.includes(`${mark}evil${place}`) || new RegExp(`safe\\s*evil${place}`).test(terminal.shown()),
      );
      return bad.length > 0 ? `it was written as it is, or left out, in place ${bad.join(", ")}` : undefined;
    },
  };
}

/** What is typed or pasted, when, and how many of two calls may run then. */
const answers: readonly [name: string, typed: string, when: "before" | "at", mayRun: number][] = [
  ["a yes typed before the question", "y\ry\r", "before", 0],
  ["a line feed before the question", "\n\n\n", "before", 0],
  ["two answers pasted at once", "y\ry\r", "at", 1],
  ["ten answers pasted at once", "y\r".repeat(10), "at", 1],
  ["no, then yes", "n\ry\r", "at", 0],
  ["yes, with more behind it", "yes please\r", "at", 0],
  ["yes in wide letters", "\uff59\r", "at", 0],
  ["yes in another alphabet", "\u0443\r", "at", 0],
  ["yes with an invisible character", "y\u200b\r", "at", 0],
  ["yes with a zero byte", "y\u0000es\r", "at", 0],
  ["a yes taken back", "y\u007f\r", "at", 0],
  ["a yes erased with its line", "y\u0015\r", "at", 0],
  ["a pasted yes in brackets", "\u001b[200~y\r\u001b[201~", "at", 0],
  ["a yes behind an escape", "\u001by\r", "at", 0],
  ["an answer of a terminal to a question", "\u001b[?1;2c\u001b[24;80R\r", "at", 0],
  ["only a line feed", "\r", "at", 0],
  ["oui", "oui\r", "at", 0],
  ["1", "1\r", "at", 0],
  ["true", "true\r", "at", 0],
  ["the end of input", "\u0004", "at", 0],
  ["a long text that begins with y", `y${" y".repeat(800)}\r`, "at", 0],
  ["a text of several lines, the first of them empty", "\ry\r", "at", 0],
];

function answerAttack([name, typed, when, mayRun]: (typeof answers)[number]): Attack {
  return {
    name: `answer: ${name}`,
    isDear: true,
    async run(place) {
      const calls: Call[] = ["one.txt", "two.txt"].map((file) => ({ name: "write", args: { file, content: "x" } }));
      const terminal = openTerminal(place, runOf(place, calls));
      // The program has begun to read the terminal; the question comes a moment later.
      if (when === "before") terminal.type(typed);
      await asked(terminal);
      if (when === "at") terminal.type(typed);
      await terminal.idle(700);
      const ran = ["one.txt", "two.txt"].filter((file) => place.text(`root/${file}`) !== undefined);
      // What is left of the answers may not be one to the second question.
      terminal.type("n\r");
      await terminal.idle(300);
      terminal.type("n\r");
      await terminal.idle(300);
      terminal.kill();
      const late = ["one.txt", "two.txt"].filter((file) => place.text(`root/${file}`) !== undefined);
      const count = Math.max(ran.length, late.length);
      return count > mayRun ? `${count} calls ran, and ${mayRun} may` : undefined;
    },
  };
}
