import { stripVTControlCharacters } from "node:util";
import type { Attack } from "../../harness/attack.ts";
import type { Place } from "../../harness/place.ts";
import { openTerminal } from "../../harness/terminal.ts";
import { event, file, header } from "./export-lines.ts";

/** Ways in which the command prints text from elsewhere. */
export const prints = [
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

type Print = (typeof prints)[number];

/** The command's own colours on a terminal. */
const colours = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g");

/** Prints the text at a terminal, where it must arrive escaped. The `\r\n` at line ends is the terminal's own. */
export function printAttack(name: string, text: string, print: Print): Attack {
  return {
    name: `print: ${name} by ${print}`,
    isDear: true,
    async run(place) {
      const log = file(header({ conversation: `c${text}` }), event({ content: `magpie ${text} end` }));
      const history = ["history", "import", place.put("gift.jsonl", log)];
      place.put("root/notes.txt", `${text}\n`);
      const words: Record<Print, () => string[]> = {
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
        // The system echoes typed characters, some as ^[ and the like, so only later output counts.
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

function steered(raw: string, text: string): string | undefined {
  const bad = [...text].filter((character) => /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(character));
  const written = raw.replaceAll("\r\n", "\n").replace(colours, "");
  const found = bad.filter((character) => written.includes(character));
  return found.length > 0 ? `it was written as it is: ${JSON.stringify(found.join(""))}` : undefined;
}

/** Runs `parse` in a shell that connects a file to its input and a terminal to its output. */
async function pipedParse(place: Place, text: string): Promise<string | undefined> {
  const path = place.put("said.txt", `magpie ${text} end`);
  const { bin } = await import("../../harness/place.ts");
  const { stdout } = await place.program(
    "script",
    ["-qefc", `'${process.execPath}' '${bin}' parse <'${path}'`, "/dev/null"],
    { env: { SHELL: "/bin/sh", TERM: "xterm" } },
  );
  if (!stdout.includes("magpie")) throw new Error(`parse printed nothing: ${stdout}`);
  return steered(stdout, text);
}
