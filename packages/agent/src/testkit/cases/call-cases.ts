import { assert, assertEqual, show } from "@cogency/protocol/testkit";
import type { StepEvent } from "../../drivers/driver.ts";
import type { DriverCase } from "../driver-case.ts";
import type { DriverReply } from "../harness.ts";
import { answer, awkwardCall, fourCalls, oneCall, singleCalls, textAndCall } from "../replies.ts";
import { recut, writtenIn } from "../reply-events.ts";
import { expectStatus, type Played, type Subject } from "../subject.ts";

/** Calls, and the batch that they are. */
export const callCases: DriverCase[] = [
  {
    name: "a call is whole",
    needs: ["calls"],
    proves: "calls",
    check: (subject) => assertWhole(subject, [...singleCalls, awkwardCall]),
  },
  {
    name: "calls are whole and in order",
    needs: ["calls", "batches"],
    proves: "batches",
    check: (subject) => assertWhole(subject, [fourCalls]),
  },
  {
    name: "the text before calls is kept",
    needs: ["calls", "text_beside_calls"],
    proves: "text_beside_calls",
    async check(subject) {
      const { log } = await callsOf(subject, textAndCall);
      const order = log.flatMap((event) => (event.type === "respond" || event.type === "call" ? [event] : []));
      assertEqual(
        order.map(({ type }) => type),
        ["respond", "call", "respond"],
        "the order of text and calls in the log",
      );
      assertEqual(order[0]?.content, textAndCall.text, "the text before the call");
    },
  },
  {
    name: "the ids of calls are the runtime's",
    needs: ["calls"],
    async check(subject) {
      const replies = [...singleCalls, answer].map((reply) => ({ events: subject.write(reply) }));
      const played = await subject.play(replies);
      expectStatus(played, "completed", "calls and an answer");
      const given = played.readings.flatMap((_, nth) => eventsIn(played, nth));
      const own = given.find((event) => event.type === "call" && event.id !== undefined);
      assert(own === undefined, `A call of a driver has no \`id\`: the runtime makes them. It is ${show(own)}.`);
      const ids = played.log.flatMap((event) => (event.type === "call" ? [event.id] : []));
      assertEqual(new Set(ids).size, singleCalls.length, "the number of different ids in the log");
    },
  },
  {
    name: "one execute ends a call, and an answer without calls has none",
    needs: ["calls"],
    check: (subject) => assertOneExecute(subject, oneCall),
  },
  {
    name: "one execute ends the calls of a batch",
    needs: ["calls", "batches"],
    check: (subject) => assertOneExecute(subject, fourCalls),
  },
  {
    name: "after execute come only records, usage and finish",
    needs: ["calls"],
    async check(subject) {
      for (const reply of [oneCall, awkwardCall]) {
        const events = eventsIn(await callsOf(subject, reply), 0);
        const after = events.slice(events.findIndex(({ type }) => type === "execute") + 1);
        const wrong = after.find(({ type }) => type !== "record" && type !== "usage" && type !== "finish");
        assert(wrong === undefined, `After \`execute\` the loop takes no ${show(wrong?.type)}: ${show(wrong)}.`);
      }
    },
  },
  {
    name: "pieces of arguments come before their call, and together are what the model wrote",
    needs: ["calls", "deltas"],
    proves: "deltas",
    check: (subject) => assertPiecesOf(subject, oneCall),
  },
  {
    name: "pieces of arguments say which call of the batch they are of",
    needs: ["calls", "batches", "deltas"],
    check: (subject) => assertPiecesOf(subject, fourCalls),
  },
];

async function assertWhole(subject: Subject, replies: readonly DriverReply[]): Promise<void> {
  for (const reply of replies) {
    const played = await callsOf(subject, reply);
    const calls = reply.calls ?? [];
    assertEqual(
      eventsIn(played, 0).flatMap((event) => (event.type === "call" ? [nameIn(event)] : [])),
      calls.map(({ name }) => name),
      "the names of the calls",
    );
    // Those that run side by side may begin in any order.
    assertEqual(sorted(played.ran), sorted(calls), "the calls that ran, with the arguments that they got");
    assertEqual(played.result.toolErrors, calls.filter(({ name }) => name === "stumble").length, "the failures");
  }
}

