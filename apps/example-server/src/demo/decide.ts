import type { JsonObject } from "@cogency/agent";
import type { OfferedTool, Turn, TurnResult } from "./read-turn.ts";

/** What the model of the demo does next. */
export interface Decision {
  readonly thinking?: string;
  /** Words for the person, in the pieces in which they are written. */
  readonly words?: readonly string[];
  /** Milliseconds before each piece. */
  readonly pause?: number;
  readonly call?: { readonly name: string; readonly args: JsonObject };
}

const greeting =
  "Hello! I am the model of this demo. Say “use a tool”, “approve this”, “slow please”, or “Add 1 and 2 with the tool.”";

/** Decides by the last words of the person and by what has come of calls since then. */
export function decide({ words, results, tools }: Turn): Decision {
  if (results.length > 0) return { words: inWords(report(results)) };
  const sum = /\badd (-?\d+) and (-?\d+) with the tool/i.exec(words);
  if (sum) return addition(tools, [Number(sum[1]), Number(sum[2])]);
  if (/\b(use the tool|approve this)\b/i.test(words))
    return {
      thinking: "A postcard cannot be taken back, so a person will be asked.",
      words: inWords("I would like to send a postcard."),
      call: { name: "send_postcard", args: { to: "Ada", text: "Greetings from Kiel." } },
    };
  if (/\buse a tool\b/i.test(words))
    return {
      thinking: "The weather is a good tool to show.",
      words: inWords("I look at the weather."),
      call: { name: "weather", args: { city: "Kiel" } },
    };
  if (/\bslow please\b/i.test(words)) return { words: fifty, pause: 100 };
  return { words: inWords(greeting) };
}

const fifty = Array.from({ length: 50 }, (_, index) => `${index + 1}${index < 49 ? ", " : "."}`);

/** Calls the tool of the client that adds, with its arguments in the order of its schema. */
function addition(tools: readonly OfferedTool[], numbers: readonly number[]): Decision {
  const tool = tools.find(({ name }) => /(^|_)add(_|$)/i.test(name));
  if (!tool) return { words: inWords("I would need a tool “add” of yours: send one with the request.") };
  const args = Object.fromEntries(tool.argumentNames.slice(0, 2).map((name, index) => [name, numbers[index] ?? 0]));
  return { call: { name: tool.name, args } };
}

function report(results: readonly TurnResult[]): string {
  return results
    .map(({ tool, content, failed }) =>
      failed ? `The tool ${tool} did not work: ${content}` : `The tool ${tool} says: ${content}`,
    )
    .join("\n");
}

function inWords(text: string): string[] {
  return text.match(/\S+\s*/g) ?? [];
}
