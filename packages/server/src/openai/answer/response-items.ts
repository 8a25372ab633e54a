import type { WireEvent } from "./answer.ts";

type Kind = "text" | "thinking";

/** An item that holds a text. */
interface TextItem {
  readonly kind: Kind;
  readonly id: string;
  readonly index: number;
  text: string;
}

/** The output items of a response, and the events that make them. Several may be open at a time, as the wire allows. */
export class ResponseItems {
  /** In order. Those that are open stand as they are so far. */
  readonly output: WireEvent[] = [];
  readonly #open = new Map<string, TextItem>();

  /** @param name what the id of the item ends with */
  begin(unit: string, kind: Kind, name: string): WireEvent[] {
    const id = `${kind === "text" ? "msg" : "rs"}_${name}`;
    const item: TextItem = { kind, id, index: this.output.length, text: "" };
    this.#open.set(unit, item);
    const added = itemOf(item, "in_progress", true);
    this.output.push(added);
    const part = { item_id: id, output_index: item.index, [partIndex[kind]]: 0, part: partOf(kind, "") };
    return [
      { type: "response.output_item.added", output_index: item.index, item: added },
      { type: `response.${partName[kind]}.added`, ...part },
    ];
  }

  grow(unit: string, delta: string): WireEvent[] {
    const item = this.#open.get(unit);
    if (!item || delta === "") return [];
    item.text += delta;
    this.output[item.index] = itemOf(item, "in_progress");
    return [{ type: `response.${textName[item.kind]}.delta`, ...place(item), delta, ...logprobs(item.kind) }];
  }

  end(unit: string, status: "completed" | "incomplete"): WireEvent[] {
    const item = this.#open.get(unit);
    if (!item) return [];
    this.#open.delete(unit);
    const { kind, index, text } = item;
    const whole = itemOf(item, status);
    this.output[index] = whole;
    return [
      { type: `response.${textName[kind]}.done`, ...place(item), text, ...logprobs(kind) },
      { type: `response.${partName[kind]}.done`, ...place(item), part: partOf(kind, text) },
      { type: "response.output_item.done", output_index: index, item: whole },
    ];
  }

  /** Ends what the turn left open. */
  closeAll(): WireEvent[] {
    return [...this.#open.keys()].flatMap((unit) => this.end(unit, "incomplete"));
  }

  /** Adds an item that is whole at once. */
  add(item: WireEvent): WireEvent[] {
    const output_index = this.output.push(item) - 1;
    return [
      { type: "response.output_item.added", output_index, item },
      { type: "response.output_item.done", output_index, item },
    ];
  }

  /** Adds a call of a tool of the client. */
  call(item: WireEvent & { id: string; arguments: string; name: string }): WireEvent[] {
    const output_index = this.output.push(item) - 1;
    const at = { item_id: item.id, output_index };
    const added = { ...item, status: "in_progress", arguments: "" };
    return [
      { type: "response.output_item.added", output_index, item: added },
      { type: "response.function_call_arguments.delta", ...at, delta: item.arguments },
      { type: "response.function_call_arguments.done", ...at, name: item.name, arguments: item.arguments },
      { type: "response.output_item.done", output_index, item },
    ];
  }
}

const partName = { text: "content_part", thinking: "reasoning_summary_part" };
const textName = { text: "output_text", thinking: "reasoning_summary_text" };
const partIndex = { text: "content_index", thinking: "summary_index" };

function place({ kind, id, index }: TextItem) {
  return { item_id: id, output_index: index, [partIndex[kind]]: 0 };
}

function logprobs(kind: Kind) {
  return kind === "text" ? { logprobs: [] } : {};
}

function itemOf({ kind, id, text }: TextItem, status: string, isNew = false): WireEvent {
  const parts = isNew ? [] : [partOf(kind, text)];
  return kind === "text"
    ? { id, type: "message", status, role: "assistant", content: parts }
    : { id, type: "reasoning", status, summary: parts };
}

function partOf(kind: Kind, text: string): WireEvent {
  return kind === "text"
    ? { type: "output_text", text, annotations: [], logprobs: [] }
    : { type: "summary_text", text };
}
