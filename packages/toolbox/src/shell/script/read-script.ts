import { basename } from "node:path";
import {
  type Assignment,
  type Command,
  forEachChild,
  type HereDoc,
  type ParsedScript,
  parse,
  type Redirect,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
} from "unbash";
import { plainWords } from "../command/plain-words.ts";
import { ShellError } from "../errors.ts";
import { builtinProblem, isBuiltin, needsShell, readsData } from "./builtins.ts";
import { readWord, type ScriptWord } from "./read-word.ts";

/** One program or builtin that a script runs, with its words. */
export interface ScriptCommand {
  /** The program first; empty if a command only sets variables or redirects. */
  readonly words: readonly ScriptWord[];
  /** As it is written. */
  readonly text: string;
}

/** A file that a redirection of a script names. */
export interface ScriptFile {
  /** As the shell opens it; undefined if that depends on more than the text. */
  readonly path: string | undefined;
  /** As it is written. */
  readonly text: string;
}

/** Something in a script that keeps its commands from being known, or does more than run them. */
export interface ScriptReason {
  /** Such as "a command substitution ($())". */
  readonly what: string;
  /** The part of the script, as it is written. */
  readonly text: string;
}

/** What a command line of `shell` does, as far as its text says. */
export interface Script {
  /** Whether a shell runs it. If not, it is one program with its words. */
  readonly isScript: boolean;
  /** In the order of their text, those in substitutions, loops and functions too. */
  readonly commands: readonly ScriptCommand[];
  /** The files that redirections write; `/dev/null` is none. */
  readonly writes: readonly ScriptFile[];
  /** The files that redirections read. */
  readonly reads: readonly ScriptFile[];
  /**
   * What made the script one that cannot be judged. If there is nothing, bash runs exactly these commands with these words, and
   * opens exactly these files.
   */
  readonly reasons: readonly ScriptReason[];
}

/**
 * Reads a command line of `shell` as bash does, as far as its text alone says what will run. Only what is known to mean the same
 * in every shell and in every folder counts as known; everything else is a reason.
 *
 * @throws ShellError `command_invalid` for a text that cannot run
 */
export function readScript(command: string): Script {
  const words = wordsIfPlain(command);
  if (words) {
    const literal = words.map((value): ScriptWord => ({ kind: "literal", value }));
    const text = command.trim();
    return { isScript: false, commands: [{ words: literal, text }], writes: [], reads: [], reasons: [] };
  }
  if (last?.command !== command) last = { command, script: new ScriptReading(command).read() };
  return last.script;
}

/** As `readScript`; undefined for a text that cannot run. */
export function readScriptIfAny(command: string): Script | undefined {
  try {
    return readScript(command);
  } catch (error) {
    if (error instanceof ShellError) return undefined;
    throw error;
  }
}

/** A call is read several times: to judge it, to ask about it, and to run it. */
let last: { command: string; script: Script } | undefined;

/** The words of a command that needs no shell; undefined for a script. @throws ShellError `command_invalid` */
export function wordsIfPlain(command: string): [program: string, ...args: string[]] | undefined {
  const words = plainWords(command);
  return words && needsShell(words[0]) ? undefined : words;
}

/** The names of the programs that a script runs, as far as its text says, with that of its shell; at most 100. */
export function programsOf({ isScript, commands }: Script, shell: string): string[] {
  const own = commands.flatMap(({ words: [program] }) => (program?.kind === "literal" ? [program.value] : []));
  return [...new Set([...(isScript ? [basename(shell)] : []), ...own])].slice(0, mostPrograms);
}

const mostPrograms = 100;

interface Span {
  pos: number;
  end: number;
}

