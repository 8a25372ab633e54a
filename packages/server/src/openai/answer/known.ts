import type { JsonObject } from "@cogency/protocol";
import type { QuestionPart } from "@cogency/protocol/parts";
import type { StoredEvent } from "@cogency/storage";
import type { Change } from "../../bridge/index.ts";

/** What an answer needs to know of the calls and questions of a conversation, also of those from before its turn. */
export class Known {
  readonly #args = new Map<string, JsonObject>();
  readonly #open = new Map<string, QuestionPart>();
  #clientTools: ReadonlySet<string> = new Set();

  seeEvent(event: StoredEvent): void {
    if (event.type !== "record" || event.kind !== "client_tools") return;
    this.#clientTools = new Set(event.data.tools.map(({ name }) => name));
  }

  see(change: Change): void {
    switch (change.type) {
      case "call_ready":
      case "call_changed":
        this.#args.set(change.id, change.args);
        return;
      case "question":
        this.#open.set(change.part.id, change.part);
        return;
      case "question_end":
        this.#open.delete(change.part.id);
        return;
    }
  }

  /** The arguments of the call that a question is about. */
  argsOf({ args, call }: QuestionPart): JsonObject {
    return args ?? this.argsOfCall(call);
  }

  argsOfCall(id: string): JsonObject {
    return this.#args.get(id) ?? {};
  }

  /** Whether the client runs the tool: what its calls are and what comes of them is no news to it. */
  isOfClient(tool: string): boolean {
    return this.#clientTools.has(tool);
  }

  /** The questions that are open, in the order of their calls. */
  open(): QuestionPart[] {
    const calls = [...this.#args.keys()];
    return [...this.#open.values()]
      .toSorted((one, other) => calls.indexOf(one.call) - calls.indexOf(other.call))
      .map((part) => ({ ...part, args: this.argsOf(part) }));
  }
}
