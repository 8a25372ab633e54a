import type { Usage } from "@cogency/protocol";
import type { QuestionPart } from "@cogency/protocol/parts";
import { addUsage, type Change, noUsage, type TurnEnding } from "../../bridge/index.ts";
import { wireCallId } from "../place/ids.ts";
import { wireErrorOf } from "../wire-problem.ts";
import type { Answer, AnswerSettings, WireEvent } from "./answer.ts";
import { failureOf, incompleteOf } from "./ending.ts";
import { lineOfCall, lineOfEnd, wordsOfQuestion } from "./told.ts";
import { inputOf, usageDetails } from "./usage.ts";

type Channel = "content" | "reasoning_content";

interface WireCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A turn as a chat completion. */
export class Completion implements Answer {
  readonly #settings: AnswerSettings;
  readonly #wantsUsage: boolean;
  #usage: Usage = noUsage;
  #finish = "stop";
  readonly #texts: Record<Channel, string> = { content: "", reasoning_content: "" };
  /** Where each unit that is open goes, and whether something of it was said. */
  readonly #units = new Map<string, { channel: Channel; isBegun: boolean }>();
  readonly #calls: WireCall[] = [];

  constructor(settings: AnswerSettings, wantsUsage: boolean) {
    this.#settings = settings;
    this.#wantsUsage = wantsUsage;
  }

  begin(): WireEvent[] {
    return [this.#chunk({ role: "assistant", content: "" })];
  }

  read(change: Change): WireEvent[] {
    switch (change.type) {
      case "unit":
        this.#units.set(change.id, {
          channel: change.kind === "text" ? "content" : "reasoning_content",
          isBegun: false,
        });
        return [];
      case "unit_delta":
        return this.#grow(change.id, change.text);
      case "unit_end":
        this.#units.delete(change.id);
        return [];
      case "call_ready":
        return this.#tell(change.name, lineOfCall(change.name, change.args));
      case "call_end":
        return this.#tell(change.name, lineOfEnd(change, this.#settings.known.argsOfCall(change.id)));
      case "step":
        this.#usage = addUsage(this.#usage, change.usage);
        return [];
      default:
        return [];
    }
  }

  end(ending: TurnEnding): WireEvent[] {
    const failure = failureOf(ending);
    if (failure) return [{ ...wireErrorOf(failure) }];
    const asked = ending.status === "waiting" ? this.#settings.known.open().flatMap((part) => this.#ask(part)) : [];
    this.#finish = this.#calls.length > 0 ? "tool_calls" : (incompleteOf(ending) ?? "stop");
    const last = this.#wantsUsage
      ? [{ ...this.#head("chat.completion.chunk"), choices: [], usage: this.#wireUsage() }]
      : [];
    return [...asked, this.#chunk({}, this.#finish), ...last];
  }

  body(): WireEvent {
    const { content, reasoning_content } = this.#texts;
    const message = {
      role: "assistant",
      content: content === "" && this.#calls.length > 0 ? null : content,
      refusal: null,
      ...(reasoning_content !== "" && { reasoning_content }),
      ...(this.#calls.length > 0 && { tool_calls: this.#calls }),
    };
    const choice = { index: 0, message, logprobs: null, finish_reason: this.#finish };
    return { ...this.#head("chat.completion"), choices: [choice], usage: this.#wireUsage() };
  }

  #grow(id: string, text: string): WireEvent[] {
    const unit = this.#units.get(id);
    if (!unit || text === "") return [];
    const isNew = !unit.isBegun;
    unit.isBegun = true;
    return this.#say(unit.channel, text, isNew);
  }

  /** Says more in a channel, after an empty line if it is something new. */
  #say(channel: Channel, text: string, isNew = true): WireEvent[] {
    const whole = isNew && this.#texts[channel] !== "" ? `\n\n${text}` : text;
    this.#texts[channel] += whole;
    return [this.#chunk({ [channel]: whole })];
  }

  #ask(part: QuestionPart): WireEvent[] {
    const { conversation, known, questions } = this.#settings;
    if (!part.client) return questions ? this.#say("content", wordsOfQuestion(part)) : [];
    const call: WireCall = {
      id: wireCallId(conversation, part.call),
      type: "function",
      function: { name: part.name, arguments: JSON.stringify(known.argsOf(part)) },
    };
    const index = this.#calls.push(call) - 1;
    return [this.#chunk({ tool_calls: [{ index, ...call }] })];
  }

  #tell(name: string, line: string | undefined): WireEvent[] {
    const { tools, known } = this.#settings;
    if (tools === "hidden" || line === undefined || known.isOfClient(name)) return [];
    return this.#say(tools === "text" ? "content" : "reasoning_content", line);
  }

  #chunk(delta: WireEvent, finish: string | null = null): WireEvent {
    const choice = { index: 0, delta, logprobs: null, finish_reason: finish };
    return {
      ...this.#head("chat.completion.chunk"),
      choices: [choice],
      ...(this.#wantsUsage && { usage: null }),
    };
  }

  #head(object: string) {
    const { id, created, model } = this.#settings;
    return { id, object, created, model, system_fingerprint: null };
  }

  #wireUsage() {
    const { input, output, total } = usageDetails(this.#usage);
    return {
      prompt_tokens: inputOf(this.#usage),
      completion_tokens: this.#usage.output,
      total_tokens: total,
      prompt_tokens_details: input,
      completion_tokens_details: output,
    };
  }
}
