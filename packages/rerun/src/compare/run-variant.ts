import type { Agent, AgentHook, RunResult } from "@cogency/agent";
import type { ModelMessage } from "@cogency/protocol";
import { memoryStore, type Store, type StoredEvent } from "@cogency/storage";
import { recordedAnswers } from "../record/recorded-answers.ts";
import { recordedCalls } from "../record/recorded-calls.ts";
import { recordedCallsOf } from "../record/recorded-calls-of.ts";
import { alignCalls } from "./align-calls.ts";
import type { Beginning } from "./beginning-of.ts";
import { CompareError } from "./compare-error.ts";
import type { CompareOptions, Variant, VariantParts } from "./compare-options.ts";
import { comparedPrefix, requestIn } from "./compared-prefix.ts";
import type { ComparedRun, VariantRun } from "./comparison.ts";
import { measureRun } from "./measure-run.ts";
import { stepsOfTurn } from "./steps-at-most.ts";
import { type PlayedTurn, turnsAfter, withoutNumber } from "./turns-after.ts";

/** The conversation that variants begin with. */
export interface Recorded {
  readonly log: readonly StoredEvent[];
  readonly conversation: string;
  readonly user: string | undefined;
  readonly beginning: Beginning;
}

/** Runs the turns again, in a store of its own. */
export async function runVariant(
  recorded: Recorded,
  variant: Variant,
  repetition: number,
  options: CompareOptions,
): Promise<VariantRun> {
  const { log, beginning, user } = recorded;
  const { cut } = beginning;
  const after = log[cut - 1]?.seq ?? 0;
  const store = await storeWith(recorded);
  const watch = watching();
  const record = options.tools === "run" ? undefined : recordedCalls(log, { after });
  const made = await options.agent(partsOf(variant, store), variant);
  const agent = [watch.capability, ...(record ? [record.capability] : [])].reduce((one, own) => one.use(own), made);
  const key = { conversation: await forkOf(agent, recorded), user };
  const shared = (await store.load(key)).length;
  const given = recordedAnswers(log, { after, allowRan: record !== undefined });

  let result: RunResult | undefined;
  for (const turn of turnsAfter(log, beginning)) {
    if (result && result.status !== "completed" && result.status !== "stopped") break;
    if (turn.opening.length > 0) await store.append(key, turn.opening);
    watch.begin(turn, (words) => agent.send(key, words));
    const limits = {
      ...options.budget,
      steps: Math.min(options.budget?.steps ?? Number.POSITIVE_INFINITY, stepsOfTurn(turn)),
    };
    result = await agent.recover({ ...key, ...given, budget: limits, signal: options.signal }).result;
    options.signal?.throwIfAborted();
  }

  const all = await store.load(key);
  const own = all.slice(shared);
  const { name, model } = variant.provider;
  const calls = recordedCallsOf(all).filter(({ seq }) => seq > shared);
  const sent = watch.first();
  return {
    name: variant.name,
    repetition,
    provider: name,
    model: requestIn(own)?.model ?? model,
    driver: requestIn(own)?.driver,
    ...endingOf(result),
    ...measureRun(own, { model, prices: options.prices }),
    calls: calls.length,
    prefix: sent && (await comparedPrefix(log, cut, sent, own)),
    differences: alignCalls(
      recordedCallsOf(log).filter(({ seq }) => seq > after),
      calls,
    ),
    uses: record?.uses(),
    fork: { conversation: key.conversation, log: all },
  };
}

/** @throws CompareError `bad_log` */
async function storeWith({ log, conversation, user }: Recorded): Promise<Store> {
  const store = memoryStore();
  try {
    await store.append({ conversation, user }, log.map(withoutNumber));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CompareError("bad_log", `The log holds what no store keeps: ${why}`, { cause });
  }
  return store;
}

/** @throws CompareError `other_store` */
async function forkOf(agent: Agent, { log, conversation, user, beginning }: Recorded): Promise<string> {
  try {
    return await agent.fork(conversation, { at: beginning.cut, user });
  } catch (cause) {
    if (!(cause instanceof RangeError) || log.length === 0) throw cause;
    const message =
      "The agent does not use the store that it was given: pass the parts on to createAgent, after other options.";
    throw new CompareError("other_store", message, { cause });
  }
}

function partsOf({ provider, driver, identity, instructions, request }: Variant, store: Store): VariantParts {
  return {
    provider,
    store,
    // The whole conversation in each request, as the records of requests have it.
    mode: "replay",
    recordRequests: true,
    ...(driver !== undefined && { driver }),
    ...(identity !== undefined && { identity }),
    ...(instructions !== undefined && { instructions }),
    ...(request !== undefined && { request }),
  };
}

type Steer = Parameters<Agent["send"]>[1];

/** Keeps the messages of the first request, and sends the words that a person sent into a turn at the same step. */
function watching() {
  let first: readonly ModelMessage[] | undefined;
  let turn: PlayedTurn | undefined;
  let taken = 0;
  let send: (words: Steer) => Promise<unknown> = async () => {};
  const hook: AgentHook = {
    name: "compared-run",
    beforeRequest({ request, purpose }) {
      if (purpose === "step") first ??= request.messages;
      return undefined;
    },
    async afterStep() {
      taken++;
      for (const { after, words } of turn?.steers ?? []) {
        const { content, attachments } = words;
        if (after === taken) await send({ kind: "steer", content, ...(attachments && { attachments }) });
      }
      return undefined;
    },
  };
  return {
    capability: { name: "compared-run", hooks: [hook] },
    first: () => first,
    begin(next: PlayedTurn, sender: typeof send) {
      [turn, taken, send] = [next, 0, sender];
    },
  };
}

function endingOf(result: RunResult | undefined): Pick<ComparedRun, "status" | "reason" | "message"> {
  if (!result) return { status: "unfinished" };
  if (result.status === "failed") return { status: "failed", reason: result.error.code, message: result.error.message };
  const { status, stop } = result;
  return { status, ...(stop && { reason: stop.reason, ...(stop.message && { message: stop.message }) }) };
}
