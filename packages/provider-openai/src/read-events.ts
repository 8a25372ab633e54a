import { createParser } from "eventsource-parser";

/** The events of one answer. */
export interface EventReader {
  /**
   * Their data, read from JSON, up to `[DONE]` or the end of the body. Leaving early closes the connection.
   *
   * @throws SyntaxError for data that is not JSON, and whatever reading the body fails with
   */
  readonly events: AsyncGenerator<unknown, void>;
  /** No more is wanted: the events end, and the connection is closed. */
  stop(): void;
}

/**
 * Reads an event stream as it comes. The SDK has a reader of its own, which takes an event without data, such as servers
 * keep connections alive with, for broken JSON; which does not know the field `error` of older builds of llama.cpp; and
 * which gives up the body, and the connection with it, as soon as it sees `[DONE]`.
 */
export function readEvents(response: Response): EventReader {
  const reader = response.body?.getReader();

  async function* events(): AsyncGenerator<unknown, void> {
    if (!reader) return;
    const decoder = new TextDecoder();
    let arrived: string[] = [];
    let isOver = false;
    const parser = createParser({
      onEvent: ({ data }) => arrived.push(data),
      onError: ({ field, value }) => void (field === "error" && arrived.push(value ?? "")),
    });
    try {
      while (!isOver) {
        const piece = await reader.read();
        isOver = piece.done;
        // The last event may lack the empty line that ends it.
        parser.feed(piece.done ? `${decoder.decode()}\n\n` : decoder.decode(piece.value, { stream: true }));
        for (const data of arrived) {
          if (data.startsWith("[DONE]")) {
            isOver = await hasEnded(reader);
            return;
          }
          if (data.trim() !== "") yield JSON.parse(data);
        }
        arrived = [];
      }
    } finally {
      if (!isOver) reader.cancel().catch(() => {});
    }
  }

  return {
    events: events(),
    stop() {
      reader?.cancel().catch(() => {});
    },
  };
}

/** Milliseconds that the end of the body may come after `[DONE]`: then the connection can be used again. */
const patience = 50;

async function hasEnded(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, patience, undefined);
  });
  try {
    for (;;) {
      const piece = await Promise.race([reader.read(), late]);
      if (!piece) return false;
      if (piece.done) return true;
    }
  } catch {
    return true;
  } finally {
    clearTimeout(timer);
  }
}
