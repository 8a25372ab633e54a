import type { UIMessageChunk } from "ai";

/** The chunks of a response that is a UI message stream as its protocol wants it. */
export async function readStream(response: Response): Promise<UIMessageChunk[]> {
  const { status, headers } = response;
  if (status !== 200) throw new Error(`${status} ${headers.get("x-error-code")}: ${await response.text()}`);
  return chunksOf(headers, await response.text());
}

/** @throws Error for what the AI SDK does not see: a missing header, a missing end, and lines that are no event */
export function chunksOf(headers: Headers, text: string): UIMessageChunk[] {
  if (headers.get("x-vercel-ai-ui-message-stream") !== "v1") throw new Error("The header of version 1 is missing.");
  if (!headers.get("content-type")?.startsWith("text/event-stream"))
    throw new Error("The type is not text/event-stream.");
  if (!text.endsWith("\n\n")) throw new Error("The last event is cut off.");
  const events = text
    .slice(0, -2)
    .split("\n\n")
    .filter((event) => !event.startsWith(":"));
  if (events.pop() !== "data: [DONE]") throw new Error("[DONE] is missing.");
  return events.map((event) => {
    if (!event.startsWith("data: {") || event.includes("\n")) throw new Error(`No event: ${event}`);
    return JSON.parse(event.slice("data: ".length));
  });
}
