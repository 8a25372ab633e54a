import { settlesWithin } from "@cogency/async";
import { type ModelMessage, parseSync } from "@cogency/protocol";
import {
  type ModelEvent,
  type ModelRequest,
  type Provider,
  ProviderError,
  type Session,
  type StreamOptions,
} from "@cogency/provider";
import { openSession } from "./open-session.ts";

/**
 * Asks a model through a session, which the provider's side remembers, so that only the last message of a request is sent.
 * If the session may remember anything else than the request says, it is opened anew from the request, that is, the log.
 */
export interface SessionLine {
  /** As `Provider.stream`. The last message of the request must be the user's. */
  ask(request: ModelRequest, options?: StreamOptions): AsyncIterable<ModelEvent | SessionFailed>;
  /** Called if the log does not hold the last answer as the model wrote it: the next request opens a new session. */
  forget(): void;
  close(): Promise<void>;
}

/** No session could be opened. The rest of this answer, and all later requests, do without one. */
export interface SessionFailed {
  type: "session_failed";
  message: string;
}

type Ask = (request: ModelRequest, options: StreamOptions) => AsyncIterable<ModelEvent>;

/** An open session, and what its provider remembers. */
interface OpenSession {
  session: Session;
  /** Without the last answer. */
  messages: readonly ModelMessage[];
  /** The JSON of the request without its messages. */
  setting: string;
  /** The last answer; undefined if there is none, or if the log does not hold it as the model wrote it. */
  answer?: string | undefined;
}

/** @param instead asks without a session after one could not be opened; without it, that error is thrown */
export function sessionLine(connect: NonNullable<Provider["connect"]>, instead?: Ask): SessionLine {
  let open: OpenSession | undefined;
  let hasFailed = false;

  const close = async () => {
    const session = open?.session;
    open = undefined;
    if (session) await settlesWithin((async () => session?.close())(), closeTimeout);
  };

  return {
    async *ask(request, options = {}) {
      if (hasFailed && instead) return yield* instead(request, options);
      const { messages, ...setting } = request;
      const last = messages.at(-1);
      if (last?.role !== "user") {
        throw new ProviderError("unsupported", "A session takes text of the user: it cannot take native tool results.");
      }
      const { content } = last;
      if (typeof content !== "string") {
        const message = "A session takes text alone: it cannot take attachments.";
        if (!instead) throw new ProviderError("unsupported", `${message} Use mode "replay".`);
        hasFailed = true;
        yield { type: "session_failed", message };
        await close();
        return yield* instead(request, options);
      }
      const before = messages.slice(0, -1);
      if (!open || !goesOn(open, before, setting)) {
        await close();
        let session: Session;
        try {
          session = yield* openSession(connect, { ...request, messages: before }, options);
        } catch (error) {
          if (!instead || options.signal?.aborted) throw error;
          hasFailed = true;
          yield { type: "session_failed", message: error instanceof Error ? error.message : String(error) };
          return yield* instead(request, options);
        }
        open = { session, messages: before, setting: JSON.stringify(setting) };
        if (options.signal?.aborted) {
          // The session opened although the run was cancelled meanwhile: close it now, nothing else does.
          await close();
          return yield { type: "finish", reason: "aborted" };
        }
      }

      const current: OpenSession = open;
      let hasAnswered = false;
      let answer = "";
      try {
        for await (const event of current.session.send(content, options)) {
          if (event.type === "text") answer += event.text;
          if (event.type === "finish") hasAnswered = event.reason !== "aborted";
          yield event;
        }
      } finally {
        // After an answer that broke off, session and log may differ.
        if (hasAnswered) open = open === current ? { ...current, messages, answer } : open;
        else await close();
      }
    },
    forget() {
      if (open) open = { ...open, answer: undefined };
    },
    close,
  };
}

/** Milliseconds that a session may take to close. After that the run ends without it. */
const closeTimeout = 250;

/** Whether the session remembers exactly `before`, whose last message is its own answer. */
function goesOn({ messages, setting, answer }: OpenSession, before: readonly ModelMessage[], now: object): boolean {
  const last = before.at(-1);
  return (
    answer !== undefined &&
    before.length === messages.length + 1 &&
    last?.role === "assistant" &&
    hasSameCalls(answer, last.content) &&
    setting === JSON.stringify(now) &&
    JSON.stringify(messages) === JSON.stringify(before.slice(0, -1))
  );
}

/** Whether two texts hold the same calls. White space may differ; a call that a hook rewrote differs. */
function hasSameCalls(written: string, shown: string): boolean {
  return written === shown || callsIn(written) === callsIn(shown);
}

function callsIn(text: string): string {
  return JSON.stringify(parseSync(text).flatMap((event) => (event.type === "call" ? [event.content] : [])));
}
