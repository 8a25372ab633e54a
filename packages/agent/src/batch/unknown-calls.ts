import { callOf, type JsonObject, type ToolCall } from "@cogency/protocol";
import type { ToolExecution } from "@cogency/tools";
import type { OpenCalls } from "./open-calls.ts";

/** A call that may have taken effect: nobody knows. */
export interface UnknownCall {
  readonly id: string;
  readonly name: string;
  /** The arguments with which it ran, as the log holds them. */
  readonly args: JsonObject;
}

/** The calls of a run that may have taken effect, by their ids. */
export type UnknownCalls = Map<string, UnknownCall>;

/** Notes the calls that have ended: those whose bodies did not end when they were told to, or that a crash broke off. */
export function noteExecutions(unknown: UnknownCalls, executions: readonly ToolExecution[]): void {
  for (const { settled, id, call } of executions) {
    if (settled) unknown.delete(id);
    else unknown.set(id, { id, name: call.name, args: call.args });
  }
}

/** Notes the open calls that had begun, and of whose end nothing is known. */
export function noteOpen(unknown: UnknownCalls, open: OpenCalls): void {
  for (const [index, { id }] of open.calls.entries()) {
    if (!open.started.has(id) || open.finished.has(id)) continue;
    const { name = open.results[index]?.tool ?? "", args = {} } = ranCall(open, index) ?? {};
    unknown.set(id, { id, name, args });
  }
}

/** The open call as it ran, or is to run. Undefined if its text is not a call. */
export function ranCall({ calls, started }: OpenCalls, index: number): ToolCall | undefined {
  const stored = calls[index];
  return stored && callIn({ ...stored, content: started.get(stored.id) ?? stored.content });
}

/** The stored call; undefined if the text is not a call. Then it cannot run, and its result is a failure. */
export function callIn(stored: { content: string; id?: string }): ToolCall | undefined {
  try {
    return callOf(stored);
  } catch {
    return undefined;
  }
}
