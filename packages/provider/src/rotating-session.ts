import type { ModelMessage } from "@cogency/protocol";
import { ProviderError } from "./errors.ts";
import type { ModelEvent, ModelRequest, Session, StreamOptions } from "./provider.ts";

/** A session, and the index of the key that it was opened with. */
export interface KeyedSession {
  readonly index: number;
  readonly session: Session;
}

/** A session that can go on with another key. */
export interface RotatingSession {
  readonly index: number;
  /** As `Session.send`, with the key of this index. */
  send(index: number, text: string, options?: StreamOptions): AsyncGenerator<ModelEvent>;
  close(): Promise<void>;
}

/**
 * A session belongs to a key: to go on with another one it is opened anew, with all that was said.
 *
 * @param request what the first session was opened with
 * @param open opens a session with the key of this index
 */
export function rotatingSession(
  first: KeyedSession,
  request: ModelRequest,
  open: (index: number, request: ModelRequest, options?: StreamOptions) => Promise<KeyedSession>,
): RotatingSession {
  const messages: ModelMessage[] = [...request.messages];
  let current = first;
  let isClosed = false;

  async function change(index: number, options: StreamOptions | undefined): Promise<void> {
    const next = await open(index, { ...request, messages }, options);
    // Whoever waits for the answer does not wait for the farewell.
    void current.session.close().catch(() => {});
    current = next;
    if (!isClosed) return;
    await next.session.close();
    throw new ProviderError("connection", "The session was closed while it changed its key.", { retryable: false });
  }

  return {
    get index() {
      return current.index;
    },
    async *send(index, text, options) {
      if (index !== current.index && !isClosed) await change(index, options);
      let answer = "";
      for await (const event of current.session.send(text, options)) {
        if (event.type === "text") answer += event.text;
        if (event.type === "finish" && event.reason !== "aborted") {
          messages.push({ role: "user", content: text }, { role: "assistant", content: answer });
        }
        yield event;
      }
    },
    close() {
      isClosed = true;
      return current.session.close();
    },
  };
}
