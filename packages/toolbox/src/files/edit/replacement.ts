import { ToolboxError } from "../../errors.ts";
import type { Adapted } from "../text/line-ends.ts";
import type { TextPlace, TextSearch } from "../text/text-search.ts";

/** Returns the text that replaces a match. `adapted` gives what the model wrote the line ends of the file. */
export type Replacement = (place: TextPlace, adapted: Adapted) => string;

/**
 * Compiles the replacement of a regular expression: `$1` to `$99` and `$<name>` stand for a group, `$&` for the whole match,
 * `$$` for a dollar sign. All other text stands for itself.
 *
 * @throws ToolboxError `expression_invalid` for a group that the expression does not have
 */
export function compileReplacement(template: string, search: TextSearch): Replacement {
  const parts: (string | number | { name: string })[] = [];
  let from = 0;
  for (const match of template.matchAll(/\$(?:\$|&|\d{1,2}|<([^>]*)>)/g)) {
    const [token, name] = match;
    parts.push(template.slice(from, match.index));
    from = match.index + token.length;
    if (token === "$$") parts.push("$");
    else if (token === "$&") parts.push(0);
    else if (name !== undefined) parts.push({ name: knownName(template, name, search) });
    else {
      const group = knownGroup(template, token, search);
      parts.push(group);
      from -= token.length - 1 - String(group).length;
    }
  }
  parts.push(template.slice(from));
  return (place, adapted) =>
    parts
      .map((part) =>
        typeof part === "string" ? adapted(part) : place.group(typeof part === "number" ? part : part.name),
      )
      .join("");
}

function knownName(template: string, name: string, { groupNames }: TextSearch): string {
  if (groupNames.includes(name)) return name;
  throw unknown(
    template,
    `$<${name}>`,
    groupNames.length > 0 ? `named groups are ${groupNames.join(", ")}` : "it names no group",
  );
}

/** The longest number that names a group: if the expression has one group, `$10` is that group followed by a zero. */
function knownGroup(template: string, token: string, { groupCount }: TextSearch): number {
  for (const digits of [token.slice(1), token.slice(1, 2)]) {
    const group = Number(digits);
    if (group >= 1 && group <= groupCount && !digits.startsWith("0")) return group;
  }
  throw unknown(template, token, `it has ${groupCount} groups`);
}

function unknown(template: string, token: string, has: string): ToolboxError {
  const advice = 'Write "$&" for the whole match and "$$" for a dollar sign.';
  const message = `"with" uses ${token}, but the expression has no such group: ${has}. ${advice}`;
  return new ToolboxError("expression_invalid", template, message);
}
