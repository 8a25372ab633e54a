import { countWork } from "@tooling/vitest/count-work";
import { describe, expect, it } from "vitest";
import type { MessageForm } from "../message.ts";
import type { NumberedEvent } from "./numbered-event.ts";
import { whyCall } from "./why-call.ts";
import { whyRequest } from "./why-request.ts";

/** A log of this many events: steps with a call each, a request before every hundredth step and two at the end, and some summaries. */
function longLog(count: number, form: MessageForm): NumberedEvent[] {
  const events: object[] = [{ type: "user", content: "Read all that there is in the harbour" }];
  for (let i = 0; events.length < count - 3; i++) {
    if (i % 100 === 0) events.push(request(form));
    if (i % 100 === 50)
      events.push({ type: "record", kind: "summary", data: { upTo: 1, text: `The words until ${i}.` } });
    const content = `{"name":"read","args":{"file":"harbour-${i}.txt"}}`;
    const results = `[{"tool":"read","status":"success","content":"The harbour ${i + 1} is in harbour-${i + 1}.txt"}]`;
    events.push({ type: "call", id: `c${i}`, content }, { type: "record", kind: "started", data: { id: `c${i}` } });
    events.push({ type: "result", content: results, ids: [`c${i}`], payload: {} });
  }
  const written = JSON.stringify({ name: "write", args: { text: "The harbour 7 is in harbour-7.txt, said nobody." } });
  events.push(request(form), request(form), { type: "call", id: "last", content: written });
  return events.map((event, i) => ({ timestamp: i, ...event, seq: i + 1 })) as unknown as NumberedEvent[];
}

function request(form: MessageForm): object {
  const messages = { form, count: 0, again: 0, hash: "" };
  const hashes = { system: "s" };
  const data = { driver: "d", provider: "p", model: "m", settings: {}, messages, hashes, system: "Be brief." };
  return { type: "record", kind: "request", data };
}

describe("a log of 20,000 events is at most twelve times the work of one of 2,000", () => {
  it.each<[what: string, why: (log: readonly NumberedEvent[]) => unknown]>([
    ["whyRequest", (log) => whyRequest(log, (log.at(-2) as NumberedEvent).seq)],
    ["whyCall by an id", (log) => whyCall(log, "last")],
    ["whyCall by a number", (log) => whyCall(log, (log.at(-1) as NumberedEvent).seq)],
  ])("for %s", (_, why) => {
    const [one, ten] = [2000, 20_000].map((count) => {
      const log = longLog(count, "native");
      return countWork(() => expect(why(log)).toBeDefined());
    }) as [number, number];
    expect(ten / one).toBeLessThan(12);
    expect(one).toBeGreaterThan(2000);
  });
});
