import type { FinishReason, ToolSpec } from "@cogency/protocol";
import { anything, checkOptions, flag } from "@cogency/protocol/options";
import type { ModelEvent, ModelRequest } from "@cogency/provider";
import { canonicalJson } from "@cogency/tools/host";
import { insideFence } from "../inside-fence.ts";
import { AnswerReading } from "./answer-reading.ts";
import { callTool, realCall, WrappedCalls } from "./call-tool.ts";
import type { Driver, ReadingEnd, StepContext, StepEvent } from "./driver.ts";
import { objectIn, objectOfModel } from "./model-json.ts";
import { nearMissIn } from "./near-miss.ts";
import { RawUnits } from "./raw-units.ts";

/**
 * - `"auto"`: the model calls tools, or answers
 * - `"required"`: it calls a tool in the first step of a turn; afterwards as `"auto"`, so that it may answer
 * - `"none"`: it answers
 * - `{ name }`: it calls this tool in the first step of a turn; afterwards as `"auto"`
 */
export type ToolChoice = "auto" | "required" | "none" | { name: string };

export interface NativeDriverOptions {
  /**
   * Which tools the model may call, or a function that says it for each step. What a function returns holds for its step as it is.
   * Defaults to `"auto"`.
   */
  toolChoice?: ToolChoice | ((step: ChoiceStep) => ToolChoice) | undefined;
  /**
   * Whether a run with `stream: "token"` yields the arguments of calls as they are written, as `call_delta` events. Defaults to
   * false.
   */
  callDeltas?: boolean | undefined;
}

/** The step that a choice is made for. */
export interface ChoiceStep extends Pick<StepContext, "log" | "tools"> {
  /** The number of the step since the last words of a person, from 1. */
  step: number;
}

/**
 * The driver of native tool calling, for models whose provider has it (`capabilities.tools`): tools and calls go through the
 * provider's own fields.
 *
 * @throws TypeError for a `toolChoice` that is none; from `begin`, and so as the failure `driver` of the run, for one that names a
 * tool that the agent does not have
 */
export function nativeDriver(options: NativeDriverOptions = {}): Driver {
  checkOptions<NativeDriverOptions>("nativeDriver", options, { toolChoice: anything, callDeltas: flag });
  const { toolChoice = "auto", callDeltas = false } = options;
  if (typeof toolChoice !== "function") checkChoice(toolChoice);
  /** The tools that are sent, of each agent with a search: its tools are the same array in every step. */
  const withSearch = new WeakMap<readonly ToolSpec[], readonly ToolSpec[]>();
  const wrapped = new WrappedCalls();
  const toolsOf = ({ tools, findsTools }: StepContext): readonly ToolSpec[] => {
    if (!findsTools) return tools;
    const sent = withSearch.get(tools) ?? [...tools, callTool];
    withSearch.set(tools, sent);
    return sent;
  };
  return {
    name: "native",
    batch: { mode: "parallel", coerce: "json" },
    usesSessions: false,
    nativeCalls: true,
    callDeltas,
    begin(context) {
      const { system, request, findsTools } = context;
      const tools = toolsOf(context);
      const choice = choiceOf(toolChoice, { ...context, tools });
      const messages = context.messages("native");
      return new NativeReading(context, callDeltas || context.callDeltas === true, {
        ...request,
        system,
        messages: findsTools ? wrapped.in(messages, context) : messages,
        // Also where none may be called: the conversation may hold calls of them, and the beginning of the request stays the same.
        ...(tools.length > 0 && { tools, ...(choice !== "auto" && { toolChoice: choice }) }),
      });
    },
  };
}

function choiceOf(choice: NonNullable<NativeDriverOptions["toolChoice"]>, context: StepContext): ToolChoice {
  const { log, tools } = context;
  const step = 1 + stepsSince(log);
  if (typeof choice !== "function") {
    checkIsOffered(choice, tools);
    return choice === "none" || step === 1 ? choice : "auto";
  }
  const chosen = choice({ log, tools, step });
  checkChoice(chosen);
  checkIsOffered(chosen, tools);
  return chosen;
}

/** The steps since the last words of a person: each ends with a record of its usage. */
function stepsSince(log: StepContext["log"]): number {
  let steps = 0;
  for (let at = log.length - 1; at >= 0; at--) {
    const event = log[at];
    if (event?.type === "record" && event.kind === "usage") steps++;
    if (event?.type === "user" && !isFromLoop(event.origin)) return steps;
  }
  return steps;
}

function isFromLoop(origin: string | undefined): boolean {
  return origin === "nudge" || origin === "notice" || origin === "recovery";
}

function checkChoice(choice: unknown): asserts choice is ToolChoice {
  if (choice === "auto" || choice === "required" || choice === "none") return;
  if (typeof choice === "object" && choice !== null && typeof (choice as { name?: unknown }).name === "string") return;
  throw new TypeError(
    `nativeDriver: toolChoice is ${JSON.stringify(choice)}; give "auto", "required", "none" or { name: "…" }.`,
  );
}

function checkIsOffered(choice: ToolChoice, tools: readonly ToolSpec[]): void {
  if (typeof choice === "string" || tools.some(({ name }) => name === choice.name)) return;
  const names = tools.map(({ name }) => name).join(", ");
  throw new TypeError(
    `nativeDriver: toolChoice names ${JSON.stringify(choice.name)}; the model has ${names || "no tools"}.`,
  );
}

