import { jsonText } from "../text/json-text.ts";
import { uniqueName } from "../text/unique-name.ts";
import type { ToolCall } from "../tool.ts";

/**
 * Writes a call as an element of the XML dialect (protocol.md §1). A value that is not a string is written as JSON. A
 * value that holds a line break stands on lines of its own, so that none of its line breaks is read as layout.
 *
 * A tag ends a value only if its argument has not been given before. So the arguments are written in the first order in
 * which every value reads back. Where there is none, the one `</` that would end the value too early is written `< /`.
 * Characters that a name cannot hold are written `_`.
 */
export function xmlCall({ name, args }: ToolCall): string {
  const tool = tagName(name);
  // The parser refuses an argument of this name.
  const given = new Set(["__proto__"]);
  const remaining = Object.entries(args).map(([name, value]) => {
    const argument = uniqueName(tagName(name), given);
    given.add(argument);
    return [argument, `${valueText(value)}</${argument}>`] as const;
  });
  given.clear();
  let text = `<${tool}>`;
  while (remaining.length > 0) {
    const next = remaining.findIndex(([argument, rest]) => withoutEarlyEnd(rest, argument, tool, given) === rest);
    for (const [argument, rest] of remaining.splice(Math.max(0, next), 1)) {
      text += `<${argument}>${withoutEarlyEnd(rest, argument, tool, given)}`;
      given.add(argument);
    }
  }
  return `${text}</${tool}>`;
}

function tagName(name: string): string {
  return name.replace(/[^\w.-]/gu, "_") || "_";
}

function valueText(value: unknown): string {
  if (typeof value !== "string") return jsonText(value).replaceAll("</", "\\u003c/");
  if (!/[\r\n]/.test(value)) return value;
  // After a carriage return a line feed alone would make one line break with it.
  return `\n${value}${value.endsWith("\r") ? "\r" : ""}\n`;
}

/** Rewrites the closing tags in a value that would end it too early. `rest` is the value with its closing tag. */
function withoutEarlyEnd(rest: string, argument: string, tool: string, given: ReadonlySet<string>): string {
  return rest.replace(closingBeforeTag, (opener, closed: string, slash: string, next: string) => {
    const endsArgument = closed === argument && (slash ? next === tool : next !== argument && !given.has(next));
    return endsArgument || (closed === tool && slash && next === "execute") ? `${opener} ` : opener;
  });
}

/** Matches the `<` of a closing tag that another tag follows. */
const closingBeforeTag = /<(?=\/([\w.-]+)>[\t\n\r ]*<(\/?)([\w.-]+)>)/g;
