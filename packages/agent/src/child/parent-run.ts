import type { LogEvent, RunEvent } from "@cogency/protocol";
import type { Content, ToolContext } from "@cogency/tools";
import { CallLeft } from "@cogency/tools/host";
import type { AgentOptions, Budget } from "../agent-options.ts";
import { isStoreFailure } from "../errors.ts";
import { send } from "../inbox/send.ts";
import { askAgain } from "../log/ask-again.ts";
import { contentIn } from "../log/held-content.ts";
import type { Used } from "../loop/ledger.ts";
import type { RunResult } from "../run.ts";
import type { ParentLink, RunContext } from "../run-context.ts";
import { childName } from "./child-name.ts";
import { QuestionsBelow } from "./questions-below.ts";

/** An agent that a call starts. */
export interface ChildDefinition {
  readonly name: string;
  readonly instructions: string;
  /** The names of its tools, of those in `ParentRun.tools`. */
  readonly tools: readonly string[];
  readonly provider?: AgentOptions["provider"] | undefined;
  readonly driver?: AgentOptions["driver"];
  readonly budget?: Budget | undefined;
  /** What the instructions hold. */
  readonly holds?: readonly Content[] | undefined;
}

/** How an agent has ended that a call has started. */
export interface ChildEnding {
  readonly conversation: string;
  readonly result: RunResult;
  /** What its conversation has used, in all of its runs. */
  readonly used: Used | undefined;
  /** What its conversation holds. */
  readonly content: readonly Content[];
}

