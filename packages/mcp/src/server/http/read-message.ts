import { isJsonContentType, readRequestBody } from "@modelcontextprotocol/server";
import type { Limits } from "../offered.ts";
import { type MessageProblem, messageProblem, refused } from "./message-problem.ts";

/** The JSON of a request, or why it is refused. Reads no more than the limits allow, for no longer than they allow. */
export async function readMessage(
  request: Request,
  { messageBytes, body, batch, depth }: Limits,
): Promise<{ message: unknown } | { problem: MessageProblem }> {
  if (!isJsonContentType(request.headers.get("content-type"))) {
    return { problem: refused(415, "The body must be JSON: `Content-Type: application/json`.", -32000) };
  }
  const text = await withinTime(readRequestBody(request, messageBytes), body);
  if (text === "late") return { problem: refused(408, `The body did not arrive within ${body} ms.`, -32000) };
  if (text === "broken") return { problem: refused(400, "The body broke off.", -32700) };
  if (text.tooLarge) return { problem: refused(413, `The body is larger than ${messageBytes} bytes.`, -32000) };
  const message = parsed(text.text);
  if (message === undefined) return { problem: refused(400, "The body is not JSON.", -32700) };
  const problem = messageProblem(message, { batch, depth });
  return problem ? { problem } : { message };
}

async function withinTime<T>(reading: Promise<T>, milliseconds: number): Promise<T | "late" | "broken"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, milliseconds, "late");
  });
  try {
    return await Promise.race([reading.catch(() => "broken" as const), late]);
  } finally {
    clearTimeout(timer);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
