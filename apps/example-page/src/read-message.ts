import type { IncomingMessage } from "node:http";
import type { MessageContent } from "@cogency/storage";
import * as z from "zod";
import { Refusal } from "./refusal.ts";

const content = z.string().trim().min(1);
const question = z.string();

/** What a page may post. Further fields are refused: a page must not choose the name of its sender, nor bring a signature. */
const messageOfPage = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["prompt", "steer"]), content }),
  z.strictObject({ kind: z.literal("approve"), question }),
  z.strictObject({ kind: z.literal("deny"), question, reason: z.string().exactOptional() }),
  z.strictObject({ kind: z.literal("cancel") }),
]);

/**
 * Reads the message in the body of a request.
 *
 * @throws Refusal for another type, a body that is too large, and for what is not such a message
 */
export async function readMessage(request: IncomingMessage): Promise<MessageContent> {
  // A form of another page cannot send this type.
  const [type = ""] = (request.headers["content-type"] ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json") throw new Refusal(415, "Send application/json.");
  const { data, error } = messageOfPage.safeParse(parsed(await textOf(request)));
  if (error) throw new Refusal(400, z.prettifyError(error));
  return data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, "The body is not JSON.");
  }
}

const mostBytes = 64 * 1024;

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection must outlive the loop, for the refusal.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > mostBytes) throw new Refusal(413, `A message has at most ${mostBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
