import { getEventListeners } from "node:events";
import type { ModelEvent } from "../provider.ts";
import { assert, assertEqual, show } from "./assert.ts";
import { assertGrammar } from "./grammar.ts";
import { isContent, nextOf, outcomeOf, restOf } from "./outcome.ts";
import type { ProviderCase } from "./provider-case.ts";
import { plainReply } from "./samples.ts";
import { eventsOf, type Subject, type WireSubject } from "./subject.ts";
import { eventually, within } from "./within.ts";

/** A generation that is aborted, or whose events nobody wants any more. */
export const stopCases: ProviderCase[] = [
  {
    name: "a signal that is aborted already makes no request",
    on: "any",
    async check(subject) {
      const stream = subject.answering().stream(subject.request, { signal: AbortSignal.abort() });
      assertAborted(await outcomeOf(stream, subject.patience), "a request that was aborted before it began");
      assertEqual(subject.requests(), 0, "the number of requests");
    },
  },
  {
    name: "an abort after any event ends with `finish: aborted` and closes the connection",
    on: "any",
    async check(subject) {
      const pieces = await countPieces(subject);
      for (let count = 1; count <= pieces; count++) {
        const what = `an abort after piece ${count} of ${pieces}`;
        const controller = new AbortController();
        const iterator = begin(subject, controller.signal);
        const before = await take(iterator, count, subject.patience);
        controller.abort();
        const { events, error } = await restOf(iterator, subject.patience);
        // With the last piece the server may have told how it ended.
        if (count < pieces || isAborted(events)) assertAborted({ events, error }, what);
        assertEqual(error, undefined, `${what}: what was thrown`);
        assertGrammar([...before, ...events], what);
        await subject.released(what);
        assertNoListener(controller.signal, what);
      }
    },
  },
  {
    name: "leaving after any event closes the connection",
    on: "any",
    async check(subject) {
      const pieces = await countPieces(subject);
      for (let count = 1; count <= pieces; count++) {
        const what = `leaving after piece ${count} of ${pieces}`;
        const { signal } = new AbortController();
        const iterator = begin(subject, signal);
        await take(iterator, count, subject.patience);
        assert(iterator.return !== undefined, "The iterator of `stream` must have `return`, as a generator has.");
        await within(iterator.return(), subject.patience, `${what}: \`return\` did not come to its end`);
        await subject.released(what);
        assertNoListener(signal, what);
      }
    },
  },
  {
    name: "no listener is left on the signal after an answer",
    on: "any",
    async check(subject) {
      const { signal } = new AbortController();
      await eventsOf(subject, subject.answering().stream(subject.request, { signal }), "the answer");
      assertNoListener(signal, "an answer");
    },
  },
  silenceCase("before the head of its answer", async () => {}),
  silenceCase("after the head of its answer", async ({ server }) => server.exchanges.at(-1)?.begin()),
  silenceCase("in the middle of its answer", async ({ server, wire }) => {
    const [first = ""] = wire.answer(plainReply);
    await server.exchanges.at(-1)?.write(first.slice(0, first.length / 2));
  }),
];

function silenceCase(when: string, speak: (subject: WireSubject) => Promise<void>): ProviderCase {
  return {
    name: `an abort while the server is silent ${when} ends at once`,
    on: "wire",
    async check(subject) {
      const what = `an abort while the server is silent ${when}`;
      const controller = new AbortController();
      const stream = subject.answeredBy(() => {}).stream(subject.request, { signal: controller.signal });
      const outcome = outcomeOf(stream, subject.patience);
      await eventually(() => subject.requests() === 1, subject.patience, "The provider made no request");
      await speak(subject);
      // Time for what was sent to be read, so that the provider is waiting for more.
      await new Promise((resolve) => setTimeout(resolve, 20));
      controller.abort();
      assertAborted(await outcome, what);
      await subject.released(what);
      assertNoListener(controller.signal, what);
    },
  };
}

async function countPieces(subject: Subject): Promise<number> {
  const events = await eventsOf(subject, subject.answering().stream(subject.request), "the whole answer");
  const pieces = events.filter(isContent).length;
  assert(pieces >= 3, `The answer must come in three pieces or more, and came in ${pieces}.`);
  return pieces;
}

function begin(subject: Subject, signal: AbortSignal): AsyncIterator<ModelEvent> {
  return subject.answering(true).stream(subject.request, { signal })[Symbol.asyncIterator]();
}

/** Events up to and including so many pieces. */
async function take(iterator: AsyncIterator<ModelEvent>, count: number, patience: number): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  while (events.filter(isContent).length < count) {
    const event = await nextOf(iterator, patience);
    assert(event !== undefined, `The stream was over after ${show(events)}.`);
    events.push(event);
  }
  return events;
}

/** Pieces that one chunk of the wire may hold, and that may still be told after an abort. */
const stragglers = 3;

function assertAborted({ events, error }: { events: ModelEvent[]; error?: unknown }, what: string): void {
  assertEqual(error, undefined, `${what}: what was thrown`);
  assert(
    isAborted(events),
    `${what}: the last event must be \`finish\` with reason \`aborted\`, not ${show(events.at(-1))}.`,
  );
  const late = events.filter(isContent).length;
  assert(late <= stragglers, `${what}: ${late} more pieces came after it.`);
  const usage = events.find((event) => event.type === "usage");
  assert(!usage || usage.usage.estimated === true, `${what}: the usage must be marked \`estimated\`.`);
}

function isAborted(events: readonly ModelEvent[]): boolean {
  const last = events.at(-1);
  return last?.type === "finish" && last.reason === "aborted";
}

function assertNoListener(signal: AbortSignal, what: string): void {
  assertEqual(getEventListeners(signal, "abort").length, 0, `${what}: the listeners that are left on the signal`);
}
