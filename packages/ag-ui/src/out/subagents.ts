import type { SubagentFinishedOutcome } from "@ag-ui/core";
import type { QuestionPart } from "@cogency/protocol/parts";
import type { Change } from "@cogency/server/bridge";
import type { AgUiEvent } from "../ag-ui-event.ts";

type ChildData = Extract<Change, { type: "child" }>["data"];

/** The agents that calls of a run have started: one that began before the run is told of only by the result of its call. */
export class Subagents {
  /** The conversations of those that are open, by their calls. */
  readonly #open = new Map<string, string>();
  readonly #seen = new Set<string>();

  /** What was read so far was before the run. */
  forget(): void {
    this.#open.clear();
  }

  /** A call has given work to an agent, or what that agent has used is known: it has ended, or it waits. */
  read({ call, agent, conversation, background, used }: ChildData, questions: readonly QuestionPart[]): AgUiEvent[] {
    const interruptIds = questions.flatMap((question) => (question.call === call ? question.id : []));
    if (used)
      return this.#finish(call, interruptIds.length > 0 ? { type: "suspended", interruptIds } : { type: "success" });
    if (this.#seen.has(conversation)) return [];
    this.#seen.add(conversation);
    this.#open.set(call, conversation);
    const started: AgUiEvent = {
      type: "SUBAGENT_STARTED",
      subagentRunId: conversation,
      name: agent,
      parentToolCallId: call,
    };
    // It goes on beyond the run, which cannot wait for it.
    return background ? [started, ...this.#finish(call, { type: "suspended" })] : [started];
  }

  /** The call has ended, and so has its agent. */
  endCall(call: string, isFailure: boolean): AgUiEvent[] {
    const conversation = this.#open.get(call);
    if (conversation === undefined || !isFailure) return this.#finish(call, { type: "success" });
    this.#open.delete(call);
    return [{ type: "SUBAGENT_ERROR", subagentRunId: conversation, message: "The call of this agent failed." }];
  }

  /** The run ends: those that are open wait. */
  suspend(): AgUiEvent[] {
    return [...this.#open.keys()].flatMap((call) => this.#finish(call, { type: "suspended" }));
  }

  #finish(call: string, outcome: SubagentFinishedOutcome): AgUiEvent[] {
    const conversation = this.#open.get(call);
    if (conversation === undefined) return [];
    this.#open.delete(call);
    return [{ type: "SUBAGENT_FINISHED", subagentRunId: conversation, outcome }];
  }
}