class ScriptReading {
  readonly #source: string;
  readonly #commands: ScriptCommand[] = [];
  readonly #writes: ScriptFile[] = [];
  readonly #reads: ScriptFile[] = [];
  readonly #reasons: ScriptReason[] = [];
  /** What the judged part of the script covers of its text. */
  readonly #spans: Span[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  read(): Script {
    const length = this.#source.match(/[$<>]\(/g)?.length ?? 0;
    try {
      if (length > mostSubstitutions) throw new RangeError(`${length} substitutions`);
      const script = parse(this.#source);
      this.#errorsOf(script, this.#source);
      for (const statement of script.commands) this.#statement(statement);
    } catch {
      // The time and the stack of a parser have an end, and what it cannot read cannot be judged.
      this.#because("a script that cannot be read", "");
    }
    if (/(?![ \t\n])[\s\u200b-\u200f\u2060-\u2064\ufeff]/u.test(this.#source)) this.#because("an unusual space", "");
    if (this.#reasons.length === 0) this.#checkBetween();
    if (this.#commands.length === 0) this.#because("no command", this.#source);
    const reasons = this.#reasons.filter(
      ({ what, text }, index, all) => all.findIndex((one) => one.what === what && one.text === text) === index,
    );
    return { isScript: true, commands: this.#commands, writes: this.#writes, reads: this.#reads, reasons };
  }

  #because(what: string, text: string): void {
    this.#reasons.push({ what, text });
  }

  #errorsOf(script: ParsedScript, source: string): void {
    if (script.shebang !== undefined) this.#because("a first line that names a program (#!)", script.shebang);
    for (const { message, pos } of script.errors ?? [])
      this.#because(`an error: ${message}`, source.slice(pos, pos + 20));
  }

  #statement({ command, background, pos, end }: Statement): void {
    if (background) this.#because("a command in the background (&)", this.#source.slice(pos, end));
    this.#judge(command, false);
  }

  /** Judges a part of the script that is known to be one of: `&&`, `||`, `|`, `!`, a simple command. */
  #judge(node: SyntaxNode, isFed: boolean): void {
    switch (node.type) {
      case "AndOr":
        for (const each of node.commands) this.#judge(each, isFed);
        break;
      case "Pipeline":
        for (const { type } of node.prefixes)
          if (type !== "Negation") this.#because("a measured command (time)", "time");
        for (const [index, each] of node.commands.entries()) this.#judge(each, isFed || index > 0);
        break;
      case "Command":
        this.#simple(node, this.#source, isFed);
        break;
      default:
        this.#because(names[node.type] ?? `an unknown part (${node.type})`, this.#source.slice(node.pos, node.end));
        this.#collect(node, this.#source);
    }
  }

  /** Finds all commands and redirections below a node that cannot be judged. */
  #collect(node: SyntaxNode, source: string): void {
    if (node.type === "Command") {
      this.#simple(node, source, false);
      return;
    }
    let own = source;
    if (node.type === "Script") {
      own = node.source ?? source;
      this.#errorsOf(node, own);
    }
    if (node.type === "Redirect") this.#redirect(node, own);
    else forEachChild(node, (child) => this.#collect(child, own));
  }

  #simple({ name, prefix, suffix, pos, end }: Command, source: string, isFed: boolean): void {
    const text = source.slice(pos, end);
    const words: ScriptWord[] = [];
    let input = isFed;
    const command = { words, text };
    this.#commands.push(command);
    for (const part of [...prefix, ...(name ? [name] : []), ...suffix]) {
      if (source === this.#source) this.#spans.push(part);
      switch (part.type) {
        case "Word":
          words.push(this.#word(part, source));
          break;
        case "Assignment":
          this.#assignment(part, source);
          break;
        default:
          if (this.#redirection(part, source)) input = true;
      }
    }
    this.#program(words, text, input);
  }

  #word(word: Word, source: string): ScriptWord {
    const text = source.slice(word.pos, word.end);
    const read = readWord(text);
    const isSame = read.word.kind !== "literal" || (text === word.text && read.word.value === word.value);
    if (read.problem !== undefined) this.#because(read.problem, text);
    else if (!isSame) this.#because("a word that can be read in two ways", text);
    if (read.word.kind === "open") this.#collectBelow(word, source);
    return read.word;
  }

  #collectBelow(node: SyntaxNode, source: string): void {
    forEachChild(node, (child) => this.#collect(child, source));
  }

  #assignment(node: Assignment, source: string): void {
    const text = source.slice(node.pos, node.end);
    if (!harmlessAssignment.test(text)) this.#because("an assignment", text);
    this.#collectBelow(node, source);
  }

