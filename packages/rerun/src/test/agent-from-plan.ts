import { type Agent, createAgent, protocolDriver } from "@cogency/agent";
import { nativeDriver } from "@cogency/agent/native";
import { reactDriver } from "@cogency/agent/react";
import type { PlayParts } from "../play/play-parts.ts";
import type { AgentPlan, TestPlan } from "./test-plan.ts";

/** The agent that the source of a test makes. */
export function agentFromPlan(
  { instructions, tools, request, budget, condenses, reactOutput }: AgentPlan,
  writes: TestPlan["writes"],
  { record, ...parts }: PlayParts,
): Agent {
  const drivers = {
    json: () => ({}),
    scripted: () => ({}),
    xml: () => ({ driver: protocolDriver({ dialect: "xml" }) }),
    native: () => ({ driver: nativeDriver() }),
    react: () => ({ driver: reactDriver(reactOutput ? { output: reactOutput } : {}) }),
  };
  return createAgent({
    ...parts,
    ...drivers[writes](),
    ...(instructions !== "" && { instructions }),
    ...(request && { request }),
    ...(condenses && { history: record.history }),
    ...(budget && { budget }),
    tools: tools.map(record.tool),
  });
}
