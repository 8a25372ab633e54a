import { getEventListeners } from "node:events";
import { setImmediate as nextTick } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { assert, assertEqual, eventually, pause } from "@cogency/protocol/testkit";
import type { ProviderCase } from "../provider-case.ts";
import { call, plainReply, replyOf, text, textIn } from "../samples.ts";
import { iteratorOf, nextOf, readStream, restOf, textOf } from "../stream-content.ts";
import { eventsOf, type WireSubject } from "../subject.ts";

const mebibyte = 2 ** 20;

/** The connections and timers that an HTTP client may keep for the next request. */
const fewConnections = 8;
const fewTimers = 8;

/** Many streams, and long ones. */
export const loadCases: ProviderCase[] = [
  {
    name: "a consumer that stalls makes the server wait, and gets everything when it goes on",
    on: "wire",
    async check(subject) {
      const piece = `${"word ".repeat(6_553)}\n`;
      // Somewhat more than the server may be able to write while nobody reads.
      const count = 576;
      const frames = subject.wire.answer(replyOf(Array.from({ length: count }, () => text(piece))));
      const most = 2 * count * piece.length;
      // Some wires repeat the whole text in the last event.
      const limits = { answerCharacters: most, eventBytes: most };
      const provider = subject.answeredBy(subject.pieces(frames), { limits });
      const iterator = iteratorOf(provider.stream(subject.request));
      let received = 0;
      while (received < 2 * piece.length) {
        const event = await nextOf(iterator, subject.patience, "before the stall");
        assert(event !== undefined, "The stream ended after its beginning.");
        received += textOf([event]).length;
      }
      const before = memory();
      const accepted = await standstill(subject);
      assert(
        accepted < 16 * mebibyte,
        `While nobody read, the server could write ${Math.round(accepted / mebibyte)} MiB; the provider must make it wait.`,
      );
      const grown = memory() - before;
      assert(grown < 24 * mebibyte, `While nobody read, memory grew by ${Math.round(grown / mebibyte)} MiB.`);

      const { events, error } = await restOf(iterator, subject.patience);
      assertEqual(error, undefined, "the error after the stall");
      assertEqual(received + textOf(events).length, count * piece.length, "the characters that arrived");
    },
  },
  {
    name: "ten streams at once do not mix",
    on: "wire",
    async check(subject) {
      const voices = Array.from({ length: 10 }, (_, index) => `voice-${index}-`);
      // Of different lengths, so that some end while others continue.
      const { tools } = subject.answering().capabilities;
      const replyTo = (voice: string) =>
        replyOf([
          ...Array.from({ length: 4 + voices.indexOf(voice) }, (_, word) => text(`${voice}${word} `)),
          ...(tools ? [call(`call_${voice}`, [JSON.stringify({ topic: voice })])] : []),
        ]);
      const together = meeting(voices.length);
      subject.server.respond(async (exchange) => {
        await together();
        const voice = voices.find((name) => exchange.request.body.includes(name)) ?? "";
        await subject.pieces(subject.wire.answer(replyTo(voice)))(exchange);
      });
      const provider = subject.provider();
      const answers = voices.map(async (voice) => {
        const request = { ...subject.request, messages: [{ role: "user" as const, content: voice }] };
        const events = await eventsOf(subject, provider.stream(request), `the stream of ${voice}`);
        const calls = events.flatMap((event) => (event.type === "tool_call" ? [JSON.parse(event.arguments)] : []));
        return { text: textOf(events), calls };
      });
      assertEqual(
        await Promise.all(answers),
        voices.map((voice) => ({ text: textIn(replyTo(voice)), calls: tools ? [{ topic: voice }] : [] })),
        "the answers to the voices",
      );
    },
  },
  {
    name: "a stream uses the connection of one that has ended",
    on: "wire",
    async check(subject) {
      const times = 10;
      const provider = subject.answering();
      for (let time = 0; time < times; time++) {
        await eventsOf(subject, provider.stream(subject.request), "the answer");
      }
      const made = subject.server.connectionsMade;
      assert(
        made < times,
        `${times} streams, one after another, made ${made} connections. Read a body to its end after the last frame: cancelling it earlier closes its connection.`,
      );
    },
  },
  {
    name: "1,000 streams one after another leave no connection, timer, listener or memory behind",
    on: "wire",
    async check(subject) {
      const provider = subject.answering();
      const { signal } = new AbortController();
      const frames = [subject.wire.answer(plainReply).join("")];
      subject.server.respond(subject.pieces(frames));
      const speak = async (times: number) => {
        for (let time = 0; time < times; time++) {
          const { events, error } = await readStream(provider.stream(subject.request, { signal }), subject.patience);
          assertEqual(error, undefined, "the error");
          assertEqual(textOf(events), textIn(plainReply), "the text");
          subject.server.forget();
        }
      };

      await speak(100);
      const [timers, before] = [countTimers(), await memoryAfterCollection()];
      await speak(900);
      const isReleased = () => subject.server.connections <= fewConnections && countTimers() <= timers + fewTimers;
      await eventually(isReleased, subject.patience, "Connections and timers were not released").catch(() => {
        const { connections } = subject.server;
        throw new Error(`1,000 streams left ${connections} connections and ${countTimers() - timers} timers.`);
      });
      assertEqual(getEventListeners(signal, "abort").length, 0, "the number of listeners left on the signal");
      const grown = (await memoryAfterCollection()) - before;
      assert(grown < 8 * mebibyte, `Memory grew by ${Math.round(grown / 1024)} KiB over 900 streams.`);
    },
  },
];

/** Waits until the server cannot write more. Resolves to the number of bytes that it has written. */
async function standstill({ server, patience }: WireSubject): Promise<number> {
  const accepted = () => server.exchanges.at(-1)?.accepted ?? 0;
  const end = performance.now() + patience;
  for (let last = -1; last !== accepted(); ) {
    assert(performance.now() < end, "The server could write without end while nobody read.");
    last = accepted();
    await pause(300);
  }
  return accepted();
}

/** Each call waits until `size` calls have been made. */
function meeting(size: number): () => Promise<void> {
  let missing = size;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    missing--;
    if (missing === 0) open();
    return opened;
  };
}

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
}

/** The memory in use after garbage collection. */
async function memoryAfterCollection(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // A finished stream releases its memory in the next rounds of the event loop.
  for (let round = 0; round < 3; round++) {
    await nextTick();
    collect();
  }
  return memory();
}

function memory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
