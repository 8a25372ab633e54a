import { readBody } from "@cogency/provider/http";
import { createParser } from "eventsource-parser";

/**
 * The data of each event of an answer, read from JSON as it comes, up to `[DONE]` or the end of the body. After `[DONE]`,
 * or once `isComplete`, the body gets a moment to end by itself, so that its connection can be used again. A body that is
 * JSON is one event, and one that only says so is none.
 *
 * The SDK has a reader of its own, which takes an event without data, such as servers keep connections alive with, for
 * broken JSON; which does not know the field `error` of older builds of llama.cpp; and which gives up the body, and the
 * connection with it, as soon as it sees `[DONE]`.
 *
 * @param signal ends the events and closes the connection; nothing is thrown
 * @throws SyntaxError for data that is not JSON, and whatever reading the body fails with
 */
export async function* readEvents(
  response: Response,
  signal: AbortSignal,
  isComplete: () => boolean = () => false,
): AsyncGenerator<unknown, void> {
  if (!response.body) return;
  // A whole answer, or what went wrong, from a server that does not stream.
  if (response.headers.get("content-type")?.includes("application/json")) return yield* whole(response, signal);
  const decoder = new TextDecoder();
  let arrived: string[] = [];
  let isDone = false;
  const parser = createParser({
    onEvent: ({ data }) => arrived.push(data),
    onError: ({ field, value }) => void (field === "error" && arrived.push(value ?? "")),
  });

  function* read(text: string): Generator<unknown> {
    parser.feed(text);
    for (const data of arrived) {
      isDone ||= data.startsWith("[DONE]");
      if (!isDone && data.trim() !== "") yield JSON.parse(data);
    }
    arrived = [];
  }

  for await (const bytes of readBody(response.body, () => isDone || isComplete(), signal)) {
    yield* read(decoder.decode(bytes, { stream: true }));
  }
  // The last event may lack the empty line that ends it.
  if (!signal.aborted) yield* read(`${decoder.decode()}\n\n`);
}

async function* whole({ body }: Response, signal: AbortSignal): AsyncGenerator<unknown, void> {
  if (!body) return;
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of readBody(body, () => false, signal)) text += decoder.decode(bytes, { stream: true });
  const event = parsed(text + decoder.decode());
  if (!signal.aborted && event !== undefined) yield event;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