  #program([program, ...args]: readonly ScriptWord[], text: string, isFed: boolean): void {
    if (program === undefined) this.#because("a line without a program", text);
    if (program?.kind === "glob") this.#because("a wildcard in the place of a program", program.value);
    if (program?.kind !== "literal") return;
    const { value } = program;
    if (value === "" || /^[%-]|[=\s]/.test(value)) this.#because("an unusual name of a program", value);
    const rest = args.map((word) => word.value);
    if (isBuiltin(value)) {
      const first = args[0];
      if (first !== undefined && first.kind !== "literal" && value === "printf")
        this.#because("printf with an unusual format", text);
      const problem = builtinProblem(value, rest);
      if (problem !== undefined) this.#because(problem, text);
    }
    if (isFed && !readsData(value, rest)) this.#because(`a program that may run what it reads (${value})`, text);
  }

  /** @returns whether the command gets an input */
  #redirection(node: Redirection, source: string): boolean {
    if (node.type === "Redirect") return this.#redirect(node, source);
    if (node.type === "HereDoc") this.#hereDocument(node, source);
    else if (node.target === undefined) this.#because("an open redirection", "<<<");
    else if (!/^<<<[ \t]*$/.test(source.slice(node.pos, node.target.pos)))
      this.#because("an unusual redirection", "<<<");
    else if (this.#word(node.target, source).kind === "glob")
      this.#because("a wildcard in a redirection", node.target.text);
    if (node.descriptor !== undefined) this.#because("an unusual descriptor", source.slice(node.pos, node.end));
    return true;
  }

  #redirect({ operator, descriptor, target, pos, end }: Redirect, source: string): boolean {
    const text = source.slice(pos, end);
    if (descriptor !== undefined && !(descriptor.type === "FileDescriptor" && descriptor.value <= 2)) {
      this.#because("an unusual descriptor", text);
    }
    if (target === undefined) {
      this.#because("an open redirection", text);
      return false;
    }
    if (!/^\d*[<>&|]+[ \t]*$/.test(source.slice(pos, target.pos))) this.#because("an unusual redirection", text);
    const isInput = operator === "<" || operator === "<>";
    const written = source.slice(target.pos, target.end);
    if (operator === ">&" || operator === "<&") {
      if (!/^(?:[0-2]|-)$/.test(written)) this.#file(target, text, source, operator === ">&");
      return operator === "<&";
    }
    if (operator === "<>" || (isInput && descriptor !== undefined)) this.#because("an unusual redirection", text);
    this.#file(target, text, source, !isInput);
    return isInput;
  }

  #file(target: Word, text: string, source: string, isWritten: boolean): void {
    const word = this.#word(target, source);
    if (word.kind === "literal" && word.value === "/dev/null") return;
    const path = word.kind === "literal" ? word.value : undefined;
    (isWritten ? this.#writes : this.#reads).push({ path, text: source.slice(target.pos, target.end) });
    if (/^\d*[<>]&/.test(text)) this.#because("an unusual redirection", text);
    else if (word.kind === "glob") this.#because("a wildcard in a redirection", text);
    else if (path !== undefined && (path === "" || path.startsWith("/") || path.split("/").includes(".."))) {
      this.#because("a redirection that leads out of the folder", text);
    }
  }

  /** A text is known to end where bash ends it if the end is a plain word that stands alone on its line for the first time. */
  #hereDocument(node: HereDoc, source: string): void {
    const { operator, delimiter, body, closing } = node;
    const text = source.slice(node.pos, node.end);
    const [, quote, end] = /^(['"]?)([A-Za-z_]\w*)\1$/.exec(delimiter?.text ?? "") ?? [];
    const content = source.slice(body.pos, body.end);
    const isPlain =
      operator === "<<" &&
      /^<<[ \t]*['"]?\w+['"]?$/.test(text) &&
      end !== undefined &&
      closing !== undefined &&
      source.slice(closing.pos, closing.end) === end &&
      /^(?:\n|$)/.test(source.slice(closing.end)) &&
      source.charAt(body.pos - 1) === "\n" &&
      body.end === closing.pos &&
      (content === "" || content.endsWith("\n")) &&
      !content.split("\n").includes(end);
    if (!isPlain) this.#because("an unusual here-document", text);
    else if (quote === "" && /[$`\\]/.test(content)) this.#because("a here-document that expands ($, ` or \\)", text);
    if (source === this.#source) this.#spans.push({ pos: body.pos, end: closing?.end ?? body.end });
    this.#collectBelow(node, source);
  }

  /** Between the words and redirections that were judged, nothing but spaces, comments and known operators may stand. */
  #checkBetween(): void {
    let at = 0;
    for (const { pos, end } of [...this.#spans, { pos: this.#source.length, end: this.#source.length }].toSorted(
      (one, other) => one.pos - other.pos,
    )) {
      const between = this.#source.slice(at, pos);
      const isKnown = pos >= at && betweenWords.test(between) && !(at > 0 && /^[#\\]/.test(between));
      if (!isKnown) this.#because("an unknown part", between.trim());
      at = Math.max(at, end);
    }
  }
}

/** Nested ones take quadratic time. */
const mostSubstitutions = 1000;

const betweenWords = /^(?:[ \t\n;!|]|&&|(?<=\|)&|(?<=[ \t\n;|&!]|^)\\\n|(?<=[ \t\n;]|^)#[^\n]*)*$/;

/** Variables that change how much a program prints, and nothing else. */
const harmlessAssignment = /^(?:CI|NO_COLOR|FORCE_COLOR|COLUMNS|LINES)=\w*$/;

const names: Readonly<Record<string, string>> = {
  If: "a condition (if)",
  For: "a loop (for)",
  ArithmeticFor: "a loop (for)",
  While: "a loop (while)",
  Select: "a choice (select)",
  Case: "a choice (case)",
  Function: "a function",
  Subshell: "a subshell (( ))",
  BraceGroup: "a group ({ })",
  Redirected: "a group with a redirection",
  Coproc: "a coprocess (coproc)",
  TestCommand: "a test ([[ ]])",
  ArithmeticCommand: "arithmetic ((( )))",
};
