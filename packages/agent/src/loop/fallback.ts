import type { UserEvent } from "@cogency/protocol";
import { CONTINUE } from "@cogency/protocol/host";
import { isProviderError, type ProviderErrorCode } from "@cogency/provider";
import { fallbackNotice } from "../drivers/notices.ts";
import { isRunError, type RunError } from "../errors.ts";
import type { Model } from "../model.ts";
import type { RunContext } from "../run-context.ts";
import { openLine } from "../session/open-line.ts";
import { askForRoom, Unaffordable } from "./ask-for-room.ts";
import { RequestRecords } from "./request-records.ts";
import { runStep } from "./step.ts";
import type { CompletedStep, EndingAfter } from "./step-outcome.ts";

/**
 * Takes a step. If its provider is down, the run goes on with the next one, over the same log: text that was shown is closed and
 * stored, and no call of the broken answer runs. Before the step, and if its request was too long, the conversation may be made shorter.
 */
export async function runStepSomewhere(context: RunContext, endingAfter: EndingAfter): Promise<CompletedStep> {
  try {
    return await tryProviders(context, endingAfter);
  } catch (error) {
    if (error instanceof Unaffordable) return { outcome: { type: "unaffordable", stop: error.stop } };
    throw error;
  }
}

/** @throws Unaffordable where the conversation is to be made shorter, and the budget has not enough left for that, or a hook stops it */
async function tryProviders(context: RunContext, endingAfter: EndingAfter): Promise<CompletedStep> {
  let isRepeat = false;
  for (let refusals = 0; ; isRepeat = true) {
    try {
      if (isRepeat && context.tools) await context.tools.take(false);
      if (refusals === 0) await askForRoom(context);
      return await runStep(context, endingAfter, isRepeat);
    } catch (error) {
      if (await askForRoom(context, error, refusals + 1)) {
        refusals++;
        context.timeline.tell(() => ({ type: "step_ended", outcome: "unusable" }));
        await askToContinue(context);
        continue;
      }
      const next = isDown(error) && !context.signal.aborted ? context.fallback.shift() : undefined;
      if (!next) throw error;
      await goOnWith(context, next, error as RunError);
    }
  }
}

async function goOnWith(context: RunContext, next: Model, { message }: RunError): Promise<void> {
  const { outlet, timeline, meter, session, stream, requests } = context;
  const { clock, provider } = context.settings;
  timeline.tell(() => ({ type: "step_ended", outcome: "unusable" }));
  await session?.close();
  const attachments = { ...context.settings.attachments, kinds: next.provider.capabilities.attachments ?? [] };
  context.settings = { ...context.settings, ...next, attachments };
  context.session = openLine(context.settings, stream);
  context.requests = requests && new RequestRecords(context.settings);
  meter.price = next.price;
  await outlet.put(fallbackNotice(provider.name, next.provider.name, message, clock()));
  await askToContinue(context);
}

/** Stores what the next model is asked after text that broke off, so that later requests begin with the same messages. */
async function askToContinue({ log, outlet, settings }: RunContext): Promise<void> {
  const stored = await log.load();
  const last = stored.findLast(({ type }) => type !== "record")?.type;
  if (last !== "think" && last !== "respond") return;
  const asked: UserEvent = { type: "user", content: CONTINUE, origin: "recovery", timestamp: settings.clock() };
  await log.append([asked]);
  await outlet.put(asked);
}

/** Whether another provider may succeed: the failure is not about what was asked. */
function isDown(error: unknown): boolean {
  if (!isRunError(error) || error.code !== "provider") return false;
  return !isProviderError(error.cause) || !ofTheRequest.has(error.cause.code);
}

const ofTheRequest: ReadonlySet<ProviderErrorCode> = new Set([
  "bad_request",
  "answer_too_large",
  "insecure",
  "unsupported",
]);
