import type { Change } from "@cogency/server/bridge";
import type { AgUiEvent } from "../ag-ui-event.ts";
import type { ClientMessage } from "./client-view.ts";
import { resultContent } from "./content.ts";
import type { Transcript } from "./transcript.ts";

type Of<Type extends Change["type"]> = Extract<Change, { type: Type }>;

/** The events of calls. */
export class CallEvents {
  /** The calls of tools that the client runs. */
  readonly ofClient = new Set<string>();
  readonly #transcript: Transcript;
  /** The calls whose arguments are being written. */
  readonly #writing = new Set<string>();
  /** The ids of the tool messages that the client has, by their calls. */
  #known: ReadonlyMap<string, string> = new Map();

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** Reads which tool messages the client has. */
  know(messages: readonly ClientMessage[]): void {
    this.#known = new Map(
      messages.flatMap((message) => (message.role === "tool" ? [[message.toolCallId, message.id]] : [])),
    );
    this.#transcript.renameResults(this.#known);
  }

  begin({ id, name }: Of<"call">): AgUiEvent[] {
    this.#writing.add(id);
    const parentMessageId = this.#transcript.call(id, name);
    return [{ type: "TOOL_CALL_START", toolCallId: id, toolCallName: name, parentMessageId }];
  }

  write({ id, text }: Of<"call_delta">): AgUiEvent[] {
    if (text === "") return [];
    this.#transcript.writeArguments(id, text);
    return [{ type: "TOOL_CALL_ARGS", toolCallId: id, delta: text }];
  }

  ready(change: Of<"call_ready">): AgUiEvent[] {
    const { id, name, args } = change;
    const hasArgs = this.#transcript.argumentsOf(id) !== "";
    const rest = hasArgs ? [] : this.write({ type: "call_delta", id, text: JSON.stringify(args) });
    this.#transcript.restate(id, name, args);
    return [...rest, ...this.#close(id)];
  }

  /** Each call that the client does not run gets a result, even where there is none: a client would take it for one of its own. */
  end({ id, outcome, result }: Of<"call_end">): AgUiEvent[] {
    const closed = this.#close(id);
    const own = this.ofClient.has(id) ? this.#known.get(id) : undefined;
    const message = {
      messageId: own ?? `${id}.r`,
      toolCallId: id,
      role: "tool",
      content: result ? resultContent(result) : withoutResult[outcome === "refused" ? "refused" : "unknown"],
      ...(outcome !== "success" && { metadata: { outcome } }),
    } as const;
    const { messageId, ...fields } = message;
    if (outcome === "refused") this.#transcript.drop(id);
    else this.#transcript.result({ id: messageId, ...fields });
    return own === undefined ? [...closed, { type: "TOOL_CALL_RESULT", ...message }] : closed;
  }

  #close(id: string): AgUiEvent[] {
    return this.#writing.delete(id) ? [{ type: "TOOL_CALL_END", toolCallId: id }] : [];
  }
}

const withoutResult = {
  refused: "The model wrote this call wrongly. It did not run.",
  unknown: "What came of this call is not known.",
};
