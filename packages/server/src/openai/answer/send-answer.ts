import type { TurnEnding, Visit } from "../../bridge/index.ts";
import { jsonResponse } from "../../json-response.ts";
import type { OpenAIHandlerOptions } from "../openai-handler-options.ts";
import type { BegunTurn } from "../place/begin-turn.ts";
import { newName } from "../place/ids.ts";
import { isAtWork } from "../place/is-at-work.ts";
import type { Answer, WireEvent } from "./answer.ts";
import { failureOf } from "./ending.ts";
import { followTurn } from "./follow-turn.ts";
import type { Known } from "./known.ts";

export interface Sending {
  readonly store: OpenAIHandlerOptions["store"];
  readonly visit: Visit;
  readonly turn: BegunTurn;
  readonly answer: Answer;
  readonly known: Known;
  readonly whenClientLeaves: NonNullable<OpenAIHandlerOptions["whenClientLeaves"]>;
  /** The text of one event in a stream. */
  frame(event: WireEvent): string;
  /** The text after the last event. */
  readonly lastFrame: string;
}

/** Answers a request whole, once the turn that `begin` begins is over. */
export async function sendWhole(begin: () => Promise<Sending>): Promise<Response> {
  const sending = await begin();
  const failure = failureOf(await endingOf(eventsOf(sending, leavingOf(sending))));
  if (failure) throw failure;
  return jsonResponse(200, sending.answer.body());
}

/** Answers a request with the turn that `begin` begins, as a stream. */
export async function sendStream(visit: Visit, begin: () => Promise<Sending>): Promise<Response> {
  // It counts as a stream before anything is posted: a request that is refused has changed nothing.
  const begun = Promise.withResolvers<AsyncIterable<string>>();
  const response = visit.stream(promised(begun.promise));
  try {
    const sending = await begin();
    const leaving = leavingOf(sending);
    begun.resolve(leftBy(framesOf(eventsOf(sending, leaving), sending), () => leaving?.cancel()));
    return response;
  } catch (error) {
    begun.resolve(nothing());
    await response.body?.cancel();
    throw error;
  }
}

function leavingOf(sending: Sending): Leaving | undefined {
  return sending.whenClientLeaves === "cancel" ? new Leaving(sending) : undefined;
}

async function* eventsOf({ visit, turn, answer, known }: Sending, leaving: Leaving | undefined) {
  const { key, ids, events, last } = turn;
  const items = visit.turn(key, { after: last, ids });
  try {
    return yield* followTurn({ events, items, message: ids[0] ?? "" }, answer, known);
  } finally {
    leaving?.close();
  }
}

async function* framesOf(events: AsyncIterable<WireEvent>, { frame, lastFrame }: Sending): AsyncGenerator<string> {
  for await (const event of events) yield frame(event);
  if (lastFrame !== "") yield lastFrame;
}

async function endingOf(events: AsyncGenerator<WireEvent, TurnEnding>): Promise<TurnEnding> {
  for (;;) {
    const { done, value } = await events.next();
    if (done) return value;
  }
}

/** Cancels the run when the client leaves before the turn is over. */
class Leaving {
  readonly #sending: Sending;
  #isOver = false;
  readonly #onAbort = () => this.cancel();

  constructor(sending: Sending) {
    this.#sending = sending;
    const { signal } = sending.visit.request;
    signal.addEventListener("abort", this.#onAbort, { once: true });
    if (signal.aborted) this.cancel();
  }

  cancel(): void {
    if (this.#isOver) return;
    this.close();
    // Nobody is there any more to be told why it failed.
    this.#end().catch(() => {});
  }

  /** A reader may be far behind: what the conversation does by now may be the turn of somebody else. */
  async #end(): Promise<void> {
    const { visit, turn, store } = this.#sending;
    const { key, ids } = turn;
    const inbox = await store.inbox(key);
    if (!isAtWork(ids[0] ?? "", { inbox, ...(await visit.read(key)) })) return;
    await visit.post(key, [{ id: newName(), content: { kind: "cancel", reason: "The client has left." } }]);
  }

  close(): void {
    this.#isOver = true;
    this.#sending.visit.request.signal.removeEventListener("abort", this.#onAbort);
  }
}

/** The same texts. `onLeave` is called as soon as the reader leaves, also while it waits for a text. */
function leftBy(texts: AsyncGenerator<string>, onLeave: () => void): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => texts.next(),
      return: async () => {
        onLeave();
        return texts.return(undefined);
      },
    }),
  };
}

/** The texts of an iterable that comes later. */
function promised(texts: Promise<AsyncIterable<string>>): AsyncIterable<string> {
  const iterator = texts.then((one) => one[Symbol.asyncIterator]());
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => (await iterator).next(),
      return: async () => (await iterator).return?.() ?? { done: true, value: undefined },
    }),
  };
}

async function* nothing(): AsyncGenerator<string> {}
