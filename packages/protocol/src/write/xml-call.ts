import { distinct } from "../text/distinct.ts";
import { jsonText } from "../text/json-text.ts";
import type { ToolCall } from "../tool.ts";

/**
 * A call as an element of the XML dialect (protocol.md §1). Values that are no strings are written as JSON. A value that
 * holds a line break stands on lines of its own, so that none of its own is taken for layout.
 *
 * What a value may hold depends on which arguments stand before it, so the arguments are written in the first order in
 * which every value can be read back. Where there is none, `</` is written `< /` at the one tag that would end the value
 * too early. In a name, characters that cannot stand there are written `_`.
 */
export function xmlCall({ name, args }: ToolCall): string {
  const tool = tagName(name);
  // An argument of this name is refused where it is read.
  const given = new Set(["__proto__"]);
  const waiting = Object.entries(args).map(([name, value]) => {
    const argument = distinct(tagName(name), given);
    given.add(argument);
    return [argument, `${valueText(value)}</${argument}>`] as const;
  });
  given.clear();
  let text = `<${tool}>`;
  while (waiting.length > 0) {
    const next = waiting.findIndex(([argument, rest]) => guarded(rest, argument, tool, given) === rest);
    for (const [argument, rest] of waiting.splice(Math.max(0, next), 1)) {
      text += `<${argument}>${guarded(rest, argument, tool, given)}`;
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

/** The rest of an element such that its value ends where it should. */
function guarded(rest: string, argument: string, tool: string, given: ReadonlySet<string>): string {
  return rest.replace(closingBeforeTag, (opener, closed: string, slash: string, next: string) => {
    const endsArgument = closed === argument && (slash ? next === tool : next !== argument && !given.has(next));
    return endsArgument || (closed === tool && slash && next === "execute") ? `${opener} ` : opener;
  });
}

/** The `<` of a closing tag that another tag follows. */
const closingBeforeTag = /<(?=\/([\w.-]+)>[\t\n\r ]*<(\/?)([\w.-]+)>)/g;
