import type { ContentPart, Message, Metadata, ToolCall, ToolMessage } from "@ag-ui/core";
import type { JsonObject } from "@cogency/protocol";

/**
 * The messages of a conversation, as a client has them that has read all events.
 *
 * Where pieces are lost, what a model has written first may become known last. The log decides: what is stored takes its place before
 * what is being written. A method returns whether that, or anything else, is a change that no event but a snapshot can tell.
 */
export class Transcript {
  #messages: Message[] = [];
  /** The message for the next calls of the step: of what is known, and of what is stored. */
  #holder: string | undefined;
  #storedHolder: string | undefined;
  /** The calls that are being written. */
  readonly #writing = new Set<string>();

  get messages(): readonly Message[] {
    return this.#messages;
  }

  user(id: string, content: string | ContentPart[], metadata?: Metadata): void {
    this.#messages.push({ id, role: "user", content, ...(metadata && { metadata }) });
    this.endStep();
  }

  /** A unit begins. It is stored before the calls that are being written. */
  unit(id: string, kind: "text" | "thinking"): boolean {
    if (kind === "text") this.#holder = id;
    return this.#insert({ id, role: kind === "text" ? "assistant" : "reasoning", content: "" });
  }

  write(id: string, text: string): void {
    this.#replace(id, (message) =>
      message.role === "assistant" || message.role === "reasoning"
        ? { ...message, content: (message.content ?? "") + text }
        : message,
    );
  }

  /** A unit ends: with this text, or without being stored. */
  settle(id: string, text: string | undefined): boolean {
    const message = this.#messages.findLast((one) => one.id === id);
    if (text !== undefined && message?.role === "assistant") this.#storedHolder = id;
    if (message?.content === text) return false;
    if (text === undefined) {
      this.#messages = this.#messages.filter((one) => one !== message);
      if (this.#holder === id) this.#holder = undefined;
    } else this.#replace(id, (one) => ({ ...one, content: text }) as Message);
    return true;
  }

  /** Begins a call, and returns the id of the message that holds it. */
  call(id: string, name: string): string {
    this.#writing.add(id);
    this.#holder ??= this.#storedHolder ?? `${id}.m`;
    this.#addCall(this.#holder, { id, type: "function", function: { name, arguments: "" } });
    return this.#holder;
  }

  /** The ids of all calls, in their order. */
  callOrder(): string[] {
    return this.#messages.flatMap((message) => callsOf(message).map(({ id }) => id));
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

  /** A call is stored. */
  store(id: string): boolean {
    this.#storedHolder ??= `${id}.m`;
    this.#writing.delete(id);
    const calls = callsOf(this.#messages.findLast((one) => one.id === this.#storedHolder));
    const at = calls.findIndex((call) => call.id === id);
    const isInPlace = at >= 0 && !calls.slice(0, at).some((call) => this.#writing.has(call.id));
    const call = this.#callOf(id);
    if (isInPlace || !call) return false;
    this.drop(id);
    this.#addCall(this.#storedHolder, call);
    return true;
  }

  /** A call never was: its block was refused. */
  drop(id: string): void {
    this.#writing.delete(id);
    this.#messages = this.#messages.flatMap((one) => {
      if (one.role !== "assistant" || !holds(one, id)) return [one];
      const { toolCalls: _, ...message } = one;
      const rest = callsOf(one).filter((call) => call.id !== id);
      if (rest.length > 0) return [{ ...message, toolCalls: rest }];
      return message.content === undefined ? [] : [message];
    });
    if (!this.#messages.some((one) => one.id === this.#holder)) this.#holder = undefined;
  }

  /** A tool message stands behind those that its call's message has. */
  result(message: ToolMessage): void {
    const holder = this.#messages.findLastIndex((one) => holds(one, message.toolCallId));
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
    this.#storedHolder = undefined;
  }

  /** Adds a message before those that hold nothing but calls which are being written. Returns whether there are such. */
  #insert(message: Message): boolean {
    const last = this.#messages.findLastIndex((one) => !this.#isBeingWritten(one));
    this.#messages.splice(last + 1, 0, message);
    return last + 2 < this.#messages.length;
  }

  #isBeingWritten(message: Message): boolean {
    const calls = callsOf(message);
    return calls.length > 0 && !message.content && calls.every(({ id }) => this.#writing.has(id));
  }

  /** Adds a call before those that are being written, if it is not being written itself. */
  #addCall(holder: string, call: ToolCall): void {
    const message = this.#messages.findLast((one) => one.id === holder);
    if (message?.role !== "assistant") {
      const added: Message = { id: holder, role: "assistant", toolCalls: [call] };
      if (this.#writing.has(call.id)) this.#messages.push(added);
      else this.#insert(added);
      return;
    }
    const calls = callsOf(message);
    const stored = this.#writing.has(call.id) ? calls.length : calls.findIndex(({ id }) => this.#writing.has(id));
    const at = stored < 0 ? calls.length : stored;
    this.#replace(holder, () => ({ ...message, toolCalls: calls.toSpliced(at, 0, call) }));
  }

  #callOf(id: string): ToolCall | undefined {
    const holder = this.#messages.findLast((one) => holds(one, id));
    return callsOf(holder).find((call) => call.id === id);
  }

  #changeCall(id: string, change: (before: ToolCall["function"]) => ToolCall["function"]): void {
    const at = this.#messages.findLastIndex((one) => holds(one, id));
    const holder = this.#messages[at];
    if (holder?.role !== "assistant") return;
    const toolCalls = callsOf(holder).map((call) =>
      call.id === id ? { ...call, function: change(call.function) } : call,
    );
    this.#messages[at] = { ...holder, toolCalls };
  }

  #replace(id: string, change: (message: Message) => Message): void {
    const at = this.#messages.findLastIndex((one) => one.id === id);
    const message = this.#messages[at];
    if (message) this.#messages[at] = change(message);
  }
}

function callsOf(message: Message | undefined): readonly ToolCall[] {
  return message?.role === "assistant" ? (message.toolCalls ?? []) : [];
}

function holds(message: Message, call: string): boolean {
  return callsOf(message).some(({ id }) => id === call);
}
