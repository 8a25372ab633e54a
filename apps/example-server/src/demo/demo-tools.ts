import { defineTool } from "@cogency/agent";

const aText = { type: "string" } as const;

const weather = defineTool({
  name: "weather",
  description: "The weather of a city.",
  input: { type: "object", properties: { city: aText }, required: ["city"] },
  annotations: { readOnlyHint: true },
  execute: ({ city }) => `${city}: rain, 9 °C`,
});

const sendPostcard = defineTool({
  name: "send_postcard",
  description: "Send a postcard. A person is asked before.",
  input: { type: "object", properties: { to: aText, text: aText }, required: ["to", "text"] },
  approval: "ask",
  execute: ({ to }) => `The postcard to ${to} is on its way.`,
});

export const demoTools = [weather, sendPostcard];
