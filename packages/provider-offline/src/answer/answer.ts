import type { Json, ToolResult } from "@cogency/protocol";
import type { Intent } from "../request/intent.ts";
import { findAnswer } from "./find-answer.ts";
import { listAnswer } from "./list-answer.ts";
import { counted, excerpt, subject } from "./phrases.ts";
import { codeFence, codeSpan, quote } from "./quote.ts";
import { readAnswer } from "./read-answer.ts";

/** Describes one result. Without an intent it is the result of a call that the model did not plan. */
export function answer(intent: Intent | undefined, { tool, status, content }: ToolResult): string {
  if (status === "failure") return failure(intent, tool, content);
  return (intent && success(intent, content)) ?? asItIs(tool, content);
}

function failure(intent: Intent | undefined, tool: string, content: Json): string {
  const what = intent ? `${actions[intent.kind]} ${subject(intent)}` : `The tool ${codeSpan(tool)}`;
  return `${what} failed:${quote(typeof content === "string" ? content : JSON.stringify(content))}`;
}

const actions: Readonly<Record<Intent["kind"], string>> = {
  read: "Reading",
  list: "Listing",
  find: "Searching for",
  write: "Writing",
};

/** Undefined if the content does not have the shape that the tool usually returns. */
function success(intent: Intent, given: Json): string | undefined {
  // Where results are plain text, any other value than a string is JSON text.
  const content = intent.kind === "read" ? given : readJson(given);
  switch (intent.kind) {
    case "read":
      return typeof content === "string" ? readAnswer(intent, content) : undefined;
    case "list":
      return listAnswer(intent, content);
    case "find":
      return findAnswer(intent, content);
    case "write": {
      const bytes = content && typeof content === "object" && !Array.isArray(content) ? content.bytes : undefined;
      return typeof bytes === "number" ? `Wrote ${counted(bytes, "byte")} to ${subject(intent)}.` : undefined;
    }
  }
}

function readJson(content: Json): Json {
  if (typeof content !== "string") return content;
  try {
    return JSON.parse(content) as Json;
  } catch {
    return content;
  }
}

function asItIs(tool: string, content: Json): string {
  const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
  return `${codeSpan(tool)} returned:\n\n${codeFence(excerpt(text).text)}`;
}
