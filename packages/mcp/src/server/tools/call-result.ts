import type { Json, JsonObject } from "@cogency/protocol";
import { type ToolExecution, toToolResult } from "@cogency/tools";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { attachmentBlock } from "../content.ts";
import { spokenText } from "./spoken.ts";

/** What the client reads of a call that has ended: the words that a model of ours would read, and what stands beside them. */
export function callResult(execution: ToolExecution): CallToolResult {
  const { status, content, attachments = [] } = toToolResult(execution);
  const said = spokenText(execution.value) ?? content;
  const blocks = [...textBlocks(said, attachments.length > 0), ...attachments.map(attachmentBlock)];
  if (status === "failure") return { content: blocks, isError: true };
  return { content: blocks, ...(isObject(content) && { structuredContent: content }) };
}

/** A value that says nothing leaves the word to the attachments. */
function textBlocks(content: Json, hasMore: boolean): ContentBlock[] {
  if (hasMore && (content === "" || content === null)) return [];
  return [{ type: "text", text: typeof content === "string" ? content : JSON.stringify(content) }];
}

function isObject(content: Json): content is JsonObject {
  return typeof content === "object" && content !== null && !Array.isArray(content);
}
