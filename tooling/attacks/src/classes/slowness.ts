import { setImmediate } from "node:timers/promises";
import { redactSecrets } from "@cogency/storage";
import { scrapeTool } from "@cogency/toolbox";
import { createExecutor, createRegistry, defineTool, type ToolState } from "@cogency/tools";
import * as z from "zod";
import type { Attack, AttackClass } from "../harness/attack.ts";
import { carryOut, type FileCall } from "../harness/file-calls.ts";
import type { Place } from "../harness/place.ts";

/** Files, patterns and pages that are made to take long. What counts is processor time, on a machine however busy. */
export const slowness: AttackClass = {
  name: "slowness",
  slice: { cheap: 2, dear: 0 },
  attacks: () => [
    ...ignores.map(ignoreAttack),
    ...globs.map(globAttack),
    ...expressions.map(expressionAttack),
    ...edits.map(editAttack),
    ...pages.map(pageAttack),
    ...redactions.map(redactionAttack),
    ...echoes.map(echoAttack),
  ],
};

/** Milliseconds of the processor that one turn of the event loop may take, and all of it. */
const longestTurn = 400;
const longestWork = 3000;

/** Measures the turns of the event loop while work is under way. */
async function slow(work: () => unknown): Promise<string | undefined> {
  let isOver = false;
  let longest = 0;
  const begun = cpu();
  const watching = (async () => {
    for (let last = cpu(); !isOver; ) {
      await setImmediate();
      const now = cpu();
      longest = Math.max(longest, now - last);
      last = now;
    }
  })();
  await setImmediate();
  // The turns spent waiting are those of the watcher itself.
  const before = cpu();
  await work();
  isOver = true;
  await watching;
  const whole = cpu() - begun;
  const first = cpu() - before;
  if (longest > longestTurn) return `one turn took ${Math.round(longest)} ms of the processor`;
  return Math.min(first, whole) > longestWork * 8 ? `it took ${Math.round(first)} ms of the processor` : undefined;
}

function cpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const longName = "a".repeat(240);

/** Lines of a .gitignore, and names in the folder. */
const ignores: readonly [name: string, text: string][] = [
  ["stars between letters", `${"*a".repeat(60)}b\n`],
  [
    "stars between letters, many lines",
    `${Array.from({ length: 2000 }, (_, index) => `${"*a".repeat(30)}${index}b`).join("\n")}\n`,
  ],
  ["question marks behind stars", `${"*?".repeat(80)}b\n`],
  ["classes behind stars", `${"*[a-z]".repeat(50)}0\n`],
  ["classes with all letters", `${`[${"a-z".repeat(100)}]*`.repeat(20)}0\n`],
  ["folders of any depth", `${"**/a".repeat(3)}/b\n`.repeat(1500)],
  ["many lines that take back", `${Array.from({ length: 1000 }, () => "*a*a*a*a*a*\n!*a*a*a*a*ab").join("\n")}\n`],
  ["a line of a million characters", `${"*a".repeat(500_000)}\n`],
  ["backslashes", `${"\\*a*".repeat(100)}b\n`],
  ["an open class", `${"[a*".repeat(100)}\n`],
  ["spaces behind", `a${" ".repeat(200_000)}b\n`],
  ["stars and slashes", `${"*/".repeat(100)}*a*a*a*a*b\n`],
];

function ignoreAttack([name, text]: (typeof ignores)[number]): Attack {
  return {
    name: `.gitignore: ${name}`,
    async run(place) {
      place.put("root/.gitignore", text);
      for (let index = 0; index < 150; index++) place.put(`root/${longName.slice(3)}${index}`, "hello\n");
      for (let index = 0; index < 20; index++) place.put(`root/a/a/a/a/${longName.slice(3)}${index}`, "hello\n");
      return slowCalls(place, [
        { name: "find", args: { content: "hello" } },
        { name: "list", args: { path: ".", depth: 4 } },
      ]);
    },
  };
}

function slowCalls(place: Place, calls: readonly FileCall[]): Promise<string | undefined> {
  return slow(() => carryOut(calls, { root: place.root, access: "project" }));
}

/** Patterns of find, at most 250 characters long. */
const globs = [
  "*a".repeat(100).concat("b"),
  "*?".repeat(120),
  "*[a-z]".repeat(40).concat("0"),
  "**/".repeat(80).concat("b"),
  "**/*a".repeat(40).concat("b"),
  "{a,aa}".repeat(16).concat("b"),
  "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
  "{".repeat(120).concat("}".repeat(120)),
  "[!b]*".repeat(48).concat("b"),
  "?".repeat(250),
  `${"*".repeat(249)}b`,
  "{*a,*aa}*{*a,*aa}*{*a,*aa}b",
];

