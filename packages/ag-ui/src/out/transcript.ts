import type { AssistantMessage, ContentPart, Message, Metadata, ToolCall, ToolMessage } from "@ag-ui/core";
import type { JsonObject } from "@cogency/protocol";

/** The messages of a conversation, as a client has them that has read all events. */
export class Transcript {
  #messages: Message[] = [];
  /** The message that holds the calls of the step. */
  #holder: string | undefined;

  get messages(): readonly Message[] {
    return this.#messages;
  }

  user(id: string, content: string | ContentPart[], metadata?: Metadata): void {
    this.#messages.push({ id, role: "user", content, ...(metadata && { metadata }) });
    this.#holder = undefined;
  }

  /** A unit begins. */
  unit(id: string, kind: "text" | "thinking"): void {
    if (kind === "text") this.#holder = id;
    this.#messages.push({ id, role: kind === "text" ? "assistant" : "reasoning", content: "" });
  }

  write(id: string, text: string): void {
    this.#replace(id, (message) =>
      message.role === "assistant" || message.role === "reasoning"
        ? { ...message, content: (message.content ?? "") + text }
        : message,
    );
  }

  /** A unit ends. Returns whether a client has another text of it, or one that was never stored. */
  settle(id: string, text: string | undefined): boolean {
    const message = this.#messages.find((one) => one.id === id);
    if (message?.content === text) return false;
    if (text === undefined) {
      this.#messages = this.#messages.filter((one) => one !== message);
      if (this.#holder === id) this.#holder = undefined;
    } else this.#replace(id, (one) => ({ ...one, content: text }) as Message);
    return true;
  }

  /** Begins a call, and returns the id of the message that holds it. */
  call(id: string, name: string): string {
    const call: ToolCall = { id, type: "function", function: { name, arguments: "" } };
    const holder = this.#messages.find((one) => one.id === this.#holder);
    if (holder?.role === "assistant")
      this.#replace(holder.id, () => ({ ...holder, toolCalls: [...(holder.toolCalls ?? []), call] }));
    else this.#messages.push({ id: `${id}.m`, role: "assistant", toolCalls: [call] });
    this.#holder = holder?.role === "assistant" ? holder.id : `${id}.m`;
    return this.#holder;
  }

  /** The text of the arguments so far. */
  argumentsOf(id: string): string {
    return this.#callOf(id)?.function.arguments ?? "";
  }

  writeArguments(id: string, text: string): void {
    this.#changeCall(id, ({ name, arguments: before }) => ({ name, arguments: before + text }));
  }

  /** The call is this one, whatever was written before. */
  restate(id: string, name: string, args: JsonObject): void {
    this.#changeCall(id, () => ({ name, arguments: JSON.stringify(args) }));
  }

  /** A call never was: its block was refused. */
  drop(id: string): void {
    this.#messages = this.#messages.flatMap((one) => {
      if (one.role !== "assistant" || !one.toolCalls?.some((call) => call.id === id)) return [one];
      const { toolCalls: _, ...message } = one;
      const rest = one.toolCalls.filter((call) => call.id !== id);
      if (rest.length > 0) return [{ ...message, toolCalls: rest }];
      return message.content === undefined ? [] : [message];
    });
  }

  /** A tool message stands behind those that its call's message has. */
  result(message: ToolMessage): void {
    const holder = this.#messages.findIndex((one) => holds(one, message.toolCallId));
    let at = holder < 0 ? this.#messages.length : holder + 1;
    while (this.#messages[at]?.role === "tool") at += 1;
    this.#messages.splice(at, 0, message);
  }

  /** Gives tool messages the ids that a client has for them. */
  renameResults(ids: ReadonlyMap<string, string>): void {
    this.#messages = this.#messages.map((one) =>
      one.role === "tool" ? { ...one, id: ids.get(one.toolCallId) ?? one.id } : one,
    );
  }

  /** The calls that follow are of another step. */
  endStep(): void {
    this.#holder = undefined;
  }

  #callOf(id: string): ToolCall | undefined {
    const holder = this.#messages.find((one) => holds(one, id));
    return holder?.role === "assistant" ? holder.toolCalls?.find((call) => call.id === id) : undefined;
  }

  #changeCall(id: string, change: (before: ToolCall["function"]) => ToolCall["function"]): void {
    this.#messages = this.#messages.map((one) =>
      one.role === "assistant" && one.toolCalls && holds(one, id)
        ? { ...one, toolCalls: changed(one.toolCalls, id, change) }
        : one,
    );
  }

  #replace(id: string, change: (message: Message) => Message): void {
    const at = this.#messages.findLastIndex((one) => one.id === id);
    const message = this.#messages[at];
    if (message) this.#messages[at] = change(message);
  }
}

function holds(message: Message, call: string): message is AssistantMessage {
  return message.role === "assistant" && message.toolCalls?.some(({ id }) => id === call) === true;
}

function changed(
  calls: readonly ToolCall[],
  id: string,
  change: (before: ToolCall["function"]) => ToolCall["function"],
): ToolCall[] {
  return calls.map((call) => (call.id === id ? { ...call, function: change(call.function) } : call));
}
