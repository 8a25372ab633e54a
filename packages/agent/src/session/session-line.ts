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
 * Asks a model through a session that the provider's side remembers: of each request only what is new is sent. Whenever
 * the session may know something else than the request says, it is opened anew from the request, that is, from the log.
 */
export interface SessionLine {
  /** As `Provider.stream`. The last message of the request is the user's. */
  ask(request: ModelRequest, options?: StreamOptions): AsyncIterable<ModelEvent | SessionFailed>;
  /** The last answer will not be told by the log as the model wrote it. */
  forget(): void;
  close(): Promise<void>;
}

/** No session could be opened, and why; what follows, and all that is asked from now on, goes without one. */
export interface SessionFailed {
  type: "session_failed";
  message: string;
}

type Ask = (request: ModelRequest, options: StreamOptions) => AsyncIterable<ModelEvent>;

/** What an open session knows, its own last answer aside. */
interface Known {
  session: Session;
  messages: readonly ModelMessage[];
  /** The request without its messages. */
  setting: string;
  /** The text of that answer; absent if there is none, or none that the log tells. */
  answer?: string | undefined;
}

/** @param instead asks without a session once none can be opened; where absent, that is thrown */
export function sessionLine(connect: NonNullable<Provider["connect"]>, instead?: Ask): SessionLine {
  let known: Known | undefined;
  let hasFailed = false;

  const close = async () => {
    const session = known?.session;
    known = undefined;
    if (session) await settlesWithin((async () => session?.close())(), patience);
  };

  return {
    async *ask(request, options = {}) {
      if (hasFailed && instead) return yield* instead(request, options);
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
        let session: Session;
        try {
          session = yield* openSession(connect, { ...request, messages: before }, options);
        } catch (error) {
          if (!instead || options.signal?.aborted) throw error;
          hasFailed = true;
          yield { type: "session_failed", message: error instanceof Error ? error.message : String(error) };
          return yield* instead(request, options);
        }
        known = { session, messages: before, setting: JSON.stringify(setting) };
        if (options.signal?.aborted) {
          // It did not hear that it is to stop. Nobody may be there any more to close the session, or to want an answer.
          await close();
          return yield { type: "finish", reason: "aborted" };
        }
      }

      const current: Known = known;
      let hasAnswered = false;
      let answer = "";
      try {
        for await (const event of current.session.send(last.content, options)) {
          if (event.type === "text") answer += event.text;
          if (event.type === "finish") hasAnswered = event.reason !== "aborted";
          yield event;
        }
      } finally {
        // What was not answered to its end is no part of the session; the log may hold some of it.
        if (hasAnswered) known = known === current ? { ...current, messages, answer } : known;
        else await close();
      }
    },
    forget() {
      if (known) known = { ...known, answer: undefined };
    },
    close,
  };
}

/** How long a session may take to close, in milliseconds. A run does not wait longer for what it needs no more. */
const patience = 250;

/** Whether the session was told all of `before`, of which its own answer is the last. */
function goesOn({ messages, setting, answer }: Known, before: readonly ModelMessage[], now: object): boolean {
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

/** White space may differ, but a call that a hook rewrote is told as it ran. */
function hasSameCalls(written: string, told: string): boolean {
  return written === told || callsIn(written) === callsIn(told);
}

function callsIn(text: string): string {
  return JSON.stringify(parseSync(text).flatMap((event) => (event.type === "call" ? [event.content] : [])));
}
