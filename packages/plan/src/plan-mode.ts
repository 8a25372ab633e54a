import type { Capability } from "@cogency/agent";
import type { AgentHook } from "@cogency/agent/hooks";
import { anything, callback, checkOptions, either, listOf, required, text } from "@cogency/protocol/options";
import { defineTool, type Tool, type ToolContext } from "@cogency/tools";
import type { PlanChoice } from "./plan-choice.ts";
import { readAnswer } from "./read-answer.ts";
import { acceptedSteps } from "./read-plans.ts";
import { planningSince, startText, stopText } from "./told-mode.ts";
import { presentTool } from "./tool-names.ts";

/** Whose run it is. For an agent that a call has started, the conversation of the person above it. */
type Of = Pick<ToolContext, "conversation" | "user">;

export interface PlanModeOptions {
  /** Whether the agent only plans now. Asked before each step and before each call. */
  isOn(of: Of): boolean;
  /** What the person may choose, the most careful first: a plain yes means that one. Defaults to `go`. */
  choices?: readonly PlanChoice[] | ((of: Of) => readonly PlanChoice[] | Promise<readonly PlanChoice[]>) | undefined;
  /**
   * Names of tools that give work to agents, as those of `@cogency/subagents`. They stay in this mode, though they are not read-only: the
   * mode holds for the calls of these agents, too.
   */
  delegating?: readonly string[] | undefined;
  /**
   * Called when the person has accepted a plan, before the model reads it. Afterwards `isOn` should be false. Called again if the
   * process dies before the end of the call is stored.
   *
   * @throws Error whose message says why what the person chose is not possible here; the model and the person read it
   */
  onAccepted(choice: string, of: Of): void | Promise<void>;
}

/**
 * A mode in which the agent looks and plans, as a capability: `createAgent(…).use(planMode({ isOn, onAccepted }))`. While it is on, the
 * model is offered only tools that change nothing, calls of others are blocked, and the model presents its plan with `present_plan`, which asks the person. What the person has accepted stands in the conversation, whole, until its steps are done.
 */
export function planMode(options: PlanModeOptions): Capability<Tool<"present_plan">> {
  checkOptions<PlanModeOptions>("planMode", options, {
    isOn: required(callback),
    choices: either(listOf(anything, "an array of choices"), callback),
    delegating: listOf(text),
    onAccepted: required(callback),
  });
  return { name: "plan mode", tools: [tool(options)], hooks: [guard(options)] };
}

/** The most characters of a plan. The person reads all of it. */
const longestPlan = 20_000;

const usualChoices: readonly PlanChoice[] = [{ name: "go", meaning: "the agent goes on with it" }];

function guard({ isOn, delegating = [] }: PlanModeOptions): AgentHook {
  return {
    name: "plan mode",
    beforeStep({ conversation, user, tools, readOnlyTools, resumes, state }) {
      const on = isOn({ conversation, user });
      const changingNothing = tools.filter((name) => readOnlyTools.includes(name) || delegating.includes(name));
      // A question that stood before a restart may be answered in any mode.
      if (resumes) return on ? { tools: changingNothing } : undefined;
      const offered = on ? changingNothing : tools.filter((name) => name !== presentTool);
      const wasOn = planningSince(state.events);
      if (on === wasOn) return { tools: offered };
      return { tools: offered, notify: on ? startText : stopText };
    },
    beforeToolUse({ conversation, user, root, call, tool }) {
      if (root !== undefined && call.name === presentTool)
        return { block: "Only the agent that the user speaks to presents a plan. Put yours in your answer." };
      // What holds for a conversation holds for the agents below it.
      const isPlanning = isOn({ conversation: root ?? conversation, user });
      const changesNothing = tool?.annotations.readOnlyHint === true || delegating.includes(call.name);
      if (tool === undefined || changesNothing || !isPlanning) return undefined;
      return {
        block: `Only tools that change nothing run while you plan. Present the plan with ${presentTool} first.`,
      };
    },
  };
}

function tool({ choices = usualChoices, onAccepted }: PlanModeOptions): Tool<"present_plan"> {
  return defineTool({
    name: presentTool,
    description:
      "Present your plan to the user, once you have looked at what it needs. The user reads it whole and accepts it, says what to change, or refuses it. Nothing is changed before it is accepted.",
    input: {
      type: "object",
      properties: {
        plan: { type: "string", description: "what you will do and how, in Markdown" },
        steps: {
          type: "array",
          items: { type: "string" },
          description: "its steps in a few words each, if there are several",
        },
      },
      required: ["plan"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    asks: true,
    timeout: Number.POSITIVE_INFINITY,
    async execute({ plan, steps }, { ask, conversation, user }) {
      const text = String(plan);
      if (text.trim() === "") throw new TypeError("`plan` says nothing.");
      if (text.length > longestPlan)
        throw new TypeError(`The plan has ${text.length} characters. Give at most ${longestPlan}.`);
      const of = { conversation, user };
      const offered = typeof choices === "function" ? await choices(of) : choices;
      const message = questionText(text, acceptedSteps(steps), offered);
      const answer = readAnswer(await ask({ message, schema: answerSchema(offered) }), offered);
      if (answer.kind === "change") return { accepted: false, change: answer.words };
      if (answer.kind === "refuse") return { accepted: false, next: "The user refused the plan. Ask what they want." };
      const { choice } = answer;
      try {
        await onAccepted(choice, of);
        return { accepted: true, choice };
      } catch (error) {
        return { accepted: true, choice, problem: error instanceof Error ? error.message : String(error) };
      }
    },
  });
}

/** Any text. The examples are what a screen may offer as buttons. */
function answerSchema(choices: readonly PlanChoice[]) {
  return { type: "string", examples: [...choices.map(({ name }) => name), "no"] } as const;
}

/** What the person reads: all that would be accepted, and how to answer. */
function questionText(plan: string, steps: readonly string[], choices: readonly PlanChoice[]): string {
  const list = steps.map((step, index) => `${index + 1}. ${step}`).join("\n");
  const ways = choices.map(({ name, meaning }) => `  ${name}: accept it; ${meaning}`);
  const how = ["Your answer:", ...ways, "  no: refuse it", "  other words: what to change"].join("\n");
  return [plan.trim(), ...(list === "" ? [] : [list]), how].join("\n\n");
}
