import {
  type AgentEvent,
  callOf,
  type Dialect,
  formatCalls,
  formatResults,
  formatThink,
  parseResults,
  type ToolCall,
} from "@cogency/protocol";
import { createSettler } from "@cogency/protocol/host";

/** Writes events of a model as the text that it would have written, a piece at a time. */
export class ProtocolText {
  readonly #dialect: Dialect;
  readonly #settler = createSettler();
  #calls: ToolCall[] = [];
  /** Whether calls were announced whose block is not closed yet. */
  #isOpen = false;
  #before: AgentEvent["type"] | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /**
   * The text that an event completes; empty while its unit or its block goes on.
   *
   * @throws TypeError for an event that no text stands for
   */
  write(event: AgentEvent): string {
    if (event.type === "call" || event.type === "execute") this.#isOpen = event.type === "call";
    return this.#settler
      .write(event)
      .map((settled) => this.#textOf(settled))
      .join("");
  }

  /** @throws TypeError if calls were announced and their block was not closed */
  end(): string {
    const rest = this.#settler
      .end()
      .map((settled) => this.#textOf(settled))
      .join("");
    if (this.#isOpen) throw new TypeError("calls without `execute`: their block was never closed");
    return rest;
  }

  #textOf(event: AgentEvent): string {
    // An empty thought keeps two units of the reply apart.
    const isSecond = event.type === "respond" && this.#before === "respond";
    this.#before = event.type;
    switch (event.type) {
      case "think":
        return `${formatThink(event.content)}\n`;
      case "respond":
        return `${isSecond ? `${formatThink("")}\n` : ""}${event.content}\n`;
      case "call":
        this.#calls.push(callOf(event));
        return "";
      case "execute":
        return `${formatCalls(this.#calls.splice(0), { dialect: this.#dialect })}\n`;
      case "result":
        return `${formatResults(parseResults(event.content) ?? [])}\n`;
      case "end":
        return "<end>\n";
      default:
        throw new TypeError(`no text stands for an event of the type ${JSON.stringify(event.type)}`);
    }
  }
}