class NativeReading extends AnswerReading {
  readonly #units: RawUnits;
  readonly #callDeltas: boolean;
  /** The canonical arguments of the calls, by their tools. */
  readonly #calls: { name: string; args: string }[] = [];
  /** Text that may be arguments which leaked; undefined once it is known to be text. */
  #held: string | undefined = "";
  /** The numbers of the calls through `call_tool`, whose arguments are not shown as they are written. */
  readonly #wrapped = new Set<number>();
  /** The calls as they came, one a line, for the log where none of them runs. */
  #asWritten = "";
  #hasCalled = false;
  /** Why the calls do not run. */
  #fault: { code: string; content: string } | undefined;

  constructor(context: StepContext, callDeltas: boolean, request: ModelRequest) {
    // The answer ends when the provider ends it.
    super(context, request, 0);
    this.#units = new RawUnits(context.clock);
    this.#callDeltas = callDeltas;
  }

  protected writeReasoning(piece: string): readonly StepEvent[] {
    return this.#units.write("think", piece);
  }

  protected writeText(piece: string): readonly StepEvent[] {
    if (this.#held === undefined) return this.#units.write("respond", piece);
    this.#held += piece;
    // Only a whole object, alone or in a fence, can be leaked arguments.
    const mayBe = /^\s*(\{|`{1,2}$|```|$)/.test(this.#held);
    return mayBe && this.#held.length <= longestHeld && this.request.tools ? [] : this.#release();
  }

  protected override writeCall(event: ModelEvent & { type: "tool_call" | "tool_call_delta" }): readonly StepEvent[] {
    this.#hasCalled = true;
    if (event.type === "tool_call") return this.#writeWhole(event);
    if (!this.#callDeltas || this.#fault) return [];
    const { index, name, arguments: content } = event;
    if (this.context.findsTools && name === callTool.name) this.#wrapped.add(index);
    if (this.#wrapped.has(index)) return [];
    return [
      { type: "call_delta", index, ...(name !== undefined && { name }), content, timestamp: this.context.clock() },
    ];
  }

  #writeWhole({ name, arguments: text }: ModelEvent & { type: "tool_call" }): readonly StepEvent[] {
    this.#asWritten += `${JSON.stringify({ name, arguments: text })}\n`;
    if (!this.request.tools || this.request.toolChoice === "none") {
      const content = `No tool may be called now, so ${name} was not run. Answer in plain text.`;
      return this.#refuse("calls_not_allowed", content);
    }
    const read = objectOfModel(`The arguments of ${name} are`, text);
    if (read.problem !== undefined) {
      return this.#refuse("malformed_arguments", `${read.problem} No call of this message ran. Write the calls again.`);
    }
    const { value: args, json } = read;
    const real = this.context.findsTools && name === callTool.name ? realCall(args) : { name, args, json };
    if ("problem" in real) return this.#refuse("malformed_arguments", real.problem);
    for (const written of new Set([args, real.args])) {
      this.#calls.push({ name: real.name, args: canonicalJson(written) });
    }
    if (this.#fault) return [];
    const content = `{"name":${JSON.stringify(real.name)},"args":${real.json}}`;
    return [{ type: "call", content, timestamp: this.context.clock() }];
  }

  #refuse(code: string, content: string): [] {
    // The name, which the model reads again, may hold half a character.
    this.#fault ??= { code, content: content.toWellFormed() };
    return [];
  }

  protected endWhole(finish: FinishReason | undefined): Pick<ReadingEnd, "events" | "asWritten" | "nearMiss"> {
    const events: StepEvent[] = [];
    const leaked = this.#leaked();
    if (leaked !== undefined) {
      this.#held = undefined;
      events.push({ type: "args_leaked", name: leaked });
    } else events.push(...this.#release());
    // The model may have wanted more calls, or other ones.
    if (finish === undefined || finish === "aborted") return { events, asWritten: this.#calls.length === 0 };
    const cut = this.cutOff(finish);
    if (!this.#hasCalled)
      return { events, asWritten: true, nearMiss: cut === undefined ? this.#nearMiss() : undefined };
    // First: what is wrong with calls that were cut off is only that.
    const fault = cut === undefined ? this.#fault : cutOffCalls(cut);
    const timestamp = this.context.clock();
    if (fault) {
      const { code, content } = fault;
      events.push({ type: "refused", error: { type: "error", code, content, timestamp }, text: this.#asWritten });
    } else if (this.#calls.length > 0) events.push({ type: "execute", timestamp });
    return { events, asWritten: !fault && leaked === undefined };
  }

  #nearMiss(): string | undefined {
    const { tools = [], toolChoice } = this.request;
    if (toolChoice === "none") return undefined;
    const text = this.text.toString();
    return nearMissIn({ text, tools, startsInThought: false, hasEnded: false, way: "native" });
  }

  protected endBroken(piece: string): readonly StepEvent[] {
    return [...this.#release(), ...this.#units.write("respond", piece)];
  }

  /** The tool whose arguments the text repeats, as some models do. */
  #leaked(): string | undefined {
    const held = this.#held;
    if (!held) return undefined;
    const args = objectIn(insideFence(held));
    // "{}" may be anything.
    const text = args && Object.keys(args).length > 0 ? canonicalJson(args) : undefined;
    return this.#calls.find((call) => call.args === text)?.name;
  }

  #release(): readonly StepEvent[] {
    const held = this.#held ?? "";
    this.#held = undefined;
    return held === "" ? [] : this.#units.write("respond", held);
  }
}

/** UTF-16 code units of text that are held back because they may be leaked arguments. */
const longestHeld = 64 * 1024;

/** Why calls of an answer that was cut off do not run: the model may have wanted more, or other ones. */
function cutOffCalls(cut: string): { code: string; content: string } {
  const content =
    `Your message was cut off ${cut} after it had begun to call tools, so none of the calls ran. ` +
    "Write less in one message: fewer calls, and long content in parts.";
  return { code: "cut_off_calls", content };
}
