import { assert, assertEqual, show } from "@cogency/protocol/testkit";
import { ProviderError } from "@cogency/provider";
import type { DriverCase } from "../driver-case.ts";
import type { DriverReply } from "../harness.ts";
import { answer, fourCalls, oneCall, plainAnswer } from "../replies.ts";
import { recut } from "../reply-events.ts";
import { expectStatus, type Played, type Subject, unitsOf } from "../subject.ts";

/** Answers that are not whole, and blocks that are not valid. */
export const endingCases: DriverCase[] = [
  {
    name: "an aborted answer keeps its text",
    async check(subject) {
      const played = await abortedAfter(subject, subject.write(plainAnswer));
      expectStatus(played, "stopped", "an aborted answer");
      assertEqual(played.result.text, plainAnswer.text, "the text of the run");
      assertEqual(unitsOf(played.log), [{ type: "respond", content: plainAnswer.text }], "the units of the log");
    },
  },
  {
    name: "an aborted answer gives no calls, wherever it ends",
    needs: ["calls"],
    async check(subject) {
      await atEveryPiece(subject, async (events, what) => {
        const played = await abortedAfter(subject, events);
        if (hasClosedItsCalls(played)) return false;
        expectStatus(played, "stopped", what);
        assertNothingRan(played, what);
        return true;
      });
    },
  },
  {
    name: "an answer that breaks off keeps its text, and fails the run with the code provider",
    async check(subject) {
      const played = await brokenOff(subject, subject.write(plainAnswer));
      assertProviderFailure(played, "an answer that breaks off");
      assertEqual(played.result.text, plainAnswer.text, "the text of the run");
      assertEqual(unitsOf(played.log), [{ type: "respond", content: plainAnswer.text }], "the units of the log");
    },
  },
  {
    name: "an answer that breaks off runs no calls, wherever it ends",
    needs: ["calls"],
    async check(subject) {
      await atEveryPiece(subject, async (events, what) => {
        const played = await brokenOff(subject, events);
        if (hasClosedItsCalls(played)) return false;
        assertProviderFailure(played, what);
        assertNothingRan(played, what);
        return true;
      });
    },
  },
  {
    name: "calls of an answer that was cut off at its limit do not run before they are complete",
    needs: ["calls"],
    async check(subject) {
      const last = { events: subject.write(answer) };
      // Who writes one call at a time cannot have wanted more.
      const writesOne = Object.hasOwn(subject.declared, "calls are whole and in order");
      await atEveryPiece(subject, async (events, what, isWhole) => {
        if (isWhole && writesOne) return false;
        const played = await subject.play([{ events, finish: "length" }, last]);
        if (hasClosedItsCalls(played)) return false;
        expectStatus(played, "completed", what);
        assertNothingRan(played, what);
        return true;
      });
    },
  },
  {
    name: "a refused block runs nothing, and the model reads why",
    needs: ["calls", "refusals"],
    proves: "refusals",
    check: (subject) => assertRefused(subject, oneCall),
  },
  {
    name: "a refused block of several calls runs none of them",
    needs: ["calls", "batches", "refusals"],
    check: (subject) => assertRefused(subject, fourCalls),
  },
  {
    name: "an empty answer is none",
    async check(subject) {
      const played = await subject.play([{ events: [] }, { events: subject.write(answer) }]);
      expectStatus(played, "completed", "an empty answer and a whole one");
      assertEqual(played.result.text, answer.text, "the text for the user");
    },
  },
];

async function assertRefused(subject: Subject, reply: DriverReply): Promise<void> {
  const played = await subject.play([{ events: subject.writeBadly(reply) }, { events: subject.write(answer) }]);
  expectStatus(played, "completed", "a refused block and an answer");
  assertEqual(played.ran, [], "the calls that ran");
  assertSaysWhy(played);
}

/** Checks the answer cut after each of its pieces. The check returns false where the calls are complete already. */
async function atEveryPiece(
  subject: Subject,
  check: (events: ReturnType<Subject["write"]>, what: string, isWhole: boolean) => Promise<boolean>,
): Promise<void> {
  const events = recut(subject.write(oneCall), 9);
  let checked = 0;
  for (let pieces = 1; pieces <= events.length; pieces++) {
    const what = `an answer of ${pieces} of ${events.length} pieces`;
    if (await check(events.slice(0, pieces), what, pieces === events.length)) checked++;
  }
  assert(checked > 0, "The calls of every beginning of the answer ran: nothing says when they are complete.");
}

function abortedAfter(subject: Subject, events: ReturnType<Subject["write"]>): Promise<Played> {
  const controller = new AbortController();
  return subject.play([{ events, hang: true }], {
    signal: controller.signal,
    after: [events.length, () => controller.abort()],
  });
}

function brokenOff(subject: Subject, events: ReturnType<Subject["write"]>): Promise<Played> {
  return subject.play([{ events, error: new ProviderError("cut_stream", "The connection was closed.") }]);
}

/** Whether `execute` came while the model wrote: then the batch is complete, and what comes later costs nothing. */
function hasClosedItsCalls({ readings }: Played): boolean {
  const [first] = readings;
  return (
    first?.given.some(({ by, events }) => by === "write" && events.some(({ type }) => type === "execute")) ?? false
  );
}

function assertProviderFailure(played: Played, what: string): void {
  expectStatus(played, "failed", what);
  assertEqual(played.result.error?.code, "provider", `${what}: the code of the failure`);
}

function assertNothingRan({ ran, log, readings }: Played, what: string): void {
  assertEqual(ran, [], `${what}: the calls that ran`);
  const given = readings[0]?.given.flatMap(({ events }) => events) ?? [];
  assert(!given.some(({ type }) => type === "execute"), `${what}: there must be no \`execute\`.`);
  const call = log.find(({ type }) => type === "call");
  assert(call === undefined, `${what}: the log must hold none of its calls. It holds ${show(call)}.`);
}

/** In the next step, or in the same one if the driver asks once more. */
function assertSaysWhy({ readings, requests, log }: Played): void {
  const [first, second] = requests;
  const before = JSON.stringify(first?.messages);
  const after = JSON.stringify(second?.messages);
  if (readings[0]?.end?.next) {
    assert(after !== before, "The second request of the step must say what was wrong with the first answer.");
    return;
  }
  const refused = (readings[0]?.given ?? []).flatMap(({ events }) => events).find(({ type }) => type === "refused");
  assert(refused?.type === "refused", "The reading must give `refused`.");
  const { code, content } = refused.error;
  assert(code !== "" && content !== "", "`refused.error` must have a code, and a sentence that the model can act on.");
  const record = log.find((event) => event.type === "record" && event.kind === "rejected");
  assert(record !== undefined, "The log must hold the refusal.");
  // Without its marks and quotes, which a form may escape.
  const isSaid = content.split(/[^\w ]+/).every((words) => after?.includes(words));
  assert(isSaid, `The next request must say why: ${show(content)}. Its messages are ${after}`);
  assert(readings[0]?.end?.asWritten === false, "The log does not hold a refused block, so `asWritten` must be false.");
}
