import type { McpPrompt } from "@cogency/mcp";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";

/**
 * The arguments of a prompt from what a person wrote after its name: words in their order, or `name=value`; quotes hold words together.
 * The last argument gets all words that are left.
 *
 * @throws UsageError for one that is missing, and for words that no argument takes
 */
export function promptArguments(
  { args }: Pick<McpPrompt, "args">,
  given: string,
  name: string,
): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  const rest: string[] = [];
  for (const word of wordsOf(given)) {
    const [, key = "", value = ""] = /^([^=\s]+)=(.*)$/s.exec(word) ?? [];
    if (args.some((one) => one.name === key)) found.set(key, value);
    else rest.push(word);
  }
  const open = args.filter((one) => !found.has(one.name));
  for (const [at, { name: argument }] of open.entries()) {
    const words = at === open.length - 1 ? rest.splice(0) : rest.splice(0, 1);
    if (words.length > 0) found.set(argument, words.join(" "));
  }
  const usage = `/${name} ${args.map((one) => (one.required ? `<${one.name}>` : `[${one.name}]`)).join(" ")}`.trim();
  const missing = args.find((one) => one.required && !found.has(one.name));
  if (missing) throw new UsageError(oneLine(`/${name} needs ${missing.name}. Write ${usage}`, 400));
  if (rest.length > 0) throw new UsageError(oneLine(`/${name} takes no "${rest.join(" ")}". Write ${usage}`, 400));
  return Object.fromEntries(found);
}

/** Without the quotes around a word, or around the value of `name="a value"`. */
function wordsOf(given: string): string[] {
  const words = given.match(/(?:[^\s"']|"[^"]*"|'[^']*'|["'])+/g) ?? [];
  return words.map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ""),
  );
}
