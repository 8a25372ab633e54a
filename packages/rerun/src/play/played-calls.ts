import type { Capability } from "@cogency/agent";
import type { JsonObject, ToolResult, ToolSpec } from "@cogency/protocol";
import { defineTool, type Tool, type ToolContext } from "@cogency/tools";
import { afterOtherHooks, answerOf, type BodyAnswer } from "../record/answer-of.ts";
import { CallsLeft } from "../record/calls-left.ts";
import { NotRecordedError } from "../record/not-recorded-error.ts";
import type { PlayedCall } from "./played-step.ts";

/** A tool as the model knew it. Its calls end as they were recorded. */
export interface RecordedToolDefinition extends ToolSpec {
  /** Each call asks a person, or is denied, or runs even where the conversation holds text of strangers. */
  readonly approval?: "allow" | "ask" | "deny" | undefined;
  /** It asks the person itself. */
  readonly asks?: true | undefined;
}

type Called = { readonly id?: string | undefined; readonly name: string; readonly args: JsonObject };

/** The calls of a play in the order in which the model writes them, each of which ends as it was recorded. */
export class PlayedCalls {
  readonly #left = new CallsLeft<PlayedCall>(({ name, args = {}, ran }) => ({
    name,
    args,
    other: ran && { name, args: ran },
  }));
  readonly #byId = new Map<string, PlayedCall>();
  /** Cancels the run. */
  onCancel: () => Promise<unknown> = async () => {};
  readonly #recordedTools = new WeakSet<Tool>();

  add(calls: readonly PlayedCall[]): void {
    this.#left.add(calls);
  }

  /** The recorded call that this one is: the first with the name and the arguments that no other call has taken. */
  find({ id, name, args }: Called): PlayedCall | undefined {
    const known = id === undefined ? undefined : this.#byId.get(id);
    if (known) return known;
    const found = this.#left.take({ name, args });
    if (found && id !== undefined) this.#byId.set(id, found);
    return found;
  }

  /** Answers the calls of the agent's own tools in place of their bodies. Tools of the client are left to it. */
  capability(): Capability {
    return {
      name: "recorded calls",
      hooks: [
        {
          name: "recorded calls",
          priority: afterOtherHooks,
          beforeToolUse: ({ call, tool }) => {
            // A body may get other arguments: those of the model with what its schema adds.
            const recorded = this.find(call);
            if (!tool || tool.client || this.#recordedTools.has(tool)) return undefined;
            return { answer: this.#answer(recorded, call) };
          },
        },
      ],
    };
  }

  /** A tool in the place of one that is not there. */
  tool({ name, description, parameters, readOnly, approval, asks }: RecordedToolDefinition): Tool {
    const tool = defineTool({
      name,
      description,
      input: parameters,
      ...(readOnly && { annotations: { readOnlyHint: true } }),
      ...(approval && { approval }),
      ...(asks && { asks }),
      execute: async (args, context: ToolContext) => {
        const called = { id: context.call.id, name, args: args as JsonObject };
        const call = this.find(called);
        if (call?.cancelled) {
          await this.onCancel();
          await aborted(context.signal);
        }
        if (call?.asks) await context.ask(call.asks as Parameters<ToolContext["ask"]>[0]);
        const answer = this.#answer(call, called);
        if ("error" in answer) throw answer.error;
        return answer.value;
      },
    });
    this.#recordedTools.add(tool);
    return tool;
  }

  #answer(recorded: PlayedCall | undefined, called: Called): BodyAnswer {
    const result = recorded && resultOf(recorded);
    if (result) return answerOf(result);
    return { error: new NotRecordedError(called, !recorded && this.#left.has(called)) };
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Undefined for a call whose body did not run. */
function resultOf({ result, attachments, error }: PlayedCall): Omit<ToolResult, "tool"> | undefined {
  if (error !== undefined) return { status: "failure", content: error };
  if (result === undefined) return undefined;
  return { status: "success", content: result, ...(attachments && { attachments: [...attachments] }) };
}
