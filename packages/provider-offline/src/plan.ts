import type { JsonObject, ToolCall } from "@cogency/protocol";
import { subject } from "./answer/phrases.ts";
import { codeSpan } from "./answer/quote.ts";
import type { OfferedTool } from "./offered-tools.ts";
import type { Intent, Unclear } from "./request/intent.ts";

export interface Plan {
  /** The calls, in the order of the request. */
  steps: readonly Step[];
  /** Sentences about the parts of the request that cannot be done. */
  obstacles: readonly string[];
}

interface Step {
  intent: Intent;
  call: ToolCall;
}

/** Turns intents into calls of the tools that are offered, and of no others. */
export function makePlan(parts: readonly (Intent | Unclear)[], tools: ReadonlyMap<string, OfferedTool>): Plan {
  const steps: Step[] = [];
  const obstacles: string[] = [];
  const unclear = parts.flatMap((part) => (part.kind === "unclear" ? [part.text] : []));
  const [first, ...others] = unclear;
  if (first !== undefined) obstacles.push(notUnderstood(first, others.length));
  for (const part of parts) {
    const tool = tools.get(part.kind);
    if (part.kind === "unclear") continue;
    if (tool) steps.push({ intent: part, call: { name: tool.name, args: argumentsFor(part, tool) } });
    else obstacles.push(`I have no tool named \`${part.kind}\`, so I cannot ${purposes[part.kind]} ${subject(part)}.`);
  }
  return { steps, obstacles };
}

/** One sentence for all: a pasted text has a line for each part. */
function notUnderstood(first: string, others: number): string {
  const rest = others === 0 ? "" : `, nor ${others} other ${others === 1 ? "part" : "parts"} of the request`;
  return `I do not understand ${codeSpan(excerpt(first))}${rest}.`;
}

function excerpt(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const purposes: Readonly<Record<Intent["kind"], string>> = {
  list: "look into",
  read: "read",
  find: "search for",
  write: "write",
};

/** Without a path a tool uses the root folder. */
function argumentsFor(intent: Intent, tool: OfferedTool): JsonObject {
  const values: Record<string, unknown> = { ...intent };
  const roles = Object.entries(synonyms).flatMap(([role, names]): [string, string][] => {
    const value = values[role];
    if (typeof value !== "string" || (role === "path" && value === ".")) return [];
    return [[names.find((name) => tool.argumentNames.includes(name)) ?? role, value]];
  });
  return Object.fromEntries(roles);
}

/** The names that tools use for the same argument, the most likely first. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  file: ["file", "path", "filename", "file_path", "filePath"],
  pattern: ["pattern", "glob", "name"],
  content: ["content", "contents", "text", "query", "data"],
  path: ["path", "folder", "directory", "dir"],
};