async function assertOneExecute(subject: Subject, reply: DriverReply): Promise<void> {
  const played = await callsOf(subject, reply);
  const acts = eventsIn(played, 0).filter(({ type }) => type === "call" || type === "execute");
  const expected = [...(reply.calls ?? []).map(() => "call"), "execute"];
  assertEqual(
    acts.map(({ type }) => type),
    expected,
    "the calls of a reply and `execute`",
  );
  const late = eventsIn(played, 1).find(({ type }) => type === "call" || type === "execute");
  assert(late === undefined, `An answer without calls must give none. It gave ${show(late)}.`);
}

async function assertPiecesOf(subject: Subject, reply: DriverReply): Promise<void> {
  const written = subject.write(reply);
  for (const size of [1, 5, Number.POSITIVE_INFINITY]) {
    const driver = subject.driver({ callDeltas: true });
    const replies = [{ events: recut(written, size) }, { events: subject.write(answer) }];
    const played = await subject.play(replies, { driver });
    expectStatus(played, "completed", "calls in pieces");
    assertPieces(eventsIn(played, 0), reply.calls ?? [], writtenIn(written));
    const shown = played.events.flatMap((event) => (event.type === "call_delta" ? [event] : []));
    const ids = played.log.flatMap((event) => (event.type === "call" ? [event.id] : []));
    assert(
      shown.every(({ id, index }) => id === ids[index]),
      "The `index` of a piece must be the number of its call in the batch, from 0.",
    );
  }
}

function assertPieces(events: readonly StepEvent[], calls: NonNullable<DriverReply["calls"]>, written: string): void {
  for (const [index, { name, args }] of calls.entries()) {
    const places = events.flatMap((event, place) =>
      event.type === "call_delta" && event.index === index ? [place] : [],
    );
    assert(
      places.length > 0 || Object.keys(args).length === 0,
      `There is no \`call_delta\` of call ${index}. If the driver gives none, declare the case.`,
    );
    const own = events.flatMap((event, place) => (event.type === "call" ? [place] : []))[index] ?? -1;
    assert((places.at(-1) ?? -1) < own, `A piece of call ${index} came after the call.`);
    const pieces = places.map((place) => events[place]).filter((event) => event?.type === "call_delta");
    const joined = pieces.map(({ content }) => content).join("");
    assert(
      written.includes(joined),
      `The pieces of call ${index}, joined, are ${show(joined)}. The model has not written that.`,
    );
    const missing = Object.values(args).find((value) => !joined.includes(String(value)));
    assert(missing === undefined, `The pieces of call ${index} lack the argument ${show(missing)}: ${show(joined)}.`);
    const names = [...new Set(pieces.flatMap((piece) => piece.name ?? []))];
    assert(names.length === 0 || names.join() === name, `The pieces of call ${index} have the name ${show(names)}.`);
  }
}

async function callsOf(subject: Subject, reply: DriverReply): Promise<Played> {
  const played = await subject.play([{ events: subject.write(reply) }, { events: subject.write(answer) }]);
  expectStatus(played, "completed", "calls and an answer");
  assertEqual(played.result.text, answer.text, "the answer after the calls");
  return played;
}

/** What one reading gave, in order. */
function eventsIn({ readings }: Played, nth: number): StepEvent[] {
  return (readings[nth]?.given ?? []).flatMap(({ events }) => events);
}

function nameIn({ content }: { content: string }): unknown {
  return (JSON.parse(content) as { name?: unknown }).name;
}

function sorted(calls: readonly { name: string; args: object }[]): string[] {
  return calls.map(({ name, args }) => JSON.stringify([name, args])).toSorted();
}
