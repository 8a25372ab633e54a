import type { RunEnding } from "../ending.ts";
import { takeSteers, takeTurn } from "../inbox/take-messages.ts";
import { ConsumerLeft } from "../outlet.ts";
import type { RunResult } from "../run.ts";
import type { RunContext } from "../run-context.ts";
import { addInstructions } from "./add-instructions.ts";
import { beginRun, beginWithHooks, callsLeft, openMailbox, type Prompt, resumeOpen } from "./begin-run.ts";
import { createBudget, stopped } from "./budget.ts";
import { endRun, endTurn, interrupt, isNotStored, leave, notStored } from "./end-run.ts";
import { runStepSomewhere } from "./fallback.ts";
import type { StepOutcome } from "./step-outcome.ts";

/**
 * The loop: stores the prompt, then takes turns until the inbox holds nothing more for the conversation, a turn is stopped, or
 * calls wait for answers.
 *
 * @throws RunError if the run fails; ConsumerLeft
 */
export async function runLoop(context: RunContext, prompt: Prompt | undefined): Promise<RunResult> {
  const { settings, outlet } = context;
  try {
    await context.lease.take();
    context.live?.begin();
    context.deadline.start();
    await openMailbox(context);
    let ending = await beginRun(context, prompt);
    for (;;) {
      ending ??=
        (await beginWithHooks(context, prompt)) ?? (await addInstructions(context)) ?? (await runTurn(context));
      if (!ending) return await interrupt(context);
      const isOver = !(await goOn(context, ending));
      if (isOver) return await endRun(context, ending);
      ending = ending.status === "waiting" ? await resume(context) : undefined;
    }
  } catch (error) {
    if (context.lostLease) throw context.lostLease;
    if (error instanceof ConsumerLeft) return leave(context, error);
    if (!isNotStored(error)) throw error;
    const result = notStored(context, error);
    // Whether anybody takes it or not.
    await outlet.put({ type: "interrupt", timestamp: settings.clock() }).catch(() => {});
    return result;
  }
}

/**
 * One turn: takes steps until the model has answered, the budget is used up, or a tool or a hook ends the run. Undefined if the
 * run's signal aborts.
 */
async function runTurn(context: RunContext): Promise<RunEnding | undefined> {
  const { hooks, outlet, signal } = context;
  const budget = createBudget(context);
  context.mayNudge = true;
  if (hooks) hooks.budget = budget;
  for (;;) {
    context.handOver();
    if (signal.aborted) return undefined;
    const usedUp = await budget.endingBefore();
    if (usedUp) return endTurn(context, usedUp);
    if (signal.aborted) return undefined;
    await takeSteers(context);
    if (context.tools) await context.tools.take(false);
    if (context.tools && signal.aborted) return undefined;
    await budget.tellModel();
    const stoppedByHook = await hooks?.beforeStep(false);
    if (stoppedByHook) return endTurn(context, stoppedByHook);
    if (hooks && signal.aborted) return undefined;
    const step = runStepSomewhere(context, budget.endingAfter);
    const { outcome, ending } = await (hooks ? step.finally(() => hooks.endStep()) : step);
    if (outcome.type === "unaffordable") {
      if (await budget.goesPast(outcome.stop)) continue;
      return signal.aborted ? undefined : endTurn(context, stopped(outcome.stop));
    }
    tellStep(context, outcome, ending);
    if (ending?.notice) await outlet.put(ending.notice);
    if (ending) return ending;
    if (outcome.type === "unusable" && outcome.stop) {
      if (await budget.goesPast(outcome.stop)) continue;
      return signal.aborted ? undefined : endTurn(context, stopped(outcome.stop));
    }
    if (outcome.type === "unusable") budget.countFailure(outcome);
    if (outcome.type === "interrupted") return undefined;
  }
}

/** Whether the run goes on after a turn: with the words that wait in the inbox, or with an answer that has come. */
async function goOn(context: RunContext, { status, waiting = [] }: RunEnding): Promise<boolean> {
  await context.mailbox.settled();
  if (context.signal.aborted) return false;
  const isAnswered = waiting.some(({ question }) => context.mailbox.has(question));
  const hasWords = status === "completed" && (await takeTurn(context));
  if (isAnswered || hasWords) context.ending = undefined;
  return isAnswered || hasWords;
}

/** Goes on with the batch that waited. */
async function resume(context: RunContext): Promise<RunEnding | undefined> {
  const open = await callsLeft(context, await context.log.load());
  return open && resumeOpen(context, open);
}

/** The outcome of a step that was taken. */
type Taken = Exclude<StepOutcome, { type: "unaffordable" }>;

function tellStep({ timeline }: RunContext, { type }: Taken, ending: RunEnding | undefined): void {
  timeline.tell(() => ({ type: "step_ended", outcome: type }));
  const goesOn = !ending && type !== "interrupted";
  const reason = ending?.stop?.message ?? reasons[type];
  timeline.tell(() => ({ type: "continuation_evaluated", goesOn, reason }));
}

/** Why a run goes on, or ends, after a step with this outcome. */
const reasons: Record<Taken["type"], string> = {
  answered: "The model has answered.",
  acted: "The model has not seen the results of its calls.",
  waiting: "Calls wait for answers.",
  unusable: "The model is told why its output could not be used.",
  interrupted: "The run was aborted.",
};
