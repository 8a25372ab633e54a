import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { normalize } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { openRoot } from "../../../src/files/confine/root.ts";
import { readScript, type Script, type ScriptCommand } from "../../../src/shell/script/read-script.ts";
import { bashArguments } from "../../../src/shell/script/script-shell.ts";
import { shellTool } from "../../../src/shell/shell-tool.ts";
import { runner } from "../run-tool.ts";

/** What bash did, once with programs that succeed and once with programs that fail. */
export interface Recorded {
  script: string;
  read: Script;
  runs: { ran: string[][]; made: string[]; stderr: string }[];
}

const files = ["a.ts", "ab.ts", "b.ts", "-n.ts", ".hidden.ts", "sp ace.ts", "src/one.ts", "src/two.ts", "src/-x.ts"];
const builtins = ["echo", "printf", "test", "[", "pwd", "true", "false", ":"];

/** Runs those of the scripts in a sandbox that the classifier judges, and whose programs can be recorded. */
export async function recordScripts(scripts: readonly string[], sandbox: "required" | "off"): Promise<Recorded[]> {
  const judged = [...new Set(scripts)].flatMap((script) => {
    const read = tryRead(script);
    return read?.isScript && read.reasons.length === 0 && read.commands.every(isRecordable) ? [{ script, read }] : [];
  });
  const folder = await realpath(await mkdtemp(join(tmpdir(), "cogency-scripts-")));
  try {
    const programs = [...new Set([...builtins, ...judged.flatMap(({ read }) => read.commands.map(programOf))])];
    await writeFile(
      join(folder, "scripts.json"),
      JSON.stringify({
        bash: "/bin/bash",
        args: bashArguments,
        programs,
        builtins,
        files,
        scripts: judged.map(({ script }) => script),
      }),
    );
    const runScripts = fileURLToPath(new URL("run-scripts.mjs", import.meta.url));
    await writeFile(join(folder, "run-scripts.mjs"), await readFile(runScripts));
    const tool = shellTool(await openRoot(folder, { access: "project" }), { sandbox, timeout: 600_000 });
    const command = `'${process.execPath}' run-scripts.mjs '${folder}'`;
    const [execution] = await runner([tool])([{ name: "shell", args: { command } }]);
    expect(execution?.error).toBeUndefined();
    const records = JSON.parse(await readFile(join(folder, "records.json"), "utf8")) as Recorded["runs"][];
    return judged.map((one, index) => ({ ...one, runs: records[index] ?? [] }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function programOf({ words }: ScriptCommand): string {
  return words[0]?.value ?? "";
}

function isRecordable(command: ScriptCommand): boolean {
  return !/\/|^\.+$/.test(programOf(command)) && Buffer.byteLength(programOf(command)) < 200;
}

function tryRead(script: string): Script | undefined {
  try {
    return readScript(script);
  } catch {
    return undefined;
  }
}

/** Each program that ran is a command of the reading, with its words, and each file that was made is one of its files. */
export function disagreement({ script, read, runs }: Recorded, isComplete: boolean): string | undefined {
  const seen = new Set<number>();
  const written = read.writes.map(({ path = "" }) => path.replace(/^(?:\.\/+)+/, ""));
  const known = new Set([...files, "src", ...written]);
  for (const { ran, made, stderr } of runs) {
    const left = new Set(read.commands.keys());
    for (const words of ran) {
      const found = [...left].find((index) => isCommand(read.commands[index] as ScriptCommand, words, known));
      if (found === undefined) return `${JSON.stringify(script)} ran ${JSON.stringify(words)}`;
      left.delete(found);
      seen.add(found);
    }
    const other = made.find((path) => !written.includes(path));
    if (other !== undefined) return `${JSON.stringify(script)} made ${JSON.stringify(other)}`;
    if (isComplete && /syntax error/.test(stderr)) return `${JSON.stringify(script)}: ${stderr}`;
  }
  const missing = read.commands.find((_, index) => !seen.has(index));
  return isComplete && missing !== undefined ? `${JSON.stringify(script)} did not run ${missing.text}` : undefined;
}

function isCommand({ words }: ScriptCommand, ran: readonly string[], files: ReadonlySet<string>): boolean {
  const tests = words.map(({ kind, value }) => (kind === "glob" ? globTest(value, files) : undefined));
  const known = new Map<string, boolean>();
  const fits = (word: number, at: number): boolean => {
    const key = `${word} ${at}`;
    const answer = known.get(key) ?? fitsNow(word, at);
    known.set(key, answer);
    return answer;
  };
  const fitsNow = (word: number, at: number): boolean => {
    const expected = words[word];
    const actual = ran[at];
    if (expected === undefined || actual === undefined) return expected === undefined && actual === undefined;
    const test = tests[word];
    if (test === undefined) return expected.kind === "literal" && expected.value === actual && fits(word + 1, at + 1);
    return test(actual) && (fits(word + 1, at + 1) || fits(word, at + 1));
  };
  return fits(0, 0);
}

/** A file of the folder that the pattern names, or the pattern itself where none does. */
function globTest(pattern: string, files: ReadonlySet<string>): (word: string) => boolean {
  const source = pattern.replace(/\[[!^]?\]?(?:\[:alpha:\]|[^\]])*\]|[.+^${}()|\\*?[\]]/g, (part) => {
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    if (part.length === 1) return `\\${part}`;
    const [, not = "", members = ""] = /^\[([!^]?)(.*)\]$/s.exec(part) ?? [];
    return `[${not && "^"}${members.replace("[:alpha:]", "a-zA-Z").replace(/[\]\\^[]/g, "\\$&")}]`;
  });
  const regex = new RegExp(`^${source}$`);
  return (word) =>
    word === pattern || (files.has(normalize(word).replace(/\/$/, "")) && regex.test(word) && !word.startsWith("-"));
}
