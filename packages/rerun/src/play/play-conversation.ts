import type { Agent, RunOptions, RunResult } from "@cogency/agent";
import type { LogEvent } from "@cogency/protocol";
import { atLeast, checkOptions, flag, listOf, name, type OptionTable, object, oneOf } from "@cogency/protocol/options";
import { memoryStore } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { canonicalJson } from "@cogency/tools/host";
import { PlayError } from "./play-error.ts";
import type { MakeAgent, PlayInput, PlayOptions, PlayPrompt } from "./play-parts.ts";
import { PlayedCalls, type RecordedToolDefinition } from "./played-calls.ts";
import { PlayedModel } from "./played-model.ts";
import { PlayedRequests } from "./played-requests.ts";
import { type PlayedStep, stepOf } from "./played-step.ts";
import { openQuestions, type PlayedTurn, turnIn } from "./played-turn.ts";

/** A recorded conversation that an agent goes through again. */
export interface Play {
  /**
   * Plays one turn, or goes on with one: gives the agent the input, and lets the model write these steps.
   *
   * @returns what came of it; that a run failed or waits is no error
   * @throws PlayError `request_differs` if the agent asked the model something else than was recorded, `unexpected_request` if it asked more
   *   often, `no_question` if the input answers a question that does not stand
   */
  turn(input: PlayInput | readonly PlayInput[], steps?: readonly (string | PlayedStep)[]): Promise<PlayedTurn>;
  /**
   * Checks that the agent asked the model as often as was recorded.
   *
   * @throws PlayError `unused_steps`
   */
  end(): void;
}

const key = { conversation: "played" };

const table: OptionTable<PlayOptions> = {
  writes: oneOf("json", "xml", "native", "react", "scripted"),
  provider: name,
  model: name,
  requests: listOf(object, "the `requests` of a recorded conversation"),
  runTools: flag,
  startsAt: atLeast(0, "seconds"),
};

/**
 * Lets an agent go through a conversation again: the model writes what it wrote, calls end as they ended, people answer as they did, and
 * every request of the agent is compared with the recorded one. Nothing leaves the process.
 *
 * @param makeAgent makes the agent, once, with the parts in place of its own provider, store, key ring and clock
 * @throws TypeError, RangeError for wrong options
 */
export function playConversation(makeAgent: MakeAgent, options: PlayOptions = {}): Play {
  checkOptions<PlayOptions>("playConversation", options, table);
  const { runTools = false, startsAt = 1_700_000_000 } = options;
  const store = memoryStore();
  const calls = new PlayedCalls();
  const requests = new PlayedRequests(options.requests);
  const model = new PlayedModel(options, (request) => requests.add(request));
  let time = startsAt;
  const clock = () => {
    time = Math.round((time + 0.1) * 10) / 10;
    return time;
  };
  let making: Promise<Agent> | undefined;

  async function make(): Promise<Agent> {
    const agent = await makeAgent({
      provider: model.provider,
      store,
      clock,
      keyRing: createKeyRing(["the records of a play are signed with this key"]),
      warn: () => {},
      recordRequests: true,
      ...(model.driver && { driver: model.driver }),
      record: {
        tool: (definition) => calls.tool(definition),
        tools: (definitions) => definitions.map((one) => calls.tool(one as RecordedToolDefinition)),
        history: requests.history,
      },
    });
    model.onSteer = (content) => agent.send(key, { kind: "steer", content });
    model.onCancel = () => agent.send(key, { kind: "cancel" });
    calls.onCancel = model.onCancel;
    return runTools ? agent : agent.use(calls.capability());
  }

  const load = (): Promise<LogEvent[]> => store.load(key);

  async function turn(given: PlayInput | readonly PlayInput[], written: readonly (string | PlayedStep)[] = []) {
    making ??= make();
    const agent = await making;
    const inputs = Array.isArray(given) ? (given as readonly PlayInput[]) : [given as PlayInput];
    const steps = written.map(stepOf);
    const before = await load();
    calls.add(steps.flatMap((step) => step.calls ?? []));
    model.add(steps);
    const result = await perform(agent, inputs, { ...atHand(calls, steps), ...key }, before);
    const log = await load();
    requests.compare(log);
    const done = { ...endOf(result), ...turnIn(log, before.length, runTools) };
    if (model.isOverdrawn) throw unexpected(done);
    return done;
  }

  return { turn, end: () => model.end() };
}

