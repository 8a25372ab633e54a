import { readScriptIfAny, type ScriptFile } from "@cogency/toolbox/shell";

/** Everything that a command line may run, read widely, for rules that deny or ask. */
export interface WideScript {
  /** The words of each command, those of scripts that a shell gets as a word (`bash -c '…'`) and of programs behind others (`env`) too. */
  readonly commands: readonly (readonly string[])[];
  /** The words of each program as they are written. Some of them may be a command, see `possibleCommands`. */
  readonly written: readonly (readonly string[])[];
  readonly writes: readonly ScriptFile[];
  /** The texts whose commands are not all known. */
  readonly unknown: readonly string[];
  /** Whether a word may become another one. */
  readonly mayExpand: boolean;
}

export function readWide(command: string, depth = 0): WideScript {
  const script = readScriptIfAny(command);
  if (script === undefined) return unread(command);
  const words = script.commands.map((each) => each.words.map(({ value }) => value));
  const inner = words.flatMap(scriptsOf);
  const below = depth < deepest ? inner.map((text) => readWide(text, depth + 1)) : inner.map(unread);
  const isKnown = script.reasons.length === 0;
  return {
    commands: [...words.flatMap(commandsOf), ...below.flatMap(({ commands }) => commands)],
    written: [...words, ...below.flatMap(({ written }) => written)],
    writes: [...script.writes, ...below.flatMap(({ writes }) => writes)],
    unknown: [...(isKnown ? [] : [command]), ...below.flatMap(({ unknown }) => unknown)],
    mayExpand:
      script.commands.some((each) => each.words.some(({ kind }) => kind === "glob")) ||
      below.some(({ mayExpand }) => mayExpand),
  };
}

const nothing: WideScript = { commands: [], written: [], writes: [], unknown: [], mayExpand: false };

/** Scripts in scripts that are read. */
const deepest = 4;

function unread(text: string): WideScript {
  return { ...nothing, unknown: [text] };
}

/** The words that a shell in the command may run as a script: those after its name, where it has an option `-c`. */
function scriptsOf(words: readonly string[]): string[] {
  if (words[0] === "eval") return [words.slice(1).join(" ")];
  const at = words.findIndex((word) => shells.has(nameOf(word)));
  const rest = at < 0 ? [] : words.slice(at + 1);
  return rest.some((word) => /^[-+][A-Za-z]*c/.test(word)) ? rest.filter((word) => !/^[-+]/.test(word)) : [];
}

const shells = new Set("ash bash busybox dash fish ksh mksh rbash sh su zsh".split(" "));

/** The command itself, and what may be the command that it runs. */
function commandsOf(words: readonly string[]): (readonly string[])[] {
  if (!runsOthers.has(nameOf(words[0] ?? ""))) return [words];
  return words.map((_, at) => words.slice(at));
}

function nameOf(program: string): string {
  return program.replace(/^.*\//s, "");
}

/** Programs whose words may be another command. */
export const runsOthers: ReadonlySet<string> = new Set(
  (
    "bash builtin bunx busybox chroot command dash doas env exec eval find fish flock ionice ksh nice node nohup npx parallel perl php " +
    "python python3 ruby script setsid sh ssh stdbuf strace su sudo taskset time timeout uv uvx watch xargs zsh"
  ).split(" "),
);
