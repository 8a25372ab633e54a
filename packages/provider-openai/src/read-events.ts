import { readBody } from "@cogency/provider/http";
import { createParser } from "eventsource-parser";

/**
 * The data of each event of an answer, read from JSON as it comes, up to `[DONE]` or the end of the body. After `[DONE]`,
 * or once `isComplete`, the body gets a moment to end by itself, so that its connection can be used again. A body that is
 * JSON, from a server that does not stream, is one event, whatever its content type says; one that only begins like JSON
 * is none.
 *
 * The SDK has a reader of its own, which takes an event without data, such as servers keep connections alive with, for
 * broken JSON; which does not know the field `error` of older builds of llama.cpp; and which gives up the body, and the
 * connection with it, as soon as it sees `[DONE]`.
 *
 * @param signal ends the events and closes the connection; nothing is thrown
 * @throws SyntaxError for data that is not JSON, and whatever reading the body fails with
 */
export async function* readEvents(
  { body }: Response,
  signal: AbortSignal,
  isComplete: () => boolean = () => false,
): AsyncGenerator<unknown, void> {
  if (!body) return;
  const decoder = new TextDecoder();
  const toLines = lineReader();
  let arrived: string[] = [];
  let isDone = false;
  let isWhole: boolean | undefined;
  let whole = "";
  const parser = createParser({
    onEvent: ({ data }) => arrived.push(data),
    onError: ({ field, value }) => void (field === "error" && arrived.push(value ?? "")),
  });

  function* read(text: string): Generator<unknown> {
    parser.feed(toLines(text));
    for (const data of arrived) {
      isDone ||= data.startsWith("[DONE]");
      if (!isDone && data.trim() !== "") yield JSON.parse(data);
    }
    arrived = [];
  }

  for await (const bytes of readBody(body, () => isDone || isComplete(), signal)) {
    const text = decoder.decode(bytes, { stream: true });
    // No line of an event stream begins like this: servers mix up the two content types.
    if (isWhole === undefined && text.trim() !== "") isWhole = /^\s*[{[]/.test(text);
    if (isWhole) whole += text;
    else yield* read(text);
  }
  if (signal.aborted) return;
  const rest = decoder.decode();
  // The last event may lack the empty line that ends it.
  if (!isWhole) return yield* read(`${rest}\n\n`);
  const event = parsed(whole + rest);
  if (event !== undefined) yield event;
}

/**
 * Makes every line break a line feed. The parser keeps a carriage return at the end of a piece until it knows what
 * follows, and with it the event that it ends, which may be the last one for long.
 */
function lineReader(): (text: string) => string {
  let endsInReturn = false;
  return (text) => {
    if (text === "") return text;
    const rest = endsInReturn && text.startsWith("\n") ? text.slice(1) : text;
    endsInReturn = text.endsWith("\r");
    return rest.replace(/\r\n?/g, "\n");
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