/** An agent that a call of the conversation has started. */
export interface KnownChild {
  readonly agent: string;
  readonly conversation: string;
  /** The id of the call, and the arguments that the model gave it. */
  readonly call: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The run whose call a tool carries out, for a tool that starts agents. */
export interface ParentRun {
  /** The names of the agents that lead to the run, from the outermost; empty for the agent of a person's conversation. */
  readonly agents: readonly string[];
  /** The conversation of a person to which the run belongs. */
  readonly root: string;
  /** The names of the tools that the run may use in this step. */
  readonly tools: readonly string[];
  /** What the conversation held before the model wrote the call. */
  readonly content: readonly Content[];
  /**
   * Lets an agent work until it ends. If an earlier run of this call has begun that, goes on with it, also while the process of the
   * earlier one may still be alive: then it waits for its lease.
   *
   * @throws CallLeft if the agent waits for answers, or its run was interrupted together with that of the call
   */
  run(child: ChildDefinition, prompt: string): Promise<ChildEnding>;
  /**
   * Lets an agent work while the run goes on, and after it, as long as the process lives. When it has ended, the conversation gets a
   * message that says so.
   *
   * @param told the message for the model
   * @returns the name of its conversation
   */
  runInBackground(child: ChildDefinition, prompt: string, told: (ending: ChildEnding) => string): Promise<string>;
  /** An agent that works, or has worked, in the background. */
  find(conversation: string): KnownChild | undefined;
  /** Waits for the end of an agent in the background. If its process has ended, goes on with it. Throws as `run`. */
  join(child: ChildDefinition, known: KnownChild, prompt: string): Promise<ChildEnding>;
}

/** The run whose call has this context; undefined where no agent runs the tool. */
export function parentRun(tool: ToolContext): ParentRun | undefined {
  const context = typeof tool.host === "function" ? (tool.host() as RunContext) : undefined;
  if (!context?.ledger || !context.settings.startChild) return undefined;
  const { events } = tool.state;
  const { hooks, parent, settings } = context;
  return {
    agents: parent?.agents ?? [],
    root: parent?.root ?? context.conversation,
    tools: settings.registry.names().filter((name) => !hooks?.refuse?.(name)),
    content: context.judgedBy,
    async run(child, prompt) {
      const conversation = await childName(context, tool.call.id, events);
      const call = tool.call.id;
      await noteBegin(context, events, { call, agent: child.name, conversation });
      return goOn(context, tool, { child, prompt, conversation, call, isHeldBack: false });
    },
    async runInBackground(child, prompt, told) {
      const conversation = await childName(context, tool.call.id, events);
      const call = tool.call.id;
      const begun = { call, agent: child.name, conversation, background: true as const };
      await noteBegin(context, events, begun);
      const work = startChild(context, tool, { child, prompt, conversation, call, isHeldBack: true });
      void work
        .then(async (ending) => {
          const { status, stop } = ending.result;
          // One that was interrupted is not over: who looks for what is due tells the conversation of it.
          if (status === "stopped" && stop.reason === "time_limit") return makeDue(context, conversation);
          const { used } = ending;
          const notice = { kind: "notice" as const, content: told(ending), child: { ...begun, ...(used && { used }) } };
          await send(settings, { conversation: context.conversation, user: context.user }, notice, {
            id: `${conversation}#end`,
          });
        })
        .catch(() => {});
      return conversation;
    },
    find: (conversation) => knownChild(events, conversation),
    join: (child, { conversation, call }, prompt) =>
      goOn(context, tool, { child, prompt, conversation, call, isHeldBack: false }),
  };
}

interface Work {
  child: ChildDefinition;
  prompt: string;
  conversation: string;
  /** The id of the call that began it. */
  call: string;
  /** Whether it works in the background. */
  isHeldBack: boolean;
}

/** Lets the agent work; again, if an answer for it has come meanwhile. */
async function goOn(context: RunContext, tool: ToolContext, work: Work): Promise<ChildEnding> {
  const { signal, settings, log } = context;
  const questions = new QuestionsBelow(context, tool.call.id, work.conversation, tool.state.events);
  try {
    await questions.passOnKnown();
    for (let tries = 1; ; tries++) {
      const ending = await startChild(context, tool, work, questions);
      const { result, used } = ending;
      const {
        call,
        conversation,
        child: { name: agent },
      } = work;
      if (used) {
        const data = { call, agent, conversation, used };
        const noting = log.append([{ type: "record", kind: "child", data, timestamp: settings.clock() }]);
        await (signal.aborted ? noting.catch(() => {}) : noting);
      }
      if (tries < mostTries && hasLostLease(result) && !signal.aborted) continue;
      if (result.status === "waiting") {
        const ids = result.waiting.map(({ question }) => question);
        if (await questions.takePassedOn(ids)) continue;
        throw new CallLeft(questions.standing(ids));
      }
      // The end of the run above, or its hand-over, is that of the agent: who goes on with the run goes on with it.
      if (result.status === "stopped" && result.stop.reason === "time_limit") {
        context.handOver();
        if (signal.aborted) throw new CallLeft();
      }
      return ending;
    }
  } finally {
    await questions.close();
  }
}

/** Runs of one agent in a row that may lose its conversation, because this process was asleep for instance. */
const mostTries = 3;

/** Whether another run may go on where this one was, with a lease of its own. */
function hasLostLease({ error }: RunResult): boolean {
  const codes = ["lease_lost", "lease_held", "conflict"] as const;
  return error !== undefined && codes.some((code) => isStoreFailure(error.cause, code));
}

async function startChild(
  context: RunContext,
  tool: ToolContext,
  { child, prompt, conversation, call, isHeldBack }: Work,
  questions?: QuestionsBelow,
): Promise<ChildEnding> {
  const { settings, parent, user, approve, answer, metadata, stream, timeline } = context;
  const { name, holds = [], instructions, tools, provider, driver, budget } = child;
  const agents = [...(parent?.agents ?? []), name];
  const id = tool.call.id;
  let own: RunContext | undefined;
  const tell = (event: RunEvent) => {
    const nested = () => ({ type: "subagent" as const, id, event });
    if (isHeldBack) timeline.tell(nested);
    else timeline.tellOfCall(id, nested);
  };
  const link: ParentLink = {
    context,
    call,
    root: parent?.root ?? context.conversation,
    agents,
    events: tool.state.events,
    onContext(started) {
      own = started;
    },
    onCall(event, path) {
      questions?.hear(event, path);
      if (!isHeldBack) parent?.onCall(event, path);
    },
  };
  const run = settings.startChild(
    {
      instructions,
      instructionsHold: [...holds, ...context.judgedBy],
      tools,
      provider,
      driver,
      budget,
    },
    prompt,
    {
      conversation,
      user,
      approve,
      answer,
      metadata,
      stream,
      signal: withWorkKept(context, isHeldBack ? context.signal : tool.signal),
      handOver: context.handingOver,
      ...(timeline.isHeard && { on: tell }),
      parent: link,
    },
  );
  const result = await run.result;
  const isOwn = own !== undefined && result.error?.code !== "of_subagent" && result.error?.code !== "busy";
  if (!own || !isOwn) return { conversation, result, used: undefined, content: [] };
  const log = await askAgain(() => settings.store.load({ conversation, user }));
  return { conversation, result, used: own.ledger.used, content: [...own.assumed, ...contentIn(log)] };
}

/**
 * A signal for the agent. A run that has lost its conversation to another one must not cancel the agent: the other run goes on with it.
 */
function withWorkKept(context: RunContext, signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const lost = () => new DOMException("The run that has started the agent has lost its conversation.", "TimeoutError");
  const abort = () => controller.abort(context.lostLease ? lost() : signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return controller.signal;
}

function makeDue({ settings: { store, scope }, user }: RunContext, conversation: string): Promise<void> {
  return store.wake({ conversation, user }, { id: "interrupted", at: 0, scope });
}

/** Notes in the log what the call begins, unless an earlier run of it has done so. */
async function noteBegin(
  { log, settings }: RunContext,
  events: readonly LogEvent[],
  data: { call: string; agent: string; conversation: string; background?: true },
): Promise<void> {
  if (events.some((event) => isChild(event) && event.data.conversation === data.conversation)) return;
  await log.append([{ type: "record", kind: "child", data, timestamp: settings.clock() }]);
}

type ChildRecord = Extract<LogEvent, { kind: "child" }>;

function isChild(event: LogEvent): event is ChildRecord {
  return event.type === "record" && event.kind === "child" && typeof event.data?.conversation === "string";
}

/** The conversations of agents that work in the background, or did when their process died: the log does not know their end. */
export function childrenInBackground(events: readonly LogEvent[]): string[] {
  const open = new Set<string>();
  for (const event of events) {
    if (!isChild(event)) continue;
    const { conversation, background, used } = event.data;
    if (used) open.delete(conversation);
    else if (background) open.add(conversation);
  }
  return [...open];
}

function knownChild(events: readonly LogEvent[], conversation: string): KnownChild | undefined {
  const at = events.findIndex((event) => isChild(event) && event.data.conversation === conversation);
  const record = events[at];
  if (!record || !isChild(record) || record.data.background !== true) return undefined;
  const { call, agent } = record.data;
  // Another call may have the same id: the one that began it stands before its record.
  const written = events.slice(0, at).findLast((event) => event.type === "call" && event.id === call);
  return { agent, conversation, call, args: argsIn(written) };
}

function argsIn(call: LogEvent | undefined): Readonly<Record<string, unknown>> {
  try {
    const { args } = JSON.parse(call?.type === "call" ? call.content : "") as { args?: unknown };
    return typeof args === "object" && args !== null ? (args as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
