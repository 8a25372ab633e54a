import type { Capability } from "@cogency/agent";
import type { JsonObject, ToolSpec } from "@cogency/protocol";
import { defineTool, type Tool, type ToolContext, withAttachments } from "@cogency/tools";
import { canonicalJson } from "@cogency/tools/host";
import { PlayError } from "./play-error.ts";
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
  readonly #calls: PlayedCall[] = [];
  readonly #taken = new Set<PlayedCall>();
  readonly #byId = new Map<string, PlayedCall>();
  /** Cancels the run. */
  onCancel: () => Promise<unknown> = async () => {};
  readonly #recordedTools = new WeakSet<Tool>();

  add(calls: readonly PlayedCall[]): void {
    this.#calls.push(...calls);
  }

  /** The recorded call that this one is: the first with the name and the arguments that no other call has taken. */
  find({ id, name, args }: Called): PlayedCall | undefined {
    const known = id === undefined ? undefined : this.#byId.get(id);
    if (known) return known;
    const text = canonicalJson(args);
    const isSame = (other: JsonObject | undefined) => canonicalJson(other ?? {}) === text;
    const found = this.#calls.find(
      (call) =>
        call.name === name &&
        !this.#taken.has(call) &&
        (isSame(call.args) || (call.ran !== undefined && isSame(call.ran))),
    );
    if (!found) return undefined;
    this.#taken.add(found);
    if (id !== undefined) this.#byId.set(id, found);
    return found;
  }

  /** Answers the calls of the agent's own tools in place of their bodies. Tools of the client are left to it. */
  capability(): Capability {
    return {
      name: "recorded calls",
      hooks: [
        {
          name: "recorded calls",
          // After all hooks of the agent, which may change the call.
          priority: Number.MIN_SAFE_INTEGER,
          beforeToolUse: async ({ call, tool }) => {
            // A body may get other arguments: those of the model with what its schema adds.
            const recorded = this.find(call);
            if (!tool || tool.client || this.#recordedTools.has(tool)) return undefined;
            try {
              return { answer: { value: recordedValue(recorded, call) } };
            } catch (error) {
              return { answer: { error: error as Error } };
            }
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
        return recordedValue(call, called);
      },
    });
    this.#recordedTools.add(tool);
    return tool;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** @throws the recorded error, or PlayError `not_recorded` */
function recordedValue(call: PlayedCall | undefined, { name, args }: Called): unknown {
  if (call?.error !== undefined) throw new Error(call.error);
  if (call?.result === undefined) {
    const shown = `${name} ${JSON.stringify(args).slice(0, 200)}`;
    throw new PlayError("not_recorded", `This call is not in the record, so it did not run: ${shown}`);
  }
  return call.attachments ? withAttachments(call.result, [...call.attachments]) : call.result;
}
