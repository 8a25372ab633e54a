import { formatCalls, type JsonObject, type ToolSpec } from "@cogency/protocol";
import type { ModelEvent, ModelRequest, ScriptedReply } from "@cogency/provider";
import { defineTool, type Tool } from "@cogency/tools";
import type { Driver } from "../../src/driver.ts";
import { protocolDriver } from "../../src/index.ts";
import { nativeDriver } from "../../src/native.ts";
import { reactDriver } from "../../src/react.ts";

const verbs = "create delete list find update archive share export import rename lock unlock copy move print".split(
  " ",
);
const things = "issue invoice calendar contact photo ticket customer parcel playlist recipe".split(" ");
const places = ["", "_draft", "_copy", "_template"];

/** So many tools with different names, up to 600, such as `create_issue`. Each says what it did. */
export function manyTools(count: number, more: Pick<Tool, "approval"> = {}): Tool[] {
  const names = places.flatMap((place) =>
    things.flatMap((thing) => verbs.map((verb) => [verb, thing, place] as const)),
  );
  return names.slice(0, count).map(([verb, thing, place]) =>
    defineTool({
      name: `${verb}_${thing}${place}`,
      description: `Use it to ${verb} a ${thing}${place.replace("_", " ")}.\nIt needs the title of what it works on.`,
      input: {
        type: "object",
        properties: {
          title: { type: "string", description: "The title, as the person wrote it." },
          tags: { type: "array", items: { type: "string" }, description: "Words by which it is found again." },
          dry: { type: "boolean", description: "Whether nothing shall change yet." },
        },
        required: ["title"],
        additionalProperties: false,
      },
      execute: ({ title }) => `did ${verb} ${title}`,
      ...more,
    }),
  );
}

/** What a model of a driver sends. */
export interface Hand {
  driver: () => Driver;
  call(name: string, args: JsonObject): ScriptedReply;
  say(text: string): ScriptedReply;
  /** Whether the model calls a tool that it has found through `call_tool`. */
  wraps?: true;
}

const native = (name: string, args: JsonObject): ModelEvent[] => {
  const call = { id: "toolu_1", name, arguments: JSON.stringify(args) };
  return [
    { type: "tool_call_delta", index: 0, ...call },
    { type: "tool_call", ...call },
  ];
};

export const hands = {
  json: {
    driver: () => protocolDriver(),
    call: (name, args) => formatCalls([{ name, args }]),
    say: (text) => `${text}<end>`,
  },
  xml: {
    driver: () => protocolDriver({ dialect: "xml" }),
    call: (name, args) => formatCalls([{ name, args }], { dialect: "xml" }),
    say: (text) => `${text}<end>`,
  },
  native: {
    driver: () => nativeDriver(),
    call: (name, args) => ({
      events: name === "find_tools" ? native(name, args) : native("call_tool", { name, arguments: args }),
    }),
    say: (text) => text,
    wraps: true,
  },
  react: {
    driver: () => reactDriver(),
    call: (tool, args) => JSON.stringify({ thought: "go", type: "call_tool", tool, args }),
    say: (answer) => JSON.stringify({ thought: "done", type: "final_answer", answer }),
  },
} satisfies Record<string, Hand>;

export const handNames = Object.keys(hands) as (keyof typeof hands)[];

/** A model that searches for a tool, calls it once it reads how, and answers once it reads what the tool did. */
export function seeker(hand: Hand, query: string, name: string): (request: ModelRequest) => ScriptedReply {
  return ({ messages }) => {
    const text = JSON.stringify(messages);
    const [verb] = name.split("_");
    if (text.includes(`did ${verb} Leak`)) return hand.say("It is done.");
    return describes(text, name) ? hand.call(name, { title: "Leak" }) : hand.call("find_tools", { query });
  };
}

/** How often the text of messages describes the tool. */
export const descriptionsOf = (text: string, name: string) => text.split(`- ${name}: `).length - 1;

const describes = (text: string, name: string) => descriptionsOf(text, name) > 0;

export const namesOf = (specs: readonly ToolSpec[] = []) => specs.map(({ name }) => name);
