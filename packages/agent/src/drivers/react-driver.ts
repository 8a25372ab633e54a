import type { FinishReason, JsonObject, JsonSchema, ModelMessage, ToolSpec } from "@cogency/protocol";
import { callback, checkOptions, either, group, name, object, oneOf, required, whole } from "@cogency/protocol/options";
import type { ModelRequest } from "@cogency/provider";
import type { ToolInput } from "@cogency/tools";
import { isRunError, RunError } from "../errors.ts";
import { AnswerReading } from "./answer-reading.ts";
import { wayPastLimit } from "./cut-off.ts";
import type { Driver, ReadingEnd, StepContext, StepEvent } from "./driver.ts";
import { RawUnits } from "./raw-units.ts";
import { decisionOf, type ReactDecision } from "./react/decision.ts";
import { DecisionStream } from "./react/decision-stream.ts";
import { FinalReading } from "./react/final-reading.ts";
import { jsonObjectIn } from "./react/json-object-in.ts";
import { jsonSchemaFrom, type OwnDecision, readOwn } from "./react/own-decision.ts";
import { decisionSchema, type OutputMode, reactPrompt } from "./react/react-prompt.ts";

export interface ReactDriverOptions<Schema extends ToolInput = ToolInput> {
  /** How the decision is asked for. Defaults to `"schema"` where the provider has it (`capabilities.format`), else `"prompt"`. */
  output?: OutputMode | undefined;
  /**
   * How often the model is asked in one step, at most: an output that is no decision goes back to it with the reason. Defaults
   * to 3.
   */
  maxAttempts?: number | undefined;
  /**
   * After the decision for a final answer, a second request, without the rules of decisions, writes the answer. An object names the
   * model, and `options` in place of those of the run's requests. Defaults to none.
   */
  finalViaInference?: true | FinalRequest | undefined;
  /** Decisions of a shape of your own. */
  decision?: OwnDecision<Schema> | undefined;
}

interface FinalRequest {
  model?: string | undefined;
  /** Fields of the provider's own wire. Without any, those of the run's requests. */
  options?: JsonObject | undefined;
}

/**
 * The driver of reasoning and acting in turns, for models without tool calling: in each step the model writes one JSON decision, to
 * call a tool or to answer.
 *
 * @throws RangeError for an unknown `output`, and for `maxAttempts` below 1; TypeError if `decision.schema` makes no JSON Schema;
 * from `begin`, and so as the failure `driver` of the run, TypeError for an `output` that the provider does not have
 */
export function reactDriver<const Schema extends ToolInput = ToolInput>(
  options: ReactDriverOptions<Schema> = {},
): Driver {
  const plan = planOf(options as ReactDriverOptions);
  /** What the requests of each agent begin with: its tools are the same array in every step. */
  const known = new WeakMap<readonly ToolSpec[], Teaching>();
  return {
    name: "react",
    batch: { mode: "parallel", coerce: "json" },
    usesSessions: false,
    begin(context) {
      const { tools, system, provider } = context;
      const output = outputOf(plan, provider);
      let teaching = known.get(tools);
      if (teaching?.of !== system || teaching.output !== output) {
        teaching = teachingOf(plan, output, context);
        known.set(tools, teaching);
      }
      const { prompt, format } = teaching;
      // What is asked of the whole output holds for the answer alone.
      const { format: _, ...settings } = context.request;
      const messages = context.messages("react");
      const request = { ...settings, system: prompt, messages, ...(format && { format }) };
      const step: ReactStep = { context, plan, request, units: new RawUnits(context.clock), failures: [] };
      return new ReactReading(step, request);
    },
  };
}

interface Plan {
  output: OutputMode | undefined;
  maxAttempts: number;
  final: FinalRequest | undefined;
  own: OwnDecision | undefined;
  ownSchema: JsonSchema | undefined;
}

/** What every request of an agent says. */
interface Teaching {
  of: string;
  output: OutputMode;
  prompt: string;
  format: JsonSchema | undefined;
}

