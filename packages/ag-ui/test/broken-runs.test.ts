import { logOf, recordedConversations } from "@tooling/conversations";
import { describe, expect, it } from "vitest";
import type { AgUiEvent } from "../src/index.ts";
import { type Before, checkRun } from "./support/check-run.ts";
import { faultsOfJudges } from "./support/judge.ts";
import { endingOf, historyOf, runOf, shownItems } from "./support/recorded.ts";

type Events = readonly AgUiEvent[];

function recorded(name: string, show: typeof runOf = runOf): Events {
  const conversation = recordedConversations.find((one) => one.name === name);
  if (!conversation) throw new Error(`No recorded conversation has the name ${name}.`);
  return show(shownItems(conversation.items), endingOf(logOf(conversation)));
}

const good = recorded("one-tool");
const thinking = recorded("two-turns-with-thinking");
const waiting = recorded("approval-open");
const agents = recorded("agent-above");
const history = recorded("one-tool", historyOf);

const without = (events: Events, type: AgUiEvent["type"]): Events => {
  const at = events.findIndex((event) => event.type === type);
  return events.filter((_, index) => index !== at);
};
const doubled = (events: Events, type: AgUiEvent["type"]): Events =>
  events.flatMap((event, index) =>
    event.type === type && index === events.findIndex((one) => one.type === type) ? [event, event] : [event],
  );
/** The first event of a type, with other fields. */
const changed = (events: Events, type: AgUiEvent["type"], fields: object): Events => {
  const at = events.findIndex((event) => event.type === type);
  return events.map((event, index) => (index === at ? ({ ...event, ...fields } as AgUiEvent) : event));
};
const call = (events: Events) => events.find((event) => event.type === "TOOL_CALL_START");
const interrupt = (events: Events) => {
  const last = events.at(-1);
  const outcome = last?.type === "RUN_FINISHED" ? last.outcome : undefined;
  return outcome?.type === "interrupt" ? outcome.interrupts[0] : undefined;
};

