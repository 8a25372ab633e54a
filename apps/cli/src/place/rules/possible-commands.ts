/**
 * What may run `program` among the words of another command, though nothing here knows that command: `unshare git push`,
 * `watch 'git push'`, `env -S'git push'`. And what the command itself may be without the options before its subcommand:
 * `git -C x push`, `git -c alias.p=push p`.
 *
 * @param program a name without a folder
 */
export function possibleCommands([own = "", ...args]: readonly string[], program: string): (readonly string[])[] {
  if (printers.has(nameOf(own))) return [];
  const possible: (readonly string[])[] = [];
  for (const [at, word] of args.entries()) {
    if (nameOf(word) === program) possible.push([program, ...args.slice(at + 1)]);
    if (isText.test(word)) possible.push(...commandsIn(word, program));
  }
  if (nameOf(own) === program) possible.push(...withoutOptions(args).map((rest) => [program, ...rest]));
  return possible;
}

function nameOf(word: string): string {
  return word.replace(/^.*\//s, "");
}

/** Programs that print or compare their words, and run none of them. */
const printers = new Set("echo printf test [ true false : expr basename dirname".split(" "));

/** Whether a word can hold a command with words of its own. */
const isText = /[\s=]/;

/** A text is cut where a command may begin or end in some language; an option may stand before it without a space (`-S'…'`). */
function commandsIn(text: string, program: string): string[][] {
  return text.split(/[;&|\n(){}[\]<>!=`"']+/).flatMap((part) => {
    const words = part.split(/[\s,]+/).filter((word) => word !== "");
    return words.flatMap((word, at) => {
      const isProgram = nameOf(word) === program || (word.startsWith("-") && word.endsWith(program));
      return isProgram ? [[program, ...words.slice(at + 1)]] : [];
    });
  });
}

/** The words behind leading options, each with or without a value, which may name what the next word means. */
function withoutOptions(args: readonly string[]): string[][] {
  const rests: string[][] = [];
  for (let at = 0; args[at]?.startsWith("-"); at++) {
    rests.push(args.slice(at + 1));
    const value = args[at + 1];
    if (value === undefined || value.startsWith("-")) continue;
    at += 1;
    rests.push(args.slice(at + 1));
    const named = /=(.+)$/s.exec(value)?.[1];
    if (named !== undefined) rests.push([named, ...args.slice(at + 2)]);
  }
  return rests;
}
