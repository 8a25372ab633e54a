import type { Usage } from "@cogency/protocol";
import type { EndPart } from "@cogency/protocol/parts";
import type { TurnEnding } from "@cogency/server/bridge";
import type { ChatChunk, ChatMetadata } from "../message.ts";

/** What an answer used, and how it ended. */
export class AnswerEnd {
  #usage: Usage | undefined;
  #end: Omit<ChatMetadata, "usage"> = {};

  count(used: Usage): void {
    const { input, output, cacheRead, cacheWrite, reasoning, estimated } = this.#usage ?? nothing;
    this.#usage = {
      input: input + used.input,
      output: output + used.output,
      cacheRead: cacheRead + used.cacheRead,
      cacheWrite: cacheWrite + used.cacheWrite,
      reasoning: reasoning + used.reasoning,
      ...((estimated || used.estimated) && { estimated: true }),
    };
  }

  read({ status, stop, error }: EndPart): void {
    if (status === "waiting") return;
    this.#end = { status, ...(stop && { stop }), ...(error && { error }) };
  }

  get metadata(): ChatMetadata {
    return { ...(this.#usage && { usage: this.#usage }), ...this.#end };
  }

  /** What stands at the end of a stream. */
  chunks({ status, message }: TurnEnding): ChatChunk[] {
    const messageMetadata = this.metadata;
    const told: ChatChunk[] = [{ type: "message-metadata", messageMetadata }];
    switch (status) {
      case "cancelled":
        return [...told, { type: "abort", ...(message !== undefined && { reason: message }) }];
      case "failed":
      case "parked":
        return [
          ...told,
          { type: "error", errorText: message ?? "The answer failed." },
          { type: "finish", finishReason: "error" },
        ];
      default:
        return [{ type: "finish", finishReason: reasons[status], messageMetadata }];
    }
  }
}

const nothing: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

const reasons = { completed: "stop", stopped: "other", waiting: "tool-calls" } as const;
