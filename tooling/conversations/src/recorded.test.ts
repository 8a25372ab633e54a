import { type LogEvent, logEventProblem, type RecordKind, type UserEvent } from "@cogency/protocol";
import type { Piece } from "@cogency/protocol/parts";
import { describe, expect, it } from "vitest";
import { logOf, recordedConversations } from "./index.ts";
import { scenes } from "./scenes/index.ts";
import { shapesOf } from "./shapes.ts";

// The compiler asks for each new one here; the test asks for a conversation with it.
const types: Record<Exclude<LogEvent["type"], "record">, true> = {
  user: true,
  think: true,
  call: true,
  result: true,
  respond: true,
  cancelled: true,
};
const origins: Record<NonNullable<UserEvent["origin"]>, true> = {
  nudge: true,
  notice: true,
  recovery: true,
  untrusted: true,
};
const pieces: Record<Piece["type"], true> = { text: true, thinking: true, args: true, progress: true };
const kinds: Record<RecordKind, true> = {
  rejected: true,
  origin: true,
  fork: true,
  content: true,
  approval: true,
  question: true,
  answer: true,
  message: true,
  request: true,
  started: true,
  not_done: true,
  finished: true,
  native: true,
  tools_found: true,
  source_tools: true,
  client_tools: true,
  summary: true,
  trace: true,
  object: true,
  notice: true,
  child: true,
  parent: true,
  title: true,
  point: true,
  usage: true,
  run: true,
};
const shapes = new Set(recordedConversations.flatMap(shapesOf));

describe("the recorded conversations", () => {
  it("are those of the scenes, at least twenty", () => {
    expect(recordedConversations.map(({ name, about }) => ({ name, about }))).toEqual(
      scenes.map(({ name, about }) => ({ name, about })).sort((one, other) => (one.name < other.name ? -1 : 1)),
    );
    expect(recordedConversations.length).toBeGreaterThanOrEqual(20);
  });

  it.each(Object.keys(types))("hold events of the type %s", (type) => expect(shapes).toContain(type));
  it.each(Object.keys(origins))("hold words of the origin %s", (origin) => expect(shapes).toContain(`user ${origin}`));
  it.each(Object.keys(pieces))("hold pieces of the type %s", (type) => expect(shapes).toContain(`piece ${type}`));

  it.each(Object.keys(kinds))("hold records of the kind %s", (kind) => expect(shapes).toContain(`record ${kind}`));

  it.each(["protocol", "native", "react", "scripted"])("hold requests of the driver %s", (driver) => {
    expect(shapes).toContain(`driver ${driver}`);
  });
});

describe.each(recordedConversations)("$name", (conversation) => {
  const log = logOf(conversation);

  it("is a whole log of events that a store takes", () => {
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
    expect(log.map(logEventProblem)).toEqual(log.map(() => undefined));
  });

  it("has pieces after the events that were stored when they were sent, and before the event that replaces them", () => {
    let seen = 0;
    for (const item of conversation.items) {
      if (item.type === "event") seen = item.event.seq;
      else expect(item.pieces.map(({ seq }) => seq).filter((seq) => seq > seen)).toEqual([]);
    }
  });
});

describe("each conversation", () => {
  it.each<[name: string, ...holds: string[]]>([
    ["one-answer", "user", "respond", "piece text", "run completed"],
    ["two-turns-with-thinking", "think", "piece thinking", "respond"],
    ["attachments", "prompt with attachments", "result with attachments"],
    ["object", "record object", "user nudge"],
    ["steered", "message steer"],
    ["titled-in-a-run", "message prompt", "message title", "record title"],
    ["one-tool", "piece args", "piece progress", "call", "result"],
    ["parallel-tools-one-fails", "batch of 3", "result success", "result failure"],
    ["wrong-arguments", "batch of 2", "result failure"],
    ["plan-and-title", "call plan", "record title"],
    ["refused-block", "record rejected", "run completed"],
    ["stopped-by-a-budget", "run stopped"],
    ["approval-approved", "message approve", "approval approved", "result success"],
    ["approval-denied", "message deny", "approval denied", "result failure"],
    ["approval-open", "call weather", "call refund", "asks approval", "open question"],
    ["tool-asks-a-person", "asks answer", "message answer", "record answer"],
    ["answered-at-once", "approval approved", "record answer"],
    ["client-tool-answered", "record client_tools", "asks the client", "record answer", "result success"],
    ["client-tool-open", "record client_tools", "asks the client", "open question", "call weather", "call add"],
    ["client-tool-error", "record client_tools", "asks the client", "record answer", "result failure"],
    ["native-driver", "driver native", "record native", "piece thinking", "piece args"],
    ["native-driver-refused", "record rejected", "piece args"],
    ["react-driver", "driver react", "think", "call", "respond"],
    ["xml-dialect", "driver protocol", "batch of 2", "arguments as tags"],
    ["scripted-driver", "driver scripted"],
    ["compaction", "record summary"],
    ["fork", "record fork"],
    ["tools-found", "record tools_found", "call find_tools"],
    ["notices-from-outside", "user notice", "notice of sources", "merged notices", "record content"],
    ["named-point", "message point", "record point"],
    ["untrusted-and-changed-tools", "user untrusted", "record content", "record source_tools"],
    ["traced", "record trace"],
    ["failed-and-tried-again", "record notice", "run completed"],
    ["parked", "notice parked"],
    ["failed", "record rejected", "no run"],
    ["broken-off", "user recovery", "run completed"],
    ["cancelled-in-a-text", "cancelled", "message cancel", "respond"],
    ["cancelled-in-a-call", "cancelled", "result failure"],
    ["cancelled-while-it-waits", "asks approval", "cancelled", "run completed"],
    ["killed-in-a-batch", "record not_done", "result failure", "batch of 3", "run completed"],
    ["agent-above", "record child", "question of an agent", "approval approved"],
    ["agent-below", "record parent"],
  ])("%s holds what its name says", (name, ...holds) => {
    const conversation = recordedConversations.find((one) => one.name === name);
    expect(conversation && shapesOf(conversation)).toEqual(expect.arrayContaining(holds));
  });
});
