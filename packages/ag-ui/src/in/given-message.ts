import type { ToolCall } from "@ag-ui/core";
import type { ClientMessage } from "../out/client-view.ts";
import { type Fields, listAt, objectAt, optionalText, textAt, wrong } from "./fields.ts";
import { textOfParts } from "./parts.ts";

/** A message that a client has sent. The content of its user messages is read only where they are new. */
export type GivenMessage = ReadMessage & { readonly given: Fields; readonly place: string };

type ReadMessage =
  | Exclude<ClientMessage, { role: "tool" }>
  | (Extract<ClientMessage, { role: "tool" }> & { readonly content: string; readonly error?: string });

/** Messages of the roles `system`, `developer` and `activity`, and of unknown ones, are none of a person, and are left out. */
export function readMessages(given: unknown): GivenMessage[] {
  if (!Array.isArray(given)) throw wrong("messages", "give an array");
  return listAt(given, "messages", 10_000).flatMap((one, index) => {
    const place = `messages[${index}]`;
    const fields = objectAt(one, place);
    const message = readMessage(fields, place);
    return message ? { ...message, given: fields, place } : [];
  });
}

function readMessage(fields: Fields, place: string): ReadMessage | undefined {
  const id = textAt(fields.id, `${place}.id`);
  const role = textAt(fields.role, `${place}.role`);
  switch (role) {
    case "user":
      return { role, id };
    case "reasoning":
      return { role, id, content: optionalText(fields.content, `${place}.content`) ?? "" };
    case "assistant":
      return {
        role,
        id,
        content: optionalText(fields.content, `${place}.content`) ?? "",
        toolCalls: listAt(fields.toolCalls, `${place}.toolCalls`, 1_000).map((call, index) =>
          readCall(call, `${place}.toolCalls[${index}]`),
        ),
      };
    case "tool": {
      const error = optionalText(fields.error, `${place}.error`);
      return {
        role,
        id,
        toolCallId: textAt(fields.toolCallId, `${place}.toolCallId`),
        content: textOfParts(fields.content ?? "", `${place}.content`),
        ...(error !== undefined && { error }),
      };
    }
    default:
      return undefined;
  }
}

function readCall(given: unknown, place: string): ToolCall {
  const { id, function: called } = objectAt(given, place);
  const { name, arguments: text } = objectAt(called, `${place}.function`);
  return {
    id: textAt(id, `${place}.id`),
    type: "function",
    function: {
      name: textAt(name, `${place}.function.name`),
      arguments: optionalText(text, `${place}.function`) ?? "",
    },
  };
}
