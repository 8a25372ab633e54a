import {
  anything,
  callback,
  checkOptions,
  listOf,
  object,
  oneOf,
  required,
  signal,
  whole,
} from "@cogency/protocol/options";
import type { Prices } from "@cogency/provider";
import type { StoredEvent } from "@cogency/storage";
import { recordedCallsOf } from "../record/recorded-calls-of.ts";
import { type Beginning, beginningOf } from "./beginning-of.ts";
import type { ComparedSource, CompareOptions, Variant } from "./compare-options.ts";
import { requestIn } from "./compared-prefix.ts";
import type { ComparedRun, Comparison, VariantRun } from "./comparison.ts";
import { measureRun } from "./measure-run.ts";
import { runVariant } from "./run-variant.ts";
import { statusOf } from "./status-of.ts";
import { isOfPerson } from "./steps-of.ts";

/**
 * Runs a stored conversation again from one of its requests on, once for each variant, and says how each run differs from the recorded
 * one. The prefix is copied from the log, and the messages of the first request are compared with the recorded ones byte for byte.
 *
 * Words that the person sent later are sent again, as are answers to questions; a question that the record does not answer is denied.
 * Nothing is written to the store that the conversation comes from. A run that fails is a result; later turns are left out then.
 *
 * @throws CompareError; TypeError, RangeError for wrong options; what `agent` throws; what the store throws
 */
export async function compare(source: ComparedSource, options: CompareOptions): Promise<Comparison> {
  checkOptions<CompareOptions>("compare", options, {
    from: whole(0),
    variants: required(listOf(anything, "an array of variants")),
    agent: required(callback),
    tools: oneOf("recorded", "run"),
    repeat: whole(1),
    budget: object,
    prices: object,
    signal,
  });
  for (const [index, variant] of options.variants.entries()) checkVariant(variant, index);
  const { log, conversation, user } = await sourceOf(source);
  const beginning = beginningOf(log, options.from);
  const variants: VariantRun[] = [];
  for (const variant of options.variants) {
    for (let repetition = 1; repetition <= (options.repeat ?? 1); repetition++) {
      options.signal?.throwIfAborted();
      variants.push(await runVariant({ log, conversation, user, beginning }, variant, repetition, options));
    }
  }
  const { cut } = beginning;
  const prompt = log.slice(0, cut).findLast(isOfPerson);
  return {
    conversation,
    from: log[cut]?.seq ?? log.length + 1,
    shared: cut,
    prompt: prompt?.type === "user" ? prompt.content : "",
    recorded: recordedRun(log, beginning, options.prices),
    variants,
  };
}

function checkVariant(variant: Variant, index: number): void {
  if (typeof variant?.name === "string" && typeof variant.provider?.stream === "function") return;
  throw new TypeError(`compare: variants[${index}] must have a \`name\` and a \`provider\`.`);
}

async function sourceOf(source: ComparedSource) {
  if (isLog(source)) return { log: source, conversation: "recorded", user: undefined };
  const { store, conversation, user } = source;
  return { log: await store.load({ conversation, user }), conversation, user };
}

function isLog(source: ComparedSource): source is readonly StoredEvent[] {
  return Array.isArray(source);
}

function recordedRun(log: readonly StoredEvent[], { cut }: Beginning, prices: Prices | undefined): ComparedRun {
  const events = log.slice(cut);
  const model = (requestIn(events) ?? lastRequest(log))?.model;
  return {
    name: "recorded",
    model,
    ...statusOf(log, cut),
    ...measureRun(events, { model, prices }),
    calls: recordedCallsOf(log).filter(({ seq }) => seq > (log[cut - 1]?.seq ?? 0)).length,
  };
}

function lastRequest(log: readonly StoredEvent[]) {
  const record = log.findLast((event) => event.type === "record" && event.kind === "request");
  return record && requestIn([record]);
}
