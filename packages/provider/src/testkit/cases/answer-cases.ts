import type { FinishReason, Usage } from "@cogency/protocol";
import { assert, assertEqual, show, within } from "@cogency/protocol/testkit";
import { generate } from "../../generate.ts";
import type { ModelEvent } from "../../provider.ts";
import type { ModelReply } from "../harness.ts";
import type { ProviderCase } from "../provider-case.ts";
import {
  awkwardReply,
  call,
  plainReply,
  reasoning,
  replyOf,
  sampleUsage,
  text,
  textIn,
  toolRequest,
  unicodeReply,
} from "../samples.ts";
import { isContent, readStream, textOf } from "../stream-content.ts";
import { eventsOf, isWire, type Subject } from "../subject.ts";

const usages: readonly { what: string; usage: Partial<Usage> }[] = [
  { what: "input and output", usage: {} },
  { what: "cache reads, which are no part of input", usage: { cacheRead: 500 } },
  { what: "cache writes, which are no part of input", usage: { cacheWrite: 300 } },
  { what: "reasoning, which is part of output", usage: { output: 70, reasoning: 63 } },
];

/** The events of an answer. */
export const answerCases: ProviderCase[] = [
  {
    name: "the provider says who it is and what it can",
    on: "any",
    async check(subject) {
      const { name, model, capabilities, connect } = subject.answering();
      assert(typeof name === "string" && name !== "", "`name` must be a string that is not empty.");
      assert(typeof model === "string" && model !== "", "`model` must be a string that is not empty.");
      assert(typeof capabilities === "object" && capabilities !== null, "`capabilities` must be an object.");
      for (const capability of ["tools", "session", "reasoning", "format"] as const) {
        assertEqual(typeof capabilities[capability], "boolean", `the type of capabilities.${capability}`);
      }
      assertEqual(connect !== undefined, capabilities.session, "`connect` is there, as capabilities.session says");
    },
  },
  {
    name: "an answer is pieces, then usage at most once, then one finish",
    on: "any",
    async check(subject) {
      const events = await eventsOf(subject, subject.answering().stream(subject.request), "a plain answer");
      assert(events.filter(({ type }) => type === "text").length >= 3, "The answer must come in three pieces or more.");
      const last = events.at(-1);
      assert(
        last?.type === "finish" && last.reason !== "aborted",
        "The last event must be `finish`, and its reason must not be `aborted`.",
      );
    },
  },
  {
    name: "every piece of text, reasoning and arguments is a string",
    on: "any",
    async check(subject) {
      const streams = [subject.answering().stream(subject.request)];
      if (isWire(subject)) {
        const { tools, reasoning: thinks } = subject.answering().capabilities;
        const thoughts = thinks ? [reasoning(""), reasoning("Hm. ")] : [];
        const calls = tools ? [call("call_a", ["", "{", "", "}"]), call("call_b", [])] : [];
        // Servers send empty pieces, and some omit empty text.
        const reply = replyOf([...thoughts, text(""), text("Well."), text(""), ...calls]);
        streams.push(subject.saying(reply).stream(tools ? toolRequest : subject.request));
      }
      for (const stream of streams) {
        const { events, error } = await readStream(stream, subject.patience);
        assertEqual(error, undefined, "the error");
        for (const event of events) {
          if (!isContent(event)) continue;
          const piece: unknown = "text" in event ? event.text : "arguments" in event ? event.arguments : undefined;
          assert(typeof piece === "string", `A piece must be a string, even if the server sends none: ${show(event)}.`);
        }
      }
    },
  },
  {
    name: "generate gives what the stream gives, joined",
    on: "any",
    async check(subject) {
      const streamed = await eventsOf(subject, subject.answering().stream(subject.request), "the stream");
      const work = generate(subject.answering(), subject.request);
      const generated = await within(work, subject.patience, "`generate` returned nothing");
      assertEqual(joined(generated), joined(streamed), "the events of `generate`");
    },
  },
  {
    name: "text arrives exactly and in order",
    on: "any",
    needs: ["reply"],
    async check(subject) {
      for (const reply of [plainReply, unicodeReply, awkwardReply]) await assertSays(subject, reply);
    },
  },
  {
    name: "an answer without text has no text",
    on: "any",
    needs: ["reply"],
    async check(subject) {
      await assertSays(subject, replyOf([]));
    },
  },
  {
    name: "reasoning is kept apart from text",
    on: "any",
    needs: ["reply", "reasoning"],
    async check(subject) {
      const reply = replyOf([reasoning("Is it "), reasoning("morning?\n"), text("Good "), text("morning.")]);
      await assertSays(subject, reply);
    },
  },
  ...(["stop", "length", "content_filter"] as const).map(finishCase),
  ...usages.map(usageCase),
];

function finishCase(finish: FinishReason): ProviderCase {
  return {
    name: `the answer's end is told: ${finish}`,
    on: "any",
    needs: ["reply"],
    async check(subject) {
      const events = await assertSays(subject, { ...plainReply, finish });
      const last = events.at(-1);
      assert(last?.type === "finish", "The last event must be `finish`.");
      assertEqual(last.reason, finish, "the reason of `finish`");
      if (isWire(subject)) assert(!!last.raw, "`finish.raw` must hold the server's own word.");
    },
  };
}

function usageCase({ what, usage }: (typeof usages)[number]): ProviderCase {
  return {
    name: `usage is exact: ${what}`,
    on: "any",
    needs: ["reply"],
    async check(subject) {
      const expected = { ...sampleUsage, ...usage };
      const events = await eventsOf(
        subject,
        subject.saying({ ...plainReply, usage: expected }).stream(subject.request),
        "the answer",
      );
      const reported = events.find((event) => event.type === "usage");
      assertEqual(reported?.usage, expected, "usage");
    },
  };
}

async function assertSays(subject: Subject, reply: ModelReply): Promise<ModelEvent[]> {
  const events = await eventsOf(subject, subject.saying(reply).stream(subject.request), "the answer");
  assertEqual(textOf(events), textIn(reply), "the text");
  const content = joined(events).filter(({ type }) => type === "text" || type === "reasoning");
  assertEqual(content, joined(partsOf(reply)), "text and reasoning in their order");
  return events;
}

function partsOf({ parts }: ModelReply): ModelEvent[] {
  return parts.flatMap((part): ModelEvent[] => (part.type === "call" ? [] : [part]));
}

/** Without deltas, which `generate` may leave out, and with adjacent pieces of a type joined. */
function joined(events: readonly ModelEvent[]): ModelEvent[] {
  const all: ModelEvent[] = [];
  for (const event of events) {
    const last = all.at(-1);
    if (event.type === "tool_call_delta") continue;
    if (event.type === "text" && last?.type === "text") last.text += event.text;
    else if (event.type === "reasoning" && last?.type === "reasoning") last.text += event.text;
    else all.push({ ...event });
  }
  return all.filter((event) => !("text" in event) || event.text !== "");
}
