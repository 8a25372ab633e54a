import type { PlanEntry, SessionUpdate } from "@agentclientprotocol/sdk";
import type { Json, JsonObject } from "@cogency/protocol";
import { visibleLine } from "./visible-text.ts";

/** The plan that a call has written, or that a person has accepted; undefined for any other call. Both tools are those of `@cogency/plan`. */
export function planUpdate(
  name: string,
  args: JsonObject | undefined,
  result: Json | undefined,
): SessionUpdate | undefined {
  const { steps } = args ?? {};
  if (!Array.isArray(steps)) return undefined;
  if (name === "plan") return { sessionUpdate: "plan", entries: steps.flatMap(entryOf) };
  const isAccepted = typeof result === "object" && result !== null && "accepted" in result && result.accepted === true;
  if (name !== "present_plan" || !isAccepted || steps.length === 0) return undefined;
  return { sessionUpdate: "plan", entries: steps.flatMap((step) => entryOf({ step, state: "open" })) };
}

/** A step that was dropped is no part of the plan any more. */
function entryOf(value: Json): PlanEntry[] {
  const { step, state } = (typeof value === "object" && value !== null ? value : {}) as JsonObject;
  const status = states.get(state);
  if (typeof step !== "string" || !status) return [];
  return [{ content: visibleLine(step, 1000), priority: "medium", status }];
}

const states: ReadonlyMap<Json | undefined, PlanEntry["status"]> = new Map([
  ["open", "pending"],
  ["now", "in_progress"],
  ["done", "completed"],
] as const);