function unexpected({ calls = [], questions = [] }: Omit<PlayedTurn, "status">): PlayError {
  const ended = calls.map(({ name, outcome }) => `${name}: ${outcome}`).join(", ") || "none";
  const asked = questions.map(({ tool, asks }) => `${tool} (${asks})`).join(", ") || "none";
  return new PlayError(
    "unexpected_request",
    `The agent asked the model once more than it did in this turn when it was recorded. Calls: ${ended}. Open questions: ${asked}.`,
  );
}

/** Gives the agent the inputs, and resolves when its run is over. */
async function perform(
  agent: Agent,
  inputs: readonly PlayInput[],
  options: RunOptions & typeof key,
  log: readonly LogEvent[],
): Promise<RunResult> {
  const [first] = inputs;
  const prompt = typeof first === "string" ? { text: first } : first && "text" in first ? first : undefined;
  if (inputs.length === 1 && prompt && !prompt.tools) return begin(agent, prompt, options);
  const answered = new Set<string>();
  for (const input of inputs) {
    if (typeof input === "string") await agent.send(key, { kind: "prompt", content: input });
    else if ("text" in input) {
      const { text: content, attachments, tools } = input;
      await agent.send(key, { kind: "prompt", content, attachments, tools });
    } else if ("notice" in input) await agent.send(key, { kind: "notice", content: input.notice });
    else if ("cancel" in input) await agent.send(key, { kind: "cancel" });
    else if (!("goOn" in input)) await answer(agent, input, log, answered);
  }
  return agent.recover(options).result;
}

type Answer = Extract<PlayInput, { approve: string } | { deny: string } | { answer: string }>;

async function answer(agent: Agent, input: Answer, log: readonly LogEvent[], answered: Set<string>): Promise<void> {
  const [tool, asks] =
    "answer" in input
      ? ([input.answer, "answer"] as const)
      : (["approve" in input ? input.approve : input.deny, "approval"] as const);
  const open = openQuestions(log);
  const found = open.find((one) => one.name === tool && one.asks === asks && !answered.has(one.id));
  if (!found) {
    const what = asks === "answer" ? `No question of ${tool} is open.` : `No call of ${tool} waits for approval.`;
    const others = open.map((one) => `${one.name} (${one.asks})`).join(", ") || "none";
    throw new PlayError("no_question", `${what} Open questions: ${others}.`);
  }
  answered.add(found.id);
  const { id: question } = found;
  if ("answer" in input) await agent.send(key, { kind: "answer", question, content: input.content });
  else {
    const kind = "approve" in input ? "approve" : "deny";
    await agent.send(key, { kind, question, ...(input.reason !== undefined && { reason: input.reason }) });
  }
}

async function begin(agent: Agent, prompt: PlayPrompt, options: RunOptions & typeof key): Promise<RunResult> {
  const { text, attachments, object: schema, untrusted, private: secret } = prompt;
  const given = { text, ...(attachments && { attachments }) };
  const from = { ...(untrusted !== undefined && { untrusted }), ...(secret !== undefined && { private: secret }) };
  if (!schema) return agent.ask(given, { ...options, ...from });
  return (await agent.object(given, schema, { ...options, ...from }).result) as RunResult;
}

/** The person at hand of the recorded turn, if there was one. */
function atHand(calls: PlayedCalls, steps: readonly PlayedStep[]): Pick<RunOptions, "approve" | "answer"> {
  const played = steps.flatMap((step) => step.calls ?? []);
  const isAsked = played.some(({ approved }) => approved !== undefined);
  const isAnswered = played.some(({ answered }) => answered !== undefined);
  return {
    ...(isAsked && {
      approve: ({ call }) => {
        const { approved } = calls.find(call) ?? {};
        return typeof approved === "object" ? { approved: false, reason: approved.reason } : approved === true;
      },
    }),
    ...(isAnswered && {
      answer: ({ call }) => {
        const { answered } = calls.find(call) ?? {};
        if (answered === undefined) throw new Error(`Nobody answered this: ${canonicalJson(call.args)}`);
        return answered;
      },
    }),
  };
}

function endOf(result: RunResult): Pick<PlayedTurn, "status" | "stop" | "error" | "object"> {
  const { status, stop, error } = result;
  const made = result.status === "completed" && result.object !== undefined ? { object: result.object } : {};
  return { status, ...(stop && { stop: stop.reason }), ...(error && { error: error.code }), ...made };
}
