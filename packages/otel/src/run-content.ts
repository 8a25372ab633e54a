import { type AgentEvent, type FinishReason, type LogEvent, type RunEvent, toMessages } from "@cogency/protocol";
import { createSettler, isPersisted } from "@cogency/protocol/host";
import type { Attributes } from "@opentelemetry/api";
import { finishReason } from "./attributes.ts";
import { inputMessage, outputMessage } from "./messages.ts";

/** What is said in a run, in the form of the conventions. Messages of earlier runs are in the store alone. */
export class RunContent {
  readonly #settler = createSettler();
  readonly #events: LogEvent[] = [];
  /** How many of the events the request was made from. */
  #asked = 0;
  #finish = "stop";
  /** The last answer. */
  #output: string | undefined;

  take(event: RunEvent): void {
    if (isSaid(event)) this.#add(this.#settler.write(event));
  }

  /** A request is made from what was said before it. */
  beginRequest(): void {
    this.#add(this.#settler.end());
    this.#asked = this.#events.length;
    this.#finish = "stop";
  }

  /** The answer has ended. What it holds may be on the timeline after that. */
  endRequest(finish: FinishReason | "error" | undefined): void {
    if (finish) this.#finish = finishReason(finish);
  }

  /** The attributes of the last request, when its answer is on the timeline. */
  ofRequest(): Attributes {
    this.#add(this.#settler.end());
    const answer = outputMessage(this.#events.slice(this.#asked), this.#finish);
    if (answer) this.#output = JSON.stringify([answer]);
    return {
      ...inputOf(this.#events.slice(0, this.#asked)),
      ...(answer && { "gen_ai.output.messages": this.#output }),
    };
  }

  /** The attributes of the run: its prompt, and the last answer. */
  ofRun(): Attributes {
    const prompt = this.#events.findIndex(({ type }) => type !== "user");
    return {
      ...inputOf(prompt === -1 ? this.#events : this.#events.slice(0, prompt)),
      ...(this.#output !== undefined && { "gen_ai.output.messages": this.#output }),
    };
  }

  #add(events: readonly AgentEvent[]): void {
    for (const event of events) if (isPersisted(event)) this.#events.push(event);
  }
}

function inputOf(events: readonly LogEvent[]): Attributes {
  if (events.length === 0) return {};
  return { "gen_ai.input.messages": JSON.stringify(toMessages(events, { form: "native" }).map(inputMessage)) };
}

/** Whether it is an event of the protocol: what happens around these says nothing. */
function isSaid(event: RunEvent): event is AgentEvent & Pick<RunEvent, "run"> {
  return said.has(event.type);
}

const said: ReadonlySet<string> = new Set<AgentEvent["type"]>([
  "user",
  "think",
  "respond",
  "call",
  "execute",
  "result",
  "end",
  "error",
  "interrupt",
  "cancelled",
]);
