import { formatCalls } from "@cogency/protocol";
import type { ModelEvent } from "@cogency/provider";
import { protocolDriver } from "../../src/drivers/protocol-driver.ts";
import { nativeDriver } from "../../src/native.ts";
import { reactDriver } from "../../src/react.ts";
import { scriptedDriver } from "../../src/scripted.ts";
import {
  type DriverHarness,
  type DriverReply,
  withoutBatches,
  withoutDeltas,
  withoutNative,
  withoutRefusals,
  withoutTextBesideCalls,
} from "../../src/testkit/index.ts";

/** Every driver of the package, and how a model writes for it. A new driver is one more entry. */
export const driverHarnesses: Record<string, () => DriverHarness> = {
  json: () => ({
    driver: ({ callDeltas }) => protocolDriver({ callDeltas }),
    write: (reply) => protocolText(reply, formatCalls(reply.calls ?? [])),
    writeBadly: (reply) => protocolText(reply, formatCalls(reply.calls ?? []).replace("]\n</execute>", "</execute>")),
  }),
  xml: () => ({
    driver: ({ callDeltas }) => protocolDriver({ dialect: "xml", callDeltas }),
    write: (reply) => protocolText(reply, formatCalls(reply.calls ?? [], { dialect: "xml" })),
    writeBadly: (reply) => {
      const block = formatCalls(reply.calls ?? [], { dialect: "xml" });
      return protocolText(reply, block.replace(/<\/\w+>(?=\s*<\/execute>)/, ""));
    },
  }),
  native: () => ({
    driver: ({ callDeltas }) => nativeDriver({ callDeltas }),
    write: (reply) => ({ events: nativeEvents(reply) }),
    writeBadly: (reply) => ({
      events: nativeEvents(reply).map((event) =>
        event.type === "tool_call" ? { ...event, arguments: `${event.arguments} so` } : event,
      ),
    }),
  }),
  react: () => ({
    driver: () => reactDriver(),
    write: (reply) => JSON.stringify(decisionOf(reply)),
    writeBadly: (reply) => JSON.stringify({ ...decisionOf(reply), args: [] }),
    declare: { ...withoutBatches, ...withoutTextBesideCalls, ...withoutDeltas, ...withoutNative },
  }),
  scripted: () => ({
    // The kit's model sends the events; the script says only that there is a step.
    driver: () => scriptedDriver(Array.from({ length: 1_000 }, () => () => "")).driver,
    write: (reply) => ({ events: nativeEvents(reply) }),
    declare: { ...withoutDeltas, ...withoutRefusals },
  }),
};

/** A decision has one call, or words for the user. */
function decisionOf({ thinking: thought, text = "", calls: [call] = [] }: DriverReply): object {
  const decision = call
    ? { type: "call_tool", tool: call.name, args: call.args }
    : { type: "final_answer", answer: text };
  return { ...(thought !== undefined && { thought }), ...decision };
}

function protocolText({ thinking, text = "", calls, isOver }: DriverReply, block: string): string[] {
  const parts = [
    thinking === undefined ? "" : `<think>${thinking}</think>`,
    text,
    calls ? `\n${block}` : "",
    isOver ? "<end>" : "",
  ];
  return parts.filter((part) => part !== "");
}

function nativeEvents({ thinking, text, calls = [] }: DriverReply): ModelEvent[] {
  return [
    ...(thinking === undefined ? [] : [{ type: "reasoning" as const, text: thinking }]),
    ...(text === undefined ? [] : [{ type: "text" as const, text }]),
    ...calls.flatMap(({ name, args }, index): ModelEvent[] => {
      const [id, json] = [`toolu_${index + 1}`, JSON.stringify(args)];
      return [
        { type: "tool_call_delta", index, id, name, arguments: json },
        { type: "tool_call", id, name, arguments: json },
      ];
    }),
  ];
}
