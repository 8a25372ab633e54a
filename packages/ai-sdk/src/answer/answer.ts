import { type ModelEvent, type ModelRequest, ProviderError } from "@cogency/provider";
import { type AnswerMeter, createAnswerMeter, excerpt, toProviderError } from "@cogency/provider/http";
import { reasoningOption } from "../request/thinking.ts";
import { conclude, problemOf, textOf } from "./conclude.ts";
import { jsonGate } from "./json-gate.ts";
import { isEndWithoutFinish, modelError } from "./model-error.ts";
import type { ModelStreamSettings } from "./model-stream-settings.ts";
import { type Part, readPart } from "./part.ts";
import { initialState, isCall, reduce, type State } from "./reduce.ts";

/** One answer of a model while it arrives. */
export class Answer {
  readonly #settings: ModelStreamSettings;
  readonly #meter: AnswerMeter;
  readonly #readPart: (given: unknown) => Part | undefined;
  readonly #hasLevel: boolean;
  #contentType: string | undefined;
  #state: State = initialState;

  constructor(settings: ModelStreamSettings, { options = {} }: ModelRequest) {
    const { name, limits } = settings;
    const gate = jsonGate(name, limits);
    this.#settings = settings;
    this.#meter = createAnswerMeter(name, limits);
    this.#readPart = (given) => readPart(given, gate);
    this.#hasLevel = reasoningOption in options;
  }

  get state(): State {
    return this.#state;
  }

  /** The model has given its stream, with this content type if it tells one. */
  begin(contentType: string): void {
    this.#contentType = contentType;
  }

  /**
   * The events of a part.
   *
   * @throws any error, if the part reports one, or is too large
   */
  take(given: unknown): ModelEvent[] {
    const part = this.#readPart(given);
    // Parts without content count too, or a model could send them without end.
    if (!part) return this.#counted(" ");
    if (part.type === "failure") throw this.#failureIn(part.error);
    if (part.type === "approval") throw asksApproval(this.#settings.name);
    if (part.type === "finish" && part.reason === "interrupted") throw this.incomplete();
    if (part.type === "warning") return this.#hasLevel ? [this.#ignored(part.message)] : [];
    this.#meter.holds("blocks", this.#state.items.length);
    const [state, events] = reduce(this.#state, part);
    this.#count(part, events);
    this.#state = state;
    return events;
  }

  /** The events that end the answer. @throws ProviderError if it is not complete, or cannot be used */
  end(): ModelEvent[] {
    const { finish } = this.#state;
    const problem = finish ? problemOf(this.#state, finish, this.#settings.name) : this.incomplete();
    if (problem) throw this.failure(problem);
    return finish ? conclude(this.#state, finish) : [];
  }

  /** An error of the model as one of a provider, with the text so far. */
  failure(error: unknown): ProviderError {
    const { name, redact } = this.#settings;
    const context = { host: name, wire: "the AI SDK", partial: textOf(this.#state), redact };
    return toProviderError(modelError(error, name), { ...context, responded: this.#contentType !== undefined });
  }

  incomplete(): ProviderError {
    const { name } = this.#settings;
    if (this.#state.items.length > 0 || this.#contentType === "" || this.#contentType?.includes("text/event-stream")) {
      return new ProviderError("cut_stream", `${name} ended its answer without saying why it finished.`);
    }
    const message = `${name} answered with something else than an event stream. Check the address of the model.`;
    return new ProviderError("bad_response", message);
  }

  #failureIn(error: unknown): unknown {
    return isEndWithoutFinish(error) ? this.incomplete() : modelError(error, this.#settings.name);
  }

  #ignored(message: string): ModelEvent {
    return { type: "ignored", setting: "thinking", message: excerpt(message, this.#settings.redact) };
  }

  #counted(content: unknown): [] {
    this.#meter.keep(content);
    return [];
  }

  #count(part: Part, events: readonly ModelEvent[]): void {
    this.#meter.add(events);
    if ("metadata" in part) this.#meter.keep(part.metadata);
    if (part.type === "kept") this.#meter.keep(part.item);
    else if (part.type === "call-begin") this.#meter.keep(part.name);
    else if (part.type === "call") this.#countCall(part);
    else if (events.length === 0) this.#meter.keep(" ");
  }

  /** Arguments that are others than their pieces are kept too. */
  #countCall({ id, input, name }: Extract<Part, { type: "call" }>): void {
    const begun = this.#state.items.find((item) => isCall(item) && item.given === id && item.input === undefined);
    this.#meter.keep(name);
    if (begun?.type === "call" && !input.startsWith(begun.pieces)) this.#meter.keep(input);
  }
}

function asksApproval(name: string): ProviderError {
  const message = `${name} asks whether a tool that its server runs may run, which nobody can answer. Let the server run it without asking, or make it a tool of the agent.`;
  return new ProviderError("unsupported", message);
}
