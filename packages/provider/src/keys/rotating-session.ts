import type { ModelMessage } from "@cogency/protocol";
import { ProviderError } from "../errors.ts";
import type { ModelEvent, ModelRequest, Session, StreamOptions } from "../provider.ts";

/** A session, and the index of the key that it was opened with. */
export interface KeyedSession {
  readonly index: number;
  readonly session: Session;
}

/** A session that can continue with another key. */
export interface RotatingSession {
  readonly index: number;
  /**
   * As `Session.send`, with the key of this index.
   *
   * @throws ProviderError `unsupported` while another send changes the key, `connection` if the session is closed meanwhile
   */
  send(index: number, text: string, options?: StreamOptions): AsyncGenerator<ModelEvent>;
  /** A signal that aborts when the given one does or the session is closed. After the close: the given signal. */
  untilClosed(signal: AbortSignal | undefined): AbortSignal | undefined;
  close(): Promise<void>;
}

/**
 * A session over several keys. A session belongs to a key: to continue with another key, this opens a new session with the
 * whole conversation.
 *
 * @param request the request that the first session was opened with
 * @param open opens a session with the key of this index
 */
export function rotatingSession(
  first: KeyedSession,
  request: ModelRequest,
  open: (index: number, request: ModelRequest, options?: StreamOptions) => Promise<KeyedSession>,
): RotatingSession {
  const messages: ModelMessage[] = [...request.messages];
  let current = first;
  let isChanging = false;
  const closing = new AbortController();

  async function change(index: number, options: StreamOptions | undefined): Promise<void> {
    isChanging = true;
    // A copy, because the new session keeps its messages and adds later ones itself.
    const asked = { ...request, messages: [...messages] };
    const next = await open(index, asked, { signal: untilClosed(options?.signal) }).finally(() => {
      isChanging = false;
    });
    if (closing.signal.aborted) {
      leave(next);
      throw new ProviderError("connection", "The session was closed while it changed its key.", { retryable: false });
    }
    leave(current);
    current = next;
  }

  function untilClosed(signal: AbortSignal | undefined): AbortSignal | undefined {
    if (closing.signal.aborted) return signal;
    return signal ? AbortSignal.any([closing.signal, signal]) : closing.signal;
  }

  return {
    untilClosed,
    get index() {
      return current.index;
    },
    async *send(index, text, options) {
      if (isChanging) throw new ProviderError("unsupported", busyMessage);
      if (index !== current.index && !closing.signal.aborted) await change(index, options);
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
      closing.abort();
      return current.session.close();
    },
  };
}

/** Closes without waiting: the caller waits for an answer, not for the close. */
function leave({ session }: KeyedSession): void {
  void session.close().catch(() => {});
}

const busyMessage =
  "The session is changing its key for another `send`. Read that answer to its end first, or abort it.";
