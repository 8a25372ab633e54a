import type { ModelRequest } from "@cogency/provider";

type ModelMessage = ModelRequest["messages"][number];

/** What the model of the demo knows of a request. */
export interface Turn {
  /** The last words of the person. */
  readonly words: string;
  /** What came of the calls since then, the latest last. */
  readonly results: readonly TurnResult[];
  readonly tools: readonly OfferedTool[];
}

export interface TurnResult {
  readonly tool: string;
  readonly content: string;
  readonly failed: boolean;
}

export interface OfferedTool {
  readonly name: string;
  /** The names of its arguments, in the order of its schema. */
  readonly argumentNames: readonly string[];
}

/** Reads a request of the native driver or of the text protocol. */
export function readTurn({ messages, tools, system }: ModelRequest): Turn {
  const start = messages.findLastIndex(isOfPerson);
  return {
    words: textOf(messages[start]),
    results: messages.slice(start + 1).flatMap(resultsIn),
    tools: tools
      ? tools.map(({ name, parameters }) => ({ name, argumentNames: propertyNames(parameters) }))
      : toolsOfPrompt(system),
  };
}

function isOfPerson(message: ModelMessage): boolean {
  const text = textOf(message);
  return message.role === "user" && !text.startsWith("<results>") && text !== "Continue.";
}

function textOf(message: ModelMessage | undefined): string {
  if (message?.role !== "user") return "";
  if (typeof message.content === "string") return message.content;
  return message.content.map((part) => (part.kind === "text" ? part.text : "")).join("");
}

function resultsIn(message: ModelMessage): TurnResult[] {
  if (message.role === "tool")
    return message.results.map(({ name, content, failed }) => ({ tool: name, content, failed }));
  const block = /^<results>(.*)<\/results>/s.exec(textOf(message))?.[1];
  const results: { tool: string; status: string; content: unknown }[] = block === undefined ? [] : JSON.parse(block);
  return results.map(({ tool, status, content }) => ({
    tool,
    content: typeof content === "string" ? content : JSON.stringify(content),
    failed: status === "failure",
  }));
}

/** The text protocol describes each tool on a line, with its schema on the next one. */
function toolsOfPrompt(system: string): OfferedTool[] {
  return [...system.matchAll(/^- ([\w-]+): .*\n {2}parameters: (\{.*\})$/gm)].map(([, name = "", schema = "{}"]) => ({
    name,
    argumentNames: propertyNames(JSON.parse(schema)),
  }));
}

function propertyNames({ properties }: { properties?: unknown }): string[] {
  return Object.keys(Object(properties));
}
