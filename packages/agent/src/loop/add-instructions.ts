import { bounded, createAbortScope } from "@cogency/async";
import type { InstructionsOfRun, RunInstructions } from "../instructions-of-run.ts";
import type { RunContext } from "../run-context.ts";
import { RequestRecords } from "./request-records.ts";

/** Milliseconds that instructions of a run may take. */
const longest = 5000;

/** Adds to the system prompt what counts for this run, once. One that fails is told and left out. */
export async function addInstructions(context: RunContext): Promise<undefined> {
  const { instructionsOfRun, ofRun } = context.settings;
  if (ofRun || instructionsOfRun.length === 0) return;
  const asked = await Promise.all(instructionsOfRun.map((instructions) => askedFor(instructions, context)));
  const added = asked.filter((one) => one !== undefined);
  const system = [context.settings.system, ...added.map(({ text }) => text)].filter(Boolean).join("\n\n");
  context.settings = { ...context.settings, system, ofRun: added };
  if (context.requests) context.requests = new RequestRecords(context.settings);
}

async function askedFor(
  instructions: InstructionsOfRun,
  { conversation, user, settings, signal, outlet }: RunContext,
): Promise<RunInstructions | undefined> {
  const { scope, clock } = settings;
  const ending = new AbortController();
  const abort = createAbortScope();
  const unfollow = abort.follow(signal);
  const run = { conversation, user, scope, signal: ending.signal };
  const ended = await bounded(async () => given(await instructions(run)), {
    scope: abort,
    timeout: longest,
    grace: 0,
    stop: (_, reason) => ending.abort(reason),
  });
  unfollow();
  if (ended.end === "fulfilled") return ended.value;
  if (signal.aborted) return undefined;
  const why = ended.end === "rejected" ? messageOf(ended.error) : `they took longer than ${longest / 1000} s.`;
  const content = `The run goes on without some of its instructions: ${why}`;
  await outlet.put({ type: "error", code: "instructions_failed", content, timestamp: clock() });
  return undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A host without a type checker may return anything. @throws TypeError */
function given(instructions: unknown): RunInstructions | undefined {
  if (instructions === undefined) return undefined;
  const { text, recorded } = (
    typeof instructions === "string" ? { text: instructions, recorded: instructions } : Object(instructions)
  ) as Partial<Record<keyof RunInstructions, unknown>>;
  if (typeof text !== "string" || typeof recorded !== "string")
    throw new TypeError("`instructionsOfRun` returned neither a text nor { text, recorded }.");
  // Drivers may trim what they join, and a record finds the text by its characters.
  const trimmed = text.trim().toWellFormed();
  return trimmed === "" ? undefined : { text: trimmed, recorded: recorded.toWellFormed() };
}
