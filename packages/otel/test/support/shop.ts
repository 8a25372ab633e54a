import type { ScriptedResponse } from "@cogency/provider";
import { defineTool } from "@cogency/tools";

const nothing = { type: "object", properties: {} } as const;

export const look = defineTool({
  name: "look",
  description: "Looks.",
  input: { type: "object" },
  execute: () => "a door",
});

export const fail = defineTool({
  name: "fail",
  description: "Fails.",
  input: nothing,
  execute: () => {
    throw new Error("secret reason");
  },
});

export const pay = defineTool({
  name: "pay",
  description: "Pays.",
  input: nothing,
  approval: "ask",
  execute: () => "paid",
});

/** A step in which the model calls these tools, and its provider counts tokens. */
export function calling(...calls: { name: string; args?: object }[]): ScriptedResponse {
  const block = JSON.stringify(calls.map(({ name, args = {} }) => ({ name, args })));
  return { chunks: `On it.<execute>${block}</execute>`, usage };
}

export const usage = { input: 100, output: 20, cacheRead: 30, cacheWrite: 5, reasoning: 7 };