function globAttack(pattern: string): Attack {
  return {
    name: `glob: ${pattern.slice(0, 30)}`,
    async run(place) {
      for (let index = 0; index < 200; index++) place.put(`root/a/a/a/${longName}${index}`, "hello\n");
      return slowCalls(place, [
        { name: "find", args: { pattern: pattern.slice(0, 250) } },
        { name: "list", args: { path: ".", depth: 5, pattern: pattern.slice(0, 250) } },
      ]);
    },
  };
}

/** Regular expressions over a file of a megabyte. */
const expressions: readonly [expression: string, text: string][] = [
  ["(a+)+$", "a"],
  ["(a|aa)+b", "a"],
  ["(a*)*b", "a"],
  ["(.*a){20}", "a"],
  ["a{1,100}b", "a"],
  ["(?:a?){90}a{90}", "a"],
  ["(x+x+)+y", "x"],
  ["\\pL{80}b", "a"],
  ["(?i)(k|\u212a)+z", "k"],
  ["(\\s*\\w+\\s*)+!", "word "],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", "a"],
  ["(a(b(c(d(e)*)*)*)*)*f", "abcde"],
  ["[^b]*[^b]*[^b]*b", "a"],
  ["", "a"],
  ["|".repeat(400), "a"],
  ["(".repeat(200).concat(")".repeat(200)), "a"],
  ["\\C*\\C*b", "\u00e9"],
];

function expressionAttack([expression, text]: (typeof expressions)[number]): Attack {
  return {
    name: `expression: ${expression.slice(0, 30)}`,
    async run(place) {
      place.put("root/a.txt", text.repeat(Math.floor(1_000_000 / text.length)));
      return slowCalls(place, [
        { name: "find", args: { content: expression || "a", regex: true } },
        { name: "replace", args: { find: expression || "a", with: "$&$&", regex: true, dryRun: true } },
      ]);
    },
  };
}

/** Edits and replacements of large files. */
const edits: readonly [name: string, text: () => string, call: FileCall][] = [
  ["a text that is almost there everywhere", () => "aaaaaaaaab".repeat(100_000), edit("aaaaaaaaac")],
  ["a long text that is almost there", () => `${"a".repeat(1000)}\n`.repeat(1000), edit(`${"a".repeat(60_000)}b`)],
  [
    "lines that are almost there",
    () => "let x = 1;\n".repeat(90_000),
    edit(`${"let x = 1;\n".repeat(5000)}let y = 1;`),
  ],
  ["white space only", () => " \t".repeat(500_000), edit(" \t\t ".repeat(10_000))],
  [
    "fifty that miss",
    () => "abcdefgh\n".repeat(100_000),
    {
      name: "edit",
      args: {
        file: "a.txt",
        edits: Array.from({ length: 50 }, (_, index) => ({ old: `abcdefg${index}\n`.repeat(50), new: "x" })),
      },
    },
  ],
  [
    "every line another",
    () => Array.from({ length: 60_000 }, (_, index) => `l${index % 7}`).join("\n"),
    { name: "replace", args: { find: "l3", with: "l4\nl3" } },
  ],
  [
    "every other line exchanged",
    () => Array.from({ length: 40_000 }, (_, index) => `${(index * 7919) % 40_000}`).join("\n"),
    { name: "replace", args: { find: "1", with: "2\n" } },
  ],
  ["a million places", () => "a".repeat(1_000_000), { name: "replace", args: { find: "a", with: "bb" } }],
];

function edit(old: string): FileCall {
  return { name: "edit", args: { file: "a.txt", edits: [{ old, new: "x" }] } };
}

function editAttack([name, text, call]: (typeof edits)[number]): Attack {
  return {
    name: `edit: ${name}`,
    async run(place) {
      place.put("root/a.txt", text());
      return slowCalls(place, [call]);
    },
  };
}

