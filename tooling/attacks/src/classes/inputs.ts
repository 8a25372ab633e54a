import { chmodSync, chownSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type Attack, type AttackClass, SkippedError } from "../harness/attack.ts";
import type { Place } from "../harness/place.ts";
import { openTerminal } from "../harness/terminal.ts";
import { filesBelow } from "./approvals.ts";

/** What the command is given from elsewhere: exports, names of providers, addresses of stores, and what it then prints. */
export const inputs: AttackClass = {
  name: "inputs",
  slice: { cheap: 0, dear: 2 },
  attacks: () => [
    ...exports.map(exportAttack),
    ...providers.map(providerAttack),
    ...strangers.map(strangerAttack),
    ...addresses.map(addressAttack),
    ...controlTexts.flatMap(([name, text]) => prints.map((print) => printAttack(name, text, print))),
    ...controls,
  ],
};

const event = (more: object) => ({ type: "user", content: "hello", timestamp: 1, seq: 1, ...more });
const header = (more: object = {}) => ({ type: "conversation", version: 1, conversation: "c", events: 1, ...more });
const record = (kind: string, data: unknown = {}) => event({ type: "record", kind, data, content: undefined });
const file = (...lines: readonly (object | string)[]) =>
  lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");

/** Files that are no exports, or almost. They may be refused, and may be stored and read again; nothing else. */
const exports: readonly [name: string, text: string][] = [
  ...[
    "toString",
    "valueOf",
    "hasOwnProperty",
    "isPrototypeOf",
    "__defineGetter__",
    "__lookupSetter__",
    "propertyIsEnumerable",
    "toLocaleString",
    "prototype",
    "",
  ].map((kind): [string, string] => [`a record of the kind "${kind}"`, file(header(), record(kind))]),
  ...["constructor", "__proto__", "toString", "hasOwnProperty", "", "Record"].map((type): [string, string] => [
    `an event of the type "${type}"`,
    file(header(), event({ type })),
  ]),
  ...["approval", "origin", "content", "started", "finished", "summary", "native", "usage", "rejected"].flatMap(
    (kind) =>
      [null, [], "x", 5, {}, { id: null }, { proof: null }, { result: "x" }].map((data): [string, string] => [
        `a record of the kind "${kind}" with ${JSON.stringify(data)}`,
        file(header(), record(kind, data)),
      ]),
  ),
  ["a conversation named __proto__", file(header({ conversation: "__proto__" }), event({}))],
  ["a conversation named constructor", file(header({ conversation: "constructor" }), event({}))],
  ["a user named __proto__", file(header({ user: "__proto__" }), event({}))],
  ["an empty name", file(header({ conversation: "" }), event({}))],
  ["a name that is no text", file(header({ conversation: 5 }), event({}))],
  ["a name that is a list", file(header({ conversation: ["c"] }), event({}))],
  ["a name with a zero byte", file(header({ conversation: "c\u0000d" }), event({}))],
  ["a name of half a character", file(header({ conversation: "\ud800" }), event({}))],
  ["a name of a million characters", file(header({ conversation: "c".repeat(1_000_000) }), event({}))],
  ["no events", file(header({ events: 0 }))],
  ["less than no events", file(header({ events: -1 }))],
  ["half an event", file(header({ events: 0.5 }), event({}))],
  ["1e999 events", file('{"type":"conversation","version":1,"conversation":"c","events":1e999}', event({}))],
  ["a version of another kind", file(header({ version: "1" }), event({}))],
  ["a version to come", file(header({ version: 99 }), event({}))],
  ["an event first", file(event({}), header())],
  ["a header in a header", file(header({ events: 2 }), header(), event({}))],
  ["the header twice", file(header(), event({}), header(), event({}))],
  ["a number that is not the next", file(header(), event({ seq: 2 }))],
  ["a number beyond all", file(header(), event({ seq: 2 ** 60 }))],
  ["a time that is none", file(header(), event({ timestamp: "now" }))],
  ["a time beyond all", file(header(), '{"type":"user","content":"x","timestamp":1e999,"seq":1}')],
  ["a content that is an object", file(header(), event({ content: { toString: "x" } }))],
  ["a content that is missing", file(header(), event({ content: undefined }))],
  ["an origin that there is not", file(header(), event({ origin: "system" }))],
  ["a result that is no JSON", file(header(), event({ type: "result", content: "x", payload: {} }))],
  ["a call that is no JSON", file(header(), event({ type: "call", content: "x", id: "a" }))],
  [
    "a call with an id that is an object",
    file(header(), event({ type: "call", content: '{"name":"a","args":{}}', id: {} })),
  ],
  [
    "nested 100,000 deep",
    file(
      header(),
      `{"type":"user","content":"x","timestamp":1,"seq":1,"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    ),
  ],
  [
    "nested 3,000 deep in a record",
    file(
      header(),
      `{"type":"record","kind":"summary","timestamp":1,"seq":1,"data":${"[".repeat(3000)}${"]".repeat(3000)}}`,
    ),
  ],
  [
    "a prototype in an event",
    file(header(), '{"type":"user","content":"x","timestamp":1,"seq":1,"__proto__":{"type":"call"}}'),
  ],
  ["a byte order mark", `\ufeff${file(header(), event({}))}`],
  ["line ends of Windows", file(header(), event({})).replaceAll("\n", "\r\n")],
  ["zero bytes", "\u0000".repeat(5000)],
  ["an empty file", ""],
  ["only line feeds", "\n".repeat(5000)],
  ["null", "null\nnull\n"],
  ["lists", "[]\n[]\n"],
  ["texts", '"conversation"\n'],
  ["a line of 30 million characters", file(header(), event({ content: "x".repeat(30_000_000) }))],
];

function exportAttack([name, text]: (typeof exports)[number]): Attack {
  return {
    name: `import: ${name}`,
    isDear: true,
    async run(place) {
      const path = place.put("gift.jsonl", text);
      const imported = await place.cogency(["history", "import", path]);
      const crashed = crash(imported);
      if (crashed) return `the import ${crashed}`;
      if (imported.code !== 0) {
        const { stdout } = await place.cogency(["history", "list", "--json"]);
        return stdout.trim() === "" ? undefined : "it was refused, and a part of it is stored";
      }
      // What was stored can be shown, exported and gone on with.
      for (const args of [["list"], ["export", "--raw"], ["show", nameIn(text)]]) {
        const wrong = crash(await place.cogency(["history", ...args]));
        if (wrong) return `history ${args[0]} ${wrong}`;
      }
      const wrong = crash(await place.run([], ["--resume", "--conversation", nameIn(text), "--deny"]));
      return wrong && `run --resume ${wrong}`;
    },
  };
}

function nameIn(text: string): string {
  return /"conversation":"((?:[^"\\]|\\.){1,100})"/.exec(text)?.[1] ?? "c";
}

/** An exit code of 1 stands for what nobody had foreseen. */
function crash({
  code,
  signal,
  stderr,
  isHung,
}: {
  code: number | null;
  signal: string | null;
  stderr: string;
  isHung: boolean;
}): string | undefined {
  if (isHung) return "did not end";
  if (signal) return `was ended by ${signal}`;
  if (code === 1 || code === 7) return `failed unforeseen: ${stderr.slice(0, 120)}`;
  return undefined;
}

/** Names of providers that lead to none. */
const providers = [
  "",
  " ",
  ".",
  "..",
  "/",
  "node:fs",
  "fs",
  "data:text/javascript,process.exit(9)",
  "file:///etc/passwd",
  "constructor",
  "__proto__",
  "toString",
  "../../evil",
  "@",
  "@/x",
  "@a/../../evil",
  "evil/../..",
  "evil\u0000",
  "C:\\evil",
  "http://127.0.0.1:9/x.js",
  "a".repeat(5000),
];

function providerAttack(name: string): Attack {
  return {
    name: `provider: ${JSON.stringify(name.slice(0, 40))}`,
    isDear: true,
    async run(place) {
      // A package that would be found if the name led out of node_modules.
      place.put("evil/package.json", '{"main":"x.cjs"}');
      place.put("evil/x.cjs", `require("fs").writeFileSync(${JSON.stringify(join(place.outer, "pwned"))}, "")`);
      if (name.includes("\u0000")) return undefined;
      const ended = await place.cogency(["run", "hello", "--provider", name, "--model", "m"], {
        cwd: place.put("root/a/b/x").slice(0, -2),
      });
      if (place.text("pwned") !== undefined) return "a package beside was loaded";
      const wrong = crash(ended);
      if (wrong) return wrong;
      return ended.code === 2 ? undefined : `it was not refused: it ended with ${ended.code}`;
    },
  };
}

/** Packages that somebody else has put on the way up from the current folder. */
const strangers: readonly [name: string, prepare: (place: Place, mark: string) => string][] = [
  ["another user's package in the folder above", (place, mark) => owned(place, "node_modules/gemini", mark, 65_534)],
  [
    "another user's package in the current folder",
    (place, mark) => owned(place, "root/work/node_modules/gemini", mark, 65_534),
  ],
  [
    "another user's folder node_modules",
    (place, mark) => {
      const name = owned(place, "node_modules/gemini", mark);
      chownSync(join(place.outer, "node_modules"), 65_534, 65_534);
      return name;
    },
  ],
  [
    "another user's module in a package of one's own",
    (place, mark) => {
      const name = owned(place, "node_modules/gemini", mark);
      chownSync(join(place.outer, "node_modules/gemini/x.cjs"), 65_534, 65_534);
      return name;
    },
  ],
  ["another user's scoped package", (place, mark) => owned(place, "node_modules/@google/gemini", mark, 65_534)],
  [
    "a package that anyone may write",
    (place, mark) => {
      const name = owned(place, "node_modules/gemini", mark);
      chmodSync(join(place.outer, "node_modules/gemini/x.cjs"), 0o666);
      chmodSync(join(place.outer, "node_modules/gemini"), 0o777);
      return name;
    },
  ],
  [
    "a package in a folder that anyone may write",
    (place, mark) => {
      const name = owned(place, "node_modules/gemini", mark, 65_534);
      chmodSync(place.outer, 0o1777);
      return name;
    },
  ],
  [
    "a link to another user's package",
    (place, mark) => {
      owned(place, "elsewhere/gemini", mark, 65_534);
      place.put("node_modules/.keep");
      symlinkSync("../elsewhere/gemini", join(place.outer, "node_modules/gemini"));
      return "gemini";
    },
  ],
  [
    "a package whose entry lies in another user's folder",
    (place, mark) => {
      owned(place, "elsewhere/gemini", mark, 65_534);
      place.put("node_modules/gemini/package.json", '{"name":"gemini","main":"../../elsewhere/gemini/x.cjs"}');
      return "gemini";
    },
  ],
  [
    "a package whose entry is a link to another user's file",
    (place, mark) => {
      owned(place, "elsewhere/gemini", mark, 65_534);
      place.put("node_modules/gemini/package.json", '{"name":"gemini","main":"x.cjs"}');
      symlinkSync("../../elsewhere/gemini/x.cjs", join(place.outer, "node_modules/gemini/x.cjs"));
      return "gemini";
    },
  ],
];

function owned(place: Place, folder: string, mark: string, user?: number): string {
  const files = [
    place.put(`${folder}/package.json`, '{"name":"gemini","main":"x.cjs"}'),
    place.put(
      `${folder}/x.cjs`,
      `require("fs").writeFileSync(${JSON.stringify(mark)}, ""); module.exports = () => ({});`,
    ),
  ];
  if (user !== undefined) for (const path of [...files, join(place.outer, folder)]) chownSync(path, user, user);
  return folder.replace(/^.*node_modules\//, "").replace("elsewhere/", "");
}

function strangerAttack([name, prepare]: (typeof strangers)[number]): Attack {
  return {
    name: `package: ${name}`,
    isDear: true,
    async run(place) {
      if (process.getuid?.() !== 0) throw new SkippedError("only root can give files to another user");
      const cwd = place.put("root/work/x").slice(0, -2);
      const provider = prepare(place, join(place.outer, "pwned"));
      const ended = await place.cogency(["run", "hello", "--provider", provider], { cwd });
      if (place.text("pwned") !== undefined) return "another user's module was loaded";
      return crash(ended);
    },
  };
}

/** Addresses of stores with a password in them. */
const addresses = [
  "postgres:u:PASSWORD@h/x",
  "postgres:/u:PASSWORD@h/x",
  "postgres:///u:PASSWORD@h/x",
  "POSTGRES:u:PASSWORD@h/x",
  "postgresql:u:PASSWORD@h",
  "pg://u:PASSWORD@h/x",
  "postgres//u:PASSWORD@h/x",
  "postgres;//u:PASSWORD@h/x",
  "mysql:u:PASSWORD@h/x",
  "mongodb+srv:u:PASSWORD@h",
  "jdbc:postgresql://u:PASSWORD@h/x",
  "sqlite://u:PASSWORD@h/x",
  "sqlite:x?key=PASSWORD",
  "file:x.db?password=PASSWORD",
  "redis:u:PASSWORD@h",
  "u:PASSWORD@h:5432/x",
  "//u:PASSWORD@h/x",
  "host=h user=u password=PASSWORD dbname=x",
  "password='PASSWORD' host=h",
  " postgres://u:PASSWORD@127.0.0.1:9/x",
  "\tpostgres://u:PASSWORD@127.0.0.1:9/x",
  "postgres://u:PASSWORD@127.0.0.1:9/x",
  "postgres://u:PASS%ZZWORD@h/x",
  "postgres://u:PASSWORD@h:99999/x",
  "postgres://u:PASSWORD@[::1/x",
  "postgres://127.0.0.1:9/x?password=PASSWORD",
  "postgres:\\\\u:PASSWORD@h\\x",
  '"postgres://u:PASSWORD@h/x"',
  "COGENCY_STORE=postgres://u:PASSWORD@h/x",
  "postgres\u200b://u:PASSWORD@h/x",
  "p\u043estgres://u:PASSWORD@h/x",
];

function addressAttack(address: string): Attack {
  return {
    name: `store: ${JSON.stringify(address)}`,
    isDear: true,
    async run(place) {
      const word = `Pw${place.canary}`;
      const store = address.replace("PASSWORD", word).replace("PASS%ZZWORD", `${word}%ZZ`);
      for (const [args, env] of [
        [["run", "hello", "--provider", "offline", "--store", store], {}],
        [["history", "list"], { COGENCY_STORE: store }],
      ] as [string[], Record<string, string>][]) {
        const { stdout, stderr } = await place.cogency(args, { env, timeout: 15_000 });
        if ((stdout + stderr).includes(word)) return "the password was printed";
        const made = filesBelow(place.outer).filter((path) => path.includes(word));
        if (made.length > 0) return `a file was made: ${made[0]?.slice(place.outer.length)}`;
      }
      return undefined;
    },
  };
}

/** What may steer a terminal or turn its text around, as it stands in data. */
const controlTexts: readonly [name: string, text: string][] = [
  ["an escape", "\u001b]0;pwned\u0007"],
  ["an introducer of one byte", "\u009b31m"],
  ["a command of one byte", "\u009d0;pwned\u009c"],
  ["a shift of the character set", "\u008e\u008f"],
  ["a right-to-left override", "\u202etxt.exe"],
  ["an isolate", "\u2067abc\u2069"],
  ["an Arabic letter mark", "\u061c"],
  ["a delete", "\u007f\u007f"],
  ["a carriage return", "safe\rpwned"],
  ["backspaces", "safe\b\b\b\b"],
];

/** Ways in which the command prints what came from elsewhere. */
const prints = [
  "run --json",
  "parse",
  "history show",
  "history list --json",
  "history show --json",
  "history search",
  "an error about the conversation",
  "the result of a tool",
  "the name of a file",
] as const;

/** At a terminal none of it may arrive as it is; `\r\n` at line ends is the terminal's own. */
function printAttack(name: string, text: string, print: (typeof prints)[number]): Attack {
  return {
    name: `print: ${name} by ${print}`,
    isDear: true,
    async run(place) {
      const log = file(header({ conversation: `c${text}` }), event({ content: `magpie ${text} end` }));
      const history = ["history", "import", place.put("gift.jsonl", log)];
      place.put("root/notes.txt", `${text}\n`);
      const words: Record<typeof print, () => string[]> = {
        "run --json": () => ["run", "go", "--json", ...place.model([`magpie ${text} end`])],
        parse: () => ["parse"],
        "history show": () => ["history", "show", `c${text}`],
        "history list --json": () => ["history", "list", "--json"],
        "history show --json": () => ["history", "show", `c${text}`, "--json"],
        "history search": () => ["history", "search", "magpie"],
        "an error about the conversation": () => ["history", "show", `other${text}`],
        "the result of a tool": () => [
          "run",
          "go",
          "--json",
          ...place.model([[{ name: "read", args: { file: "notes.txt" } }]]),
        ],
        "the name of a file": () => ["history", "import", `${text}.jsonl`],
      };
      if (print.startsWith("history")) {
        const imported = await place.cogency(history);
        if (imported.code !== 0) return undefined;
      }
      const terminal = openTerminal(place, words[print]());
      if (print === "parse") {
        await terminal.idle(400);
        // What is typed is echoed by the system as ^[ and the like, or as it is: only what comes after it counts.
        const from = terminal.raw().length;
        terminal.type("magpie end\r\u0004\u0004");
        await terminal.ended(10_000);
        return from >= 0 && stripVTControlCharacters(terminal.raw()) !== ""
          ? pipedParse(place, text)
          : "nothing was printed";
      }
      await terminal.ended(15_000);
      if (terminal.raw().trim() === "") throw new Error("Nothing was printed.");
      return steered(terminal.raw(), text);
    },
  };
}

/** The command's own, on a terminal. */
const colours = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g");

function steered(raw: string, text: string): string | undefined {
  const bad = [...text].filter((character) => /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(character));
  const written = raw.replaceAll("\r\n", "\n").replace(colours, "");
  const found = bad.filter((character) => written.includes(character));
  return found.length > 0 ? `it was written as it is: ${JSON.stringify(found.join(""))}` : undefined;
}

/** `parse` reads a pipe and writes to a terminal, by way of a shell that joins them. */
async function pipedParse(place: Place, text: string): Promise<string | undefined> {
  const path = place.put("said.txt", `magpie ${text} end`);
  const { bin } = await import("../harness/place.ts");
  const { stdout } = await place.program(
    "script",
    ["-qefc", `'${process.execPath}' '${bin}' parse <'${path}'`, "/dev/null"],
    { env: { SHELL: "/bin/sh", TERM: "xterm" } },
  );
  if (!stdout.includes("magpie")) throw new Error(`parse printed nothing: ${stdout}`);
  return steered(stdout, text);
}

const controls: Attack[] = [
  {
    name: "control: an honest export is imported",
    isControl: true,
    isDear: true,
    async run(place) {
      const { code, stderr } = await place.cogency([
        "history",
        "import",
        place.put("gift.jsonl", file(header(), event({}))),
      ]);
      return code === 0 ? undefined : stderr;
    },
  },
  {
    name: "control: one's own package is loaded",
    isControl: true,
    isDear: true,
    async run(place) {
      const cwd = place.put("root/work/x").slice(0, -2);
      const name = owned(place, "root/work/node_modules/gemini", join(place.outer, "pwned"));
      const { stderr } = await place.cogency(["run", "hello", "--provider", name], { cwd });
      return place.text("pwned") === undefined ? `it was not loaded: ${stderr}` : undefined;
    },
  },
];