/** What the requests of one step share. */
interface ReactStep {
  context: StepContext;
  plan: Plan;
  /** The first request. */
  request: ModelRequest;
  units: RawUnits;
  /** The outputs that were no decision, in order. */
  failures: { output: string; problem: string }[];
}

function planOf(options: ReactDriverOptions): Plan {
  checkOptions<ReactDriverOptions>("reactDriver", options, {
    output: oneOf("schema", "json", "prompt"),
    maxAttempts: whole(1),
    finalViaInference: either(oneOf(true), group<FinalRequest>({ model: name, options: object })),
    decision: group<OwnDecision>({ schema: required(either(object, callback)), read: required(callback) }),
  });
  const { output, maxAttempts = 3, finalViaInference, decision: own } = options;
  const final = finalViaInference === true ? {} : finalViaInference;
  return { output, maxAttempts, final, own, ownSchema: own && jsonSchemaFrom(own) };
}

function outputOf({ output }: Plan, { name, capabilities }: StepContext["provider"]): OutputMode {
  if (output === undefined) return capabilities.format ? "schema" : "prompt";
  if (output === "prompt" || capabilities.format) return output;
  throw new TypeError(`reactDriver: output is "${output}", but the provider ${name} takes no format; give "prompt".`);
}

function teachingOf({ ownSchema }: Plan, output: OutputMode, { system, tools, findsTools }: StepContext): Teaching {
  const prompt = [system, reactPrompt(tools, output, ownSchema)].filter((part) => part !== "").join("\n\n");
  if (output === "prompt") return { of: system, output, prompt, format: undefined };
  return {
    of: system,
    output,
    prompt,
    format: output === "json" ? { type: "object" } : (ownSchema ?? decisionSchema(tools, findsTools)),
  };
}

type Whole = Pick<ReadingEnd, "events" | "asWritten" | "next" | "failure">;

class ReactReading extends AnswerReading {
  readonly #step: ReactStep;
  readonly #stream: DecisionStream;
  /** Whether the last unit is reasoning that came apart from the text. */
  #isReasoning = false;

  constructor(step: ReactStep, request: ModelRequest) {
    // The answer ends when the provider ends it.
    super(step.context, request, 0);
    this.#step = step;
    this.#stream = new DecisionStream(!step.plan.final);
  }

