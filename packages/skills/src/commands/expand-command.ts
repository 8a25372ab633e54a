import { checkOption, required, text as textOption } from "@cogency/protocol/options";
import { fillPlaces } from "../fill-arguments.ts";
import type { Command } from "./command.ts";

/**
 * The prompt that a command stands for. Puts the arguments in: all of them for `$ARGUMENTS` and `$@`, each word for `$1`, `$2` and so
 * on, and the value of a word `NAME=value` for `$NAME`. `\$1` stays `$1`. Arguments that the text has no place for follow it.
 *
 * Runs nothing: for `` !`git diff` `` the prompt asks the model to run the command first, so that it is judged like any other call. What
 * arguments hold is never read as such a command. Mentions of files, `@path`, stay as they are.
 *
 * @param given what the person wrote after the name
 */
export function expandCommand({ text }: Pick<Command, "text">, given = ""): string {
  checkOption("expandCommand", "text", text, required(textOption));
  checkOption("expandCommand", "given", given, textOption);
  const commands = new Set<string>();
  const asked = text.replace(programs, (_, line: string) => {
    commands.add(line.trim());
    return `(the output of \`${line.trim()}\`)`;
  });
  const first = [...commands].map((line) => `- \`${line}\``).join("\n");
  const whole = first === "" ? asked : `Run these commands first, with the tool shell:\n\n${first}\n\n${asked}`;
  return fillPlaces(whole, given, (name, words) => {
    if (name === "ARGUMENTS" || name === "@") return given;
    if (/^\d/.test(name)) return words[Number(name) - 1] ?? "";
    return named(name, words);
  });
}

/** At the beginning of a line, or after a blank or a parenthesis. */
const programs = /(?<![^\s(])!`([^`\n]+)`/g;

function named(name: string, words: readonly string[]): string | undefined {
  const value = words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  return value?.replace(/^(["'])(.*)\1$/s, "$2");
}
