import type { Usage } from "@cogency/protocol";
import type { QuestionPart } from "@cogency/protocol/parts";
import { addUsage, type Change, noUsage, type TurnEnding } from "../../bridge/index.ts";
import { wireApprovalId, wireCallId, wireUnitId } from "../place/ids.ts";
import type { Answer, AnswerSettings, WireEvent } from "./answer.ts";
import { failureOf, incompleteOf } from "./ending.ts";
import { ResponseItems } from "./response-items.ts";
import { lineOfCall, lineOfEnd, wordsOfQuestion } from "./told.ts";
import { inputOf, usageDetails } from "./usage.ts";

/** What a response repeats of its request. */
export interface Repeated {
  readonly previous_response_id: string | null;
  readonly instructions: string | null;
  readonly metadata: WireEvent;
}

/** A turn as a response. */
export class ResponseAnswer implements Answer {
  readonly #settings: AnswerSettings;
  readonly #repeated: Repeated;
  readonly #items = new ResponseItems();
  #usage: Usage = noUsage;
  #end: End = atWork;
  #events = 0;

  constructor(settings: AnswerSettings, repeated: Repeated) {
    this.#settings = settings;
    this.#repeated = repeated;
  }

  begin(): WireEvent[] {
    return this.#numbered([
      { type: "response.created", response: this.body() },
      { type: "response.in_progress", response: this.body() },
    ]);
  }

  read(change: Change): WireEvent[] {
    return this.#numbered(this.#eventsOf(change));
  }

  end(ending: TurnEnding): WireEvent[] {
    const asked = ending.status === "waiting" ? this.#settings.known.open().flatMap((part) => this.#ask(part)) : [];
    const open = this.#items.closeAll();
    this.#end = endOf(ending);
    const type = `response.${this.#end.status === "cancelled" ? "incomplete" : this.#end.status}`;
    return this.#numbered([...asked, ...open, { type, response: this.body() }]);
  }

  body(): WireEvent {
    const { id, created, model } = this.#settings;
    const isOver = this.#end !== atWork;
    return {
      id,
      object: "response",
      created_at: created,
      ...this.#end,
      background: false,
      max_output_tokens: null,
      model,
      output: [...this.#items.output],
      parallel_tool_calls: true,
      ...this.#repeated,
      reasoning: { effort: null, summary: null },
      store: true,
      temperature: null,
      text: { format: { type: "text" } },
      tool_choice: "auto",
      tools: [],
      top_p: null,
      truncation: "disabled",
      usage: isOver ? this.#wireUsage() : null,
      user: null,
    };
  }

  #eventsOf(change: Change): WireEvent[] {
    switch (change.type) {
      case "unit":
        return this.#items.begin(change.id, change.kind, wireUnitId(this.#settings.conversation, change.id));
      case "unit_delta":
        return this.#items.grow(change.id, change.text);
      case "unit_end":
        return this.#items.end(change.id, change.text === undefined ? "incomplete" : "completed");
      case "call_ready":
        return this.#tell(`${change.id}_begun`, change.name, lineOfCall(change.name, change.args));
      case "call_end":
        return this.#tell(
          `${change.id}_ended`,
          change.name,
          lineOfEnd(change, this.#settings.known.argsOfCall(change.id)),
        );
      case "step":
        this.#usage = addUsage(this.#usage, change.usage);
        return [];
      default:
        return [];
    }
  }

  #ask(part: QuestionPart): WireEvent[] {
    const { conversation, known, model, questions } = this.#settings;
    const { name } = part;
    const args = JSON.stringify(known.argsOf(part));
    if (part.client) {
      const id = wireCallId(conversation, part.call);
      return this.#items.call({
        id: `fc_${id}`,
        type: "function_call",
        status: "completed",
        arguments: args,
        call_id: id,
        name,
      });
    }
    if (part.asks === "answer") return questions ? this.#say(part.id, "text", wordsOfQuestion(part)) : [];
    const id = wireApprovalId(conversation, part.id);
    const agents = part.agents ?? [];
    const server_label = [model, ...agents].join("/");
    return this.#items.add({ id, type: "mcp_approval_request", arguments: args, name, server_label });
  }

  #tell(id: string, name: string, line: string | undefined): WireEvent[] {
    const { tools, known } = this.#settings;
    if (tools === "hidden" || line === undefined || known.isOfClient(name)) return [];
    return this.#say(id, tools === "text" ? "text" : "thinking", line);
  }

  /** Tells what no unit of the log has. */
  #say(id: string, kind: "text" | "thinking", text: string): WireEvent[] {
    return [
      ...this.#items.begin(id, kind, `told_${id}`),
      ...this.#items.grow(id, text),
      ...this.#items.end(id, "completed"),
    ];
  }

  #numbered(events: readonly WireEvent[]): WireEvent[] {
    return events.map(({ type, ...event }) => ({ type, sequence_number: this.#events++, ...event }));
  }

  #wireUsage() {
    const { input, output, total } = usageDetails(this.#usage);
    return {
      input_tokens: inputOf(this.#usage),
      input_tokens_details: input,
      output_tokens: this.#usage.output,
      output_tokens_details: output,
      total_tokens: total,
    };
  }
}

interface End {
  readonly status: string;
  readonly error: WireEvent | null;
  readonly incomplete_details: WireEvent | null;
}

const atWork: End = { status: "in_progress", error: null, incomplete_details: null };

function endOf(ending: TurnEnding): End {
  const failure = failureOf(ending);
  if (failure)
    return { status: "failed", error: { code: "server_error", message: failure.message }, incomplete_details: null };
  if (ending.status === "cancelled") return { status: "cancelled", error: null, incomplete_details: null };
  const reason = incompleteOf(ending);
  if (reason === undefined) return { status: "completed", error: null, incomplete_details: null };
  const named = reason === "length" ? "max_output_tokens" : reason;
  return { status: "incomplete", error: null, incomplete_details: { reason: named } };
}
