import type { ModelMessage } from "@cogency/protocol";
import {
  type ModelEvent,
  type ModelRequest,
  type Provider,
  ProviderError,
  type Session,
  type StreamOptions,
  wait,
} from "@cogency/provider";

/**
 * Asks a model through a session that the provider's side remembers: of each request only what is new is sent. Whenever
 * the session may know something else than the request says, it is opened anew from the request, that is, from the log.
 */
export interface SessionLine {
  /** As `Provider.stream`. The last message of the request is the user's. */
  ask(request: ModelRequest, options?: StreamOptions): AsyncIterable<ModelEvent>;
  /** The last answer will not be told by the log as the model wrote it. */
  forget(): void;
  close(): Promise<void>;
}

/** What an open session knows, its own last answer aside. */
interface Known {
  session: Session;
  messages: readonly ModelMessage[];
  /** The request without its messages. */
  setting: string;
  hasAnswered: boolean;
}

export function sessionLine(connect: NonNullable<Provider["connect"]>): SessionLine {
  let known: Known | undefined;

  const close = async () => {
    const session = known?.session;
    known = undefined;
    if (session) await closeWithin(patience, session);
  };

  return {
    async *ask(request, options = {}) {
      const { messages, ...setting } = request;
      const last = messages.at(-1);
      if (last?.role !== "user") {
        throw new ProviderError(
          "unsupported",
          "A session is told what the user says: native tool results are not that.",
        );
      }
      const before = messages.slice(0, -1);
      if (!known || !goesOn(known, before, setting)) {
        await close();
        const session = await connect({ ...request, messages: before }, options);
        known = { session, messages: before, setting: JSON.stringify(setting), hasAnswered: false };
      }

      const current: Known = known;
      let hasAnswered = false;
      try {
        for await (const event of current.session.send(last.content, options)) {
          if (event.type === "finish") hasAnswered = event.reason !== "aborted";
          yield event;
        }
      } finally {
        // What was not answered to its end is no part of the session; the log may hold some of it.
        if (hasAnswered) known = known === current ? { ...current, messages, hasAnswered } : known;
        else await close();
      }
    },
    forget() {
      if (known) known = { ...known, hasAnswered: false };
    },
    close,
  };
}

/** How long a session may take to close, in milliseconds. A run does not wait longer for what it needs no more. */
const patience = 250;

async function closeWithin(milliseconds: number, session: Session): Promise<void> {
  const closed = new AbortController();
  const closing = session.close().catch(() => {});
  await Promise.race([closing.finally(() => closed.abort()), wait(milliseconds, closed.signal)]);
}

/** Whether the session was told all of `before`, of which its own answer is the last. */
function goesOn({ messages, setting, hasAnswered }: Known, before: readonly ModelMessage[], now: object): boolean {
  return (
    hasAnswered &&
    before.length === messages.length + 1 &&
    before.at(-1)?.role === "assistant" &&
    setting === JSON.stringify(now) &&
    JSON.stringify(messages) === JSON.stringify(before.slice(0, -1))
  );
}
