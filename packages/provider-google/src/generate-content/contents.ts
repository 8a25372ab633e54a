import type {
  AssistantMessage,
  Attachment,
  Json,
  JsonObject,
  ModelMessage,
  ToolMessage,
  UserMessage,
} from "@cogency/protocol";
import { beginning } from "@cogency/provider/http";
import { replay } from "./native.ts";

/** One turn of a conversation, as the wire has it. */
export interface Content {
  role: "user" | "model";
  parts: JsonObject[];
}

/**
 * The messages as contents. Adjacent messages of one role become one content, results first, so that roles alternate.
 * Messages are translated one by one: a conversation that extends an earlier one extends its bytes too.
 */
export function toContents(messages: readonly ModelMessage[], model: string): Content[] {
  const contents: Content[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "model" : "user";
    const parts = toParts(message, model);
    // The server refuses a content without parts.
    if (parts.length === 0) continue;
    // The server demands that calls follow the user; a transcript without its first messages may begin otherwise.
    if (contents.length === 0 && role === "model") contents.push({ role: "user", parts: [{ text: beginning }] });
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  }
  return contents.map(({ role, parts }) => ({ role, parts: role === "user" ? resultsFirst(parts) : parts }));
}

const emptyMessage = "(empty message)";

function toParts(message: ModelMessage, model: string): JsonObject[] {
  switch (message.role) {
    case "user":
      return userParts(message.content);
    case "assistant":
      return replay(message, model) ?? unsignedParts(message, model);
    case "tool":
      return message.results.flatMap((result) => [toResult(result), ...(result.attachments ?? []).map(toData)]);
  }
}

function userParts(content: UserMessage["content"]): JsonObject[] {
  if (typeof content === "string") return [{ text: content === "" ? emptyMessage : content }];
  return content.map((part) => (part.kind === "text" ? { text: part.text } : toData(part)));
}

function toData({ mediaType, data }: Attachment): JsonObject {
  return typeof data === "string"
    ? { inlineData: { mimeType: mediaType, data } }
    : { fileData: { mimeType: mediaType, fileUri: data.url } };
}

function unsignedParts({ content, calls = [] }: AssistantMessage, model: string): JsonObject[] {
  return [
    ...(content === "" ? [] : [{ text: content }]),
    ...calls.map(({ id, name, args }, index) => ({
      functionCall: { id, name, args },
      ...(index === 0 && demandsSignatures(model) ? { thoughtSignature: noSignature } : {}),
    })),
  ];
}

/** What Google documents for calls that this model did not make, or not like this. Only the first of a content needs it. */
const noSignature = "skip_thought_signature_validator";

/** Since Gemini 3, models refuse a call without a signature. New and unknown ones count as such. */
function demandsSignatures(model: string): boolean {
  return /(^|\/)gemini-(?![12][.-])/.test(model);
}

/** `output` and `error` are the wire's own words for a success and a failure. */
function toResult({ id, name, content, failed }: ToolMessage["results"][number]): JsonObject {
  return { functionResponse: { id, name, response: { [failed ? "error" : "output"]: content } satisfies Json } };
}

function resultsFirst(parts: readonly JsonObject[]): JsonObject[] {
  const isResult = (part: JsonObject) => "functionResponse" in part;
  return [...parts.filter(isResult), ...parts.filter((part) => !isResult(part))];
}