/** Which judge finds it, by the beginning of its line. */
const variants: readonly [what: string, finder: string, events: Events, before?: Before][] = [
  ["no RUN_STARTED", "verifyEvents: First event must be", without(good, "RUN_STARTED")],
  ["two RUN_STARTED", "verifyEvents: Cannot send 'RUN_STARTED'", doubled(good, "RUN_STARTED")],
  ["a text without a start", "verifyEvents: Cannot send 'TEXT_MESSAGE_CONTENT'", without(good, "TEXT_MESSAGE_START")],
  ["a text that begins twice", "verifyEvents: Cannot send 'TEXT_MESSAGE_START'", doubled(good, "TEXT_MESSAGE_START")],
  ["a text that ends twice", "verifyEvents: Cannot send 'TEXT_MESSAGE_END'", doubled(good, "TEXT_MESSAGE_END")],
  ["a text without an end", "verifyEvents: Cannot send 'RUN_FINISHED' while text", without(good, "TEXT_MESSAGE_END")],
  ["reasoning without a span", "verifyEvents: Cannot send 'REASONING_END'", without(thinking, "REASONING_START")],
  ["reasoning without an end", "verifyEvents: ", without(thinking, "REASONING_MESSAGE_END")],
  ["a span that never ends", "verifyEvents: ", without(thinking, "REASONING_END")],
  ["arguments without a call", "verifyEvents: Cannot send 'TOOL_CALL_ARGS'", without(good, "TOOL_CALL_START")],
  ["a call that never ends", "verifyEvents: Cannot send 'RUN_FINISHED' while tool", without(good, "TOOL_CALL_END")],
  ["a step that begins twice", "verifyEvents: Step", doubled(good, "STEP_STARTED")],
  ["a step that was not begun", "verifyEvents: Cannot send 'STEP_FINISHED'", without(good, "STEP_STARTED")],
  ["a step that never ends", "verifyEvents: ", without(good, "STEP_FINISHED")],
  ["an agent that begins twice", "verifyEvents: Cannot send 'SUBAGENT_STARTED'", doubled(agents, "SUBAGENT_STARTED")],
  ["an agent that was not begun", "verifyEvents: Cannot send 'SUBAGENT_FINISHED'", without(agents, "SUBAGENT_STARTED")],
  [
    "an agent that never ends",
    "verifyEvents: Cannot send 'RUN_FINISHED' while sub",
    without(agents, "SUBAGENT_FINISHED"),
  ],
  ["events after the end", "verifyEvents: ", [...good, ...good.slice(1, 3)]],
  ["a value of a wrong type", "schema: TEXT_MESSAGE_CONTENT", changed(good, "TEXT_MESSAGE_CONTENT", { delta: 1 })],
  ["a field that is missing", "schema: TOOL_CALL_START", changed(good, "TOOL_CALL_START", { toolCallName: undefined })],
  ["an unknown outcome", "schema: RUN_FINISHED", changed(good, "RUN_FINISHED", { outcome: { type: "done" } })],
  ["a patch that is none", "schema: STATE_DELTA", changed(good, "STATE_DELTA", { delta: [{ op: "set", path: "/x" }] })],
  ["no end", "end: ", good.slice(0, -1)],
  ["two ends", "end: ", [...good, ...good.slice(-1)]],
  [
    "a text left open by an error",
    "open: text",
    [...without(good, "TEXT_MESSAGE_END").slice(0, -1), { type: "RUN_ERROR", message: "It failed." }],
  ],
  ["no event", "empty: ", []],
  ["another run at the end", "ids: ", changed(good, "RUN_FINISHED", { runId: "other" })],
  ["another thread at the end", "ids: ", changed(good, "RUN_FINISHED", { threadId: "other" })],
  ["arguments that are no JSON", "arguments: ", changed(good, "TOOL_CALL_ARGS", { delta: "{{" })],
  ["a result of an unknown call", "unknown: ", changed(good, "TOOL_CALL_RESULT", { toolCallId: "other" })],
  ["a call without a result", "result: ", without(good, "TOOL_CALL_RESULT")],
  ["two results of a call", "result: ", doubled(good, "TOOL_CALL_RESULT")],
  ["an unknown type", "type: ", changed(good, "STATE_DELTA", { type: "THINKING_START" })],
  ["an unknown field", "field: ", changed(good, "TEXT_MESSAGE_END", { text: "all of it" })],
  ["a message id that comes twice", "twice: ", changed(good, "TOOL_CALL_RESULT", { messageId: "user-2" })],
  ["an empty delta", "delta: ", changed(good, "TEXT_MESSAGE_CONTENT", { delta: "" })],
  ["an empty patch", "delta: ", changed(good, "STATE_DELTA", { delta: [] })],
  ["a settled approval that a replay opens again", "reopened: ", waiting, { settled: [interrupt(waiting)?.id ?? ""] }],
  [
    "an approval of a call that has its result",
    "reopened: ",
    [
      ...waiting.slice(0, -1),
      { type: "TOOL_CALL_RESULT", messageId: "m", toolCallId: interrupt(waiting)?.toolCallId ?? "", content: "" },
      ...waiting.slice(-1),
    ],
  ],
  [
    "a call that is announced twice",
    "announced: ",
    [...good.slice(0, -1), ...good.filter(({ type }) => type.startsWith("TOOL_CALL_")), ...good.slice(-1)],
  ],
  ["a call that the client has already", "announced: ", good, { calls: [call(good)?.toolCallId ?? ""] }],
  ["a turn that comes twice", "twice: ", [...good.slice(0, -1), ...good.slice(2)]],
  ["a turn that the client has already", "twice: ", good, { messages: ["user-2"] }],
  ["a turn behind the snapshot that holds it", "twice: ", [...history.slice(0, -1), ...good.slice(2)]],
  [
    "a snapshot with a message twice",
    "twice: ",
    changed(history, "MESSAGES_SNAPSHOT", {
      messages: [
        { id: "m", role: "user", content: "" },
        { id: "m", role: "user", content: "" },
      ],
    }),
  ],
];

describe("a run with one fault", () => {
  it.each([good, thinking, waiting, agents, history].map((events) => [events]))("has none before", async (events) => {
    expect([...(await faultsOfJudges(events)), ...checkRun(events)]).toEqual([]);
  });

  it.each(variants)("is found out: %s", async (_, finder, events, before) => {
    const faults = [...(await faultsOfJudges(events)), ...checkRun(events, before)];
    expect(faults.filter((fault) => fault.startsWith(finder))).not.toEqual([]);
  });
});
