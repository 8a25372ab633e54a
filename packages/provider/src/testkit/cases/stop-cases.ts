import { getEventListeners } from "node:events";
import { assert, assertEqual, eventually, pause, show, within } from "@cogency/protocol/testkit";
import type { ModelEvent } from "../../provider.ts";
import { assertGrammar } from "../grammar.ts";
import type { ProviderCase } from "../provider-case.ts";
import { call, plainReply, replyOf, text, toolRequest } from "../samples.ts";
import { isContent, iteratorOf, nextOf, readStream, restOf } from "../stream-content.ts";
import { eventsOf, isWire, type Subject, type WireSubject } from "../subject.ts";

/** A generation that is aborted, or whose stream is left early. */
export const stopCases: ProviderCase[] = [
  {
    name: "a signal that is aborted already makes no request",
    on: "any",
    async check(subject) {
      const stream = subject.answering().stream(subject.request, { signal: AbortSignal.abort() });
      assertAborted(await readStream(stream, subject.patience), "a request that was aborted before it began");
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
        const before = await take(iterator, count, subject.patience, what);
        controller.abort();
        const { events, error } = await restOf(iterator, subject.patience);
        // With the last piece the server may have sent its finish reason.
        if (count < pieces || isAborted(events)) assertAborted({ events, error }, what);
        assertEqual(error, undefined, `${what}: the error`);
        assertGrammar([...before, ...events], what);
        const reported = events.find((event) => event.type === "usage");
        const hasCost = !isWire(subject) || (reported !== undefined && reported.usage.output > 0);
        assert(hasCost, `${what}: a \`usage\` event must count the \`output\` that was generated until then.`);
        await subject.released(what);
        assertNoListener(controller.signal, what);
      }
    },
  },
  {
    name: "an abort while the end of an answer is awaited ends with `finish: aborted`",
    on: "wire",
    async check(subject) {
      const what = "an abort before the last frame";
      const pieces = await countPieces(subject);
      const controller = new AbortController();
      const iterator = begin(subject, controller.signal);
      const before = await take(iterator, pieces, subject.patience, what);
      const rest = restOf(iterator, subject.patience);
      // Time to read the frames before the last one, such as the finish reason and the usage.
      await pause(20);
      controller.abort();
      const { events, error } = await rest;
      assertAborted({ events, error }, what);
      assertGrammar([...before, ...events], what);
      await subject.released(what);
    },
  },
  {
    name: "an abort while a complete answer is told passes no estimate for a count",
    on: "wire",
    async check(subject) {
      const { tools } = subject.answering().capabilities;
      const calls = tools ? [call("call_a", ["{}"]), call("call_b", ["{}"])] : [];
      const reply = replyOf([text("Let "), text("me "), text("see."), ...calls]);
      const speak = (signal: AbortSignal) => subject.saying(reply).stream(toolRequest, { signal });
      const whole = await eventsOf(subject, speak(new AbortController().signal), "the whole answer");
      for (let count = 1; count < whole.length; count++) {
        const what = `an abort after event ${count} of ${whole.length}`;
        const controller = new AbortController();
        const iterator = iteratorOf(speak(controller.signal));
        const before: ModelEvent[] = [];
        while (before.length < count) {
          const event = await nextOf(iterator, subject.patience, what);
          assert(event !== undefined, `${what}: the stream ended after ${show(before)}.`);
          before.push(event);
        }
        controller.abort();
        const { events, error } = await restOf(iterator, subject.patience);
        assertEqual(error, undefined, `${what}: the error`);
        assertGrammar([...before, ...events], what);
        if (isAborted(events)) assertAborted({ events, error }, what);
        else
          assertEqual([...before, ...events].at(-1), whole.at(-1), `${what}: the last event, as it is not \`aborted\``);
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
        await take(iterator, count, subject.patience, what);
        assert(iterator.return !== undefined, "The iterator of `stream` must have `return`, as a generator has.");
        await within(iterator.return(), subject.patience, `${what}: \`return\` did not resolve`);
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
  silenceCase("after the head of its answer", speakHead),
  silenceCase("in the middle of its answer", async (subject) => {
    const { server, wire } = subject;
    const [first = ""] = wire.answer(plainReply);
    await speakHead(subject);
    await server.exchanges.at(-1)?.write(first.slice(0, first.length / 2));
  }),
];

async function speakHead({ server, head }: WireSubject): Promise<void> {
  const exchange = server.exchanges.at(-1);
  if (exchange) await head(exchange);
}

function silenceCase(when: string, speak: (subject: WireSubject) => Promise<void>): ProviderCase {
  return {
    name: `an abort while the server is silent ${when} ends at once`,
    on: "wire",
    async check(subject) {
      const what = `an abort while the server is silent ${when}`;
      const controller = new AbortController();
      const stream = subject.answeredBy(() => {}).stream(subject.request, { signal: controller.signal });
      const content = readStream(stream, subject.patience);
      await eventually(() => subject.requests() === 1, subject.patience, "The provider made no request");
      await speak(subject);
      // Time to read the bytes that were sent, so that the provider waits for more.
      await pause(20);
      controller.abort();
      assertAborted(await content, what);
      await subject.released(what);
      assertNoListener(controller.signal, what);
    },
  };
}

async function countPieces(subject: Subject): Promise<number> {
  const pieces = await subject.countPieces();
  assert(
    pieces >= 3,
    `Three pieces or more must be yielded as they arrive, before the answer ends; there were ${pieces}.`,
  );
  return pieces;
}

function begin(subject: Subject, signal: AbortSignal): AsyncIterator<ModelEvent> {
  return iteratorOf(subject.answering(true).stream(subject.request, { signal }));
}

/** Reads events until `count` pieces have come. */
async function take(
  iterator: AsyncIterator<ModelEvent>,
  count: number,
  patience: number,
  what: string,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  while (events.filter(isContent).length < count) {
    const event = await nextOf(iterator, patience, what);
    assert(event !== undefined, `${what}: the stream ended after ${show(events)}.`);
    // A generator that never waits would continue for ever.
    assert(events.push(event) < 1_000, `${what}: the stream gave 1,000 events, and only ${count} pieces were wanted.`);
  }
  return events;
}

/** The pieces that one chunk of the wire may hold, and that may still come after an abort. */
const stragglers = 3;

function assertAborted({ events, error }: { events: ModelEvent[]; error?: unknown }, what: string): void {
  assertEqual(error, undefined, `${what}: the error`);
  assert(
    isAborted(events),
    `${what}: the last event must be \`finish\` with reason \`aborted\`, not ${show(events.at(-1))}.`,
  );
  const late = events.filter(isContent).length;
  assert(late <= stragglers, `${what}: ${late} more pieces came after the abort.`);
  const usage = events.find((event) => event.type === "usage");
  assert(!usage || usage.usage.estimated === true, `${what}: the usage must be marked \`estimated\`.`);
}

function isAborted(events: readonly ModelEvent[]): boolean {
  const last = events.at(-1);
  return last?.type === "finish" && last.reason === "aborted";
}

function assertNoListener(signal: AbortSignal, what: string): void {
  assertEqual(getEventListeners(signal, "abort").length, 0, `${what}: the number of listeners left on the signal`);
}