  protected writeReasoning(piece: string): readonly StepEvent[] {
    if (!this.#isReasoning) this.#step.units.close();
    this.#isReasoning = true;
    return this.#step.units.write("think", piece);
  }

  protected writeText(piece: string): StepEvent[] {
    // Fields of a schema of one's own may have other meanings.
    if (this.#step.plan.own) return [];
    return this.#stream.write(piece).flatMap(({ type, text }) => this.#give(type, text));
  }

  protected endWhole(finish: FinishReason | undefined): Whole {
    const { units, plan, context } = this.#step;
    const isShown = this.#stream.answer.trim() !== "";
    const isCut = finish === "length" || finish === "content_filter";
    const read = this.#read(this.cutOff(finish));
    // The run was aborted, or the answer has no room: what was shown of it stays.
    const isOver = finish === undefined || finish === "aborted" || (isCut && isShown);
    if ("decision" in read) return isOver && !isCut ? nothing : this.#decided(read.decision);
    units.close();
    if (isOver) return nothing;
    const { type, problem } = read;
    const attempt = this.#step.failures.push({ output: this.text.toString(), problem });
    const failed: StepEvent = { type, message: problem, attempt, maxAttempts: plan.maxAttempts };
    if (isShown) {
      // What the user has read cannot be taken back: the model goes on after it, in the next step.
      const error = {
        type: "error",
        code: "malformed_decision",
        content: problem,
        timestamp: context.clock(),
      } as const;
      return { events: [failed, { type: "refused", error, text: this.text.toString() }], asWritten: false };
    }
    if (attempt < plan.maxAttempts) return { events: [failed], next: this.#again(), asWritten: false };
    const advice = finish === "length" ? ` ${wayPastLimit(this.request.maxOutputTokens)}` : "";
    const message = `The model made no usable decision in ${attempt === 1 ? "one attempt" : `${attempt} attempts`}. ${problem}${advice}`;
    const failure = new RunError("no_progress", message, { text: this.text.toString() });
    return { events: [failed], failure, asWritten: false };
  }

  protected endBroken(piece: string): StepEvent[] {
    return this.writeText(piece);
  }

  /** @param cut what cut the output off */
  #read(cut: string | undefined): { decision: ReactDecision } | Fault {
    const { plan, context } = this.#step;
    const known = context.findsTools ? undefined : context.tools;
    let type: Fault["type"] = "extraction_failed";
    try {
      const object = jsonObjectIn(this.text.toString());
      type = "validation_failed";
      const decision = decisionOf(plan.own ? readOwn(plan.own, object) : object, known);
      const answer = decision.type === "final_answer" ? decision.answer : "";
      if (answer.startsWith(this.#stream.answer.toWellFormed())) return { decision };
      return { type, problem: "The output holds more than one answer." };
    } catch (error) {
      if (isRunError(error)) throw error;
      const problem = error instanceof Error ? error.message : String(error);
      const isTooLong = cut !== undefined && type === "extraction_failed";
      return {
        type,
        problem: isTooLong ? `The output was cut off ${cut} before it was complete. Write a shorter one.` : problem,
      };
    }
  }

  #decided(decision: ReactDecision): Whole {
    const { context, plan, units } = this.#step;
    const { thought = "" } = decision;
    const given = this.#stream.thought.toWellFormed();
    const events = thought.startsWith(given) ? this.#give("think", thought.slice(given.length)) : [];
    if (decision.type === "call_tool") {
      const { tool: name, args } = decision;
      const timestamp = context.clock();
      events.push({ type: "call", content: JSON.stringify({ name, args }), timestamp }, { type: "execute", timestamp });
      return { events, asWritten: false };
    }
    if (!plan.final) {
      events.push(...this.#give("respond", decision.answer.slice(this.#stream.answer.length)));
      return { events, asWritten: false };
    }
    units.close();
    return {
      events,
      next: new FinalReading(context, units, finalRequest(this.#step, decision.answer), decision.answer),
      asWritten: false,
    };
  }

  #give(type: "think" | "respond", text: string): StepEvent[] {
    if (text === "") return [];
    if (this.#isReasoning) this.#step.units.close();
    this.#isReasoning = false;
    return this.#step.units.write(type, text);
  }

  /** Asks again, with every output that failed and the reason. */
  #again(): ReactReading {
    const { request, failures } = this.#step;
    const messages = failures.flatMap(({ output, problem }): ModelMessage[] => [
      ...(output.trim() === "" ? [] : [{ role: "assistant", content: output.toWellFormed() } as const]),
      {
        role: "user",
        content: `${problem.toWellFormed()}\nNothing was run. Write your decision again, as one JSON object.`,
      },
    ]);
    return new ReactReading(this.#step, { ...request, messages: [...request.messages, ...messages] });
  }
}

interface Fault {
  type: "extraction_failed" | "validation_failed";
  problem: string;
}

const nothing: Whole = { events: [], asWritten: false };

function finalRequest({ context, plan, request }: ReactStep, draft: string): ModelRequest {
  const { model, options = {} } = plan.final ?? {};
  return {
    ...context.request,
    ...(model !== undefined && { model }),
    ...(Object.keys(options).length > 0 && { options }),
    system: [context.system, plainAnswer].filter((part) => part !== "").join("\n\n"),
    messages: [
      ...request.messages,
      { role: "assistant", content: draft.toWellFormed() },
      { role: "user", content: "Write this as your final answer to the user." },
    ],
  };
}

const plainAnswer =
  "The work is done. Write only the final answer, as the user will read it: no decision, and no Thought, Action or Observation.";