/** Pages of HTML. They are read in another process, which may take its time and is ended then. */
const pages: readonly [name: string, html: () => string][] = [
  ["elements in elements", () => "<div>".repeat(200_000)],
  ["formats that never close", () => "<b><i><u>".repeat(60_000)],
  ["formats that close crosswise", () => "<b><p></b></p><i><div></i></div>".repeat(40_000)],
  ["links in links", () => "<a href=x>".repeat(200_000)],
  ["an open comment", () => "<!--".repeat(400_000)],
  ["an open tag", () => "<".repeat(1_900_000)],
  ["an open attribute", () => `<p a="${"x".repeat(1_900_000)}`],
  [
    "attributes without number",
    () => `<p ${Array.from({ length: 150_000 }, (_, index) => `a${index}`).join(" ")}>text</p>`,
  ],
  ["a style without end", () => `<p style="${"display:none;".repeat(140_000)}">text</p>`],
  ["a style of spaces", () => `<p style="display${" ".repeat(1_900_000)}:none">text</p>`],
  ["entities", () => "&amp;".repeat(380_000)],
  ["entities that do not end", () => "&a".repeat(900_000)],
  ["a table of tables", () => "<table><tr><td>".repeat(120_000)],
  ["a cell over all columns", () => `<table>${"<tr><td colspan=1000000 rowspan=1000000>x".repeat(20_000)}</table>`],
  ["lists in lists", () => "<ul><li>".repeat(220_000)],
  ["quotes in quotes", () => "<blockquote>x".repeat(140_000)],
  ["text for Markdown to escape", () => `<p>${"*_[]()`#+-.!\\".repeat(140_000)}</p>`],
  ["white space in a row", () => `<p>${" \n\t".repeat(600_000)}x</p>`],
  ["backticks in code", () => `<code>${"` ``".repeat(450_000)}</code>`],
  ["a title without end", () => `<title>${"x".repeat(1_900_000)}`],
  [
    "a picture of data",
    () => `<img alt="${"x[]".repeat(300_000)}" src="data:image/png;base64,${"A".repeat(900_000)}">`,
  ],
  ["numbers of letters", () => "&#x41;".repeat(310_000)],
];

function pageAttack([name, html]: (typeof pages)[number]): Attack {
  return {
    name: `page: ${name}`,
    async run(place) {
      const text = html();
      const port = await place.serve((_, response) =>
        response.writeHead(200, { "content-type": "text/html" }).end(text),
      );
      const executor = createExecutor({
        registry: createRegistry([scrapeTool({ allow: ["127.0.0.1"] })]),
        approval: { policy: () => "allow" },
      });
      return slow(() =>
        executor.run([{ name: "scrape", args: { url: `http://127.0.0.1:${port}/` } }], { conversation: "c" }),
      );
    },
  };
}

/** Texts that almost hold a secret, again and again. */
const redactions = [
  "password=",
  'password: "',
  "-----BEGIN RSA PRIVATE KEY-----\n",
  "eyJ.",
  "eyJhbGciOi.eyJ",
  "sk-",
  "AKIA",
  "Authorization: Bearer ",
  "://a:",
  "https://a:b",
  "machine a login b ",
  "curl -u ",
  "a=",
  '"auth":"',
  "mysql -p",
  "--password ",
  "token ",
  "_auth=",
  "Cookie: a=b; ",
  "1234567890:",
  "\u0130password=",
  "=".repeat(50),
  "aA1+/",
  " \t",
  "PuTTY-User-Key-File-3: ",
  'password=\\"',
  "client-key-data: ",
];

function redactionAttack(piece: string): Attack {
  return {
    name: `redaction: ${JSON.stringify(piece)}`,
    async run() {
      const text = piece.repeat(Math.ceil(500_000 / piece.length));
      const begun = cpu();
      redactSecrets(text);
      redactSecrets(`${text}x\n${text}`);
      const taken = cpu() - begun;
      // 1.5 million characters: a text of ordinary words takes well under a tenth of it.
      return taken > 1500 ? `it took ${Math.round(taken)} ms` : undefined;
    },
  };
}

/** Results of before in which the search for a planted call takes its time. */
const echoes = [
  '"pay"',
  "pay",
  '{"name":"pay",',
  '{"name":"pay","args":{',
  '\\"',
  "\\u0070",
  "&quot;pay&quot;",
  "<pay ",
  "{".repeat(40),
  "\\".repeat(60),
  " \n",
  "p&#97;y",
];

function echoAttack(piece: string): Attack {
  return {
    name: `echo: ${JSON.stringify(piece.slice(0, 30))}`,
    async run() {
      const content = JSON.stringify([
        { tool: "page", status: "success", content: piece.repeat(Math.ceil(1_000_000 / piece.length)) },
      ]);
      const state: ToolState = {
        events: [
          { type: "result", content, payload: { tools_executed: 1, success_count: 1, failure_count: 0 }, timestamp: 1 },
        ],
        metadata: {},
        step: 1,
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      };
      const pay = defineTool({
        name: "pay",
        description: "Pays.",
        input: z.object({ to: z.string() }),
        execute: () => "paid",
      });
      const executor = createExecutor({ registry: createRegistry([pay]), approval: { policy: () => "allow" } });
      return slow(() => executor.run([{ name: "pay", args: { to: "mallory" } }], { conversation: "c", state }));
    },
  };
}
