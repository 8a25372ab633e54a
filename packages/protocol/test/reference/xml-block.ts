import type { Call, ReadBlock } from "./block.ts";
import { skipSpace } from "./characters.ts";
import { Cut, Refusal } from "./refusal.ts";

/** §1, XML dialect: tool elements, and in each its argument elements, whose values are raw text. */
export const readXmlBlock: ReadBlock = (text, from, _options, announce) => {
  let at = from;
  for (;;) {
    at = skipSpace(text, at);
    // P14: only the closer, or a part of it, is missing.
    if (at === text.length || text.startsWith("</", at) || text.slice(at) === "<") {
      const end = readExactly(text, at, "</execute>");
      return { end: end === "cut" ? undefined : end, repaired: false };
    }
    const call = readTool(text, at);
    announce(call);
    at = call.at + 1;
  }
};

function readTool(text: string, from: number): Call {
  const tool = readOpener(text, from);
  const args: Record<string, string> = {};
  let at = tool.end;
  for (;;) {
    at = skipSpace(text, at);
    if (text.startsWith("</", at)) {
      const end = readExactly(text, at, `</${tool.name}>`);
      if (end === "cut") throw new Cut();
      const content = JSON.stringify({ name: tool.name, args });
      const raw = text.slice(tool.end, at);
      return { content, rawName: tool.name, raw, isNamedFirst: true, at: end - 1 };
    }
    const argument = readOpener(text, at);
    // P15.
    if (argument.name === "__proto__") throw new Refusal(argument.end - 1);
    const given = [...Object.keys(args), argument.name];
    const close = valueEnd(text, argument.end, tool.name, argument.name, given);
    args[argument.name] = withoutLayout(text.slice(argument.end, close)).toWellFormed();
    at = close + `</${argument.name}>`.length;
  }
}

/** `<name>`; between elements only white space and the next tag may stand. */
function readOpener(text: string, from: number): { name: string; end: number } {
  let at = from;
  const need = (pattern: RegExp) => {
    if (at === text.length) throw new Cut();
    if (!pattern.test(text.charAt(at))) throw new Refusal(at);
    at++;
  };
  need(/</);
  need(/[A-Za-z0-9_.-]/);
  while (/[A-Za-z0-9_.-]/.test(text.charAt(at))) at++;
  need(/>/);
  return { name: text.slice(from + 1, at - 1), end: at };
}

/** The index after `tag`, "cut" if the text ends inside of it. */
function readExactly(text: string, from: number, tag: string): number | "cut" {
  let at = from;
  for (const character of tag) {
    if (at === text.length) return "cut";
    if (text.charAt(at) !== character) throw new Refusal(at);
    at++;
  }
  return at;
}

/**
 * The index of the closing tag that closes the open argument: the first one of its name that is followed, white space
 * apart, by the tool's closing tag or by the opening tag of an argument not yet given. The end of a block before that,
 * `</tool>` and `</execute>` white space apart, is refused with its last character.
 */
function valueEnd(text: string, from: number, tool: string, argument: string, given: string[]): number {
  const closer = `</${argument}>`;
  const blockEnd = endOfMatch(text, from, `</${literally(tool)}>[\\t\\n\\r ]*</execute>`);
  for (let at = text.indexOf(closer, from); at >= 0; at = text.indexOf(closer, at + 1)) {
    const followerEnd = endOfFollower(text, skipSpace(text, at + closer.length), tool, given);
    if (followerEnd === undefined) continue;
    // Where tool and argument are both named "execute", the two can end together.
    if (blockEnd !== undefined && blockEnd < followerEnd) break;
    return at;
  }
  if (blockEnd === undefined) throw new Cut();
  throw new Refusal(blockEnd - 1);
}

function endOfFollower(text: string, at: number, tool: string, given: string[]): number | undefined {
  const closer = `</${tool}>`;
  if (text.startsWith(closer, at)) return at + closer.length;
  const [opener, name] = /^<([A-Za-z0-9_.-]+)>/.exec(text.slice(at)) ?? [];
  return opener === undefined || name === undefined || given.includes(name) ? undefined : at + opener.length;
}

function endOfMatch(text: string, from: number, pattern: string): number | undefined {
  const expression = new RegExp(pattern, "g");
  expression.lastIndex = from;
  return expression.test(text) ? expression.lastIndex : undefined;
}

function literally(name: string): string {
  return name.replaceAll(".", "\\.");
}

/** One line break directly after the opening tag, then one directly before the closing tag, is layout. */
function withoutLayout(value: string): string {
  return value.replace(/^(?:\r\n|\n|\r)/, "").replace(/(?:\r\n|\n|\r)$/, "");
}
