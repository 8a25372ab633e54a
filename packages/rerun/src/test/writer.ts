import type { Json, LogEvent } from "@cogency/protocol";
import {
  anything,
  callback,
  checkOption,
  checkOptions,
  flag,
  group,
  listOf,
  name,
  required,
  whole,
} from "@cogency/protocol/options";
import type { StoredEvent } from "@cogency/storage";
import { redactEvent, redactSecrets } from "@cogency/storage";
import type { MakeAgent } from "../play/play-parts.ts";
import { checkPlan } from "./check-plan.ts";
import { planOf } from "./plan-of.ts";
import { sourceOf } from "./source/source-of.ts";

export interface WriteTestOptions {
  /** The name of the JSON file beside the test, such as `refund.recorded.json`. */
  dataFile: string;
  /**
   * The agent of the test: what the test imports, `module` as an import in the test names it. With `make`, the test is played before it is
   * written. By default the test makes an agent from the log.
   */
  agent?: { module: string; name: string; make?: MakeAgent | undefined } | undefined;
  /** Lets the tools of that agent run in the test, which then compares their results. Defaults to false: calls end as recorded. */
  runTools?: boolean | undefined;
  /** How many turns of the conversation the test has, from the first. Defaults to all. */
  turns?: number | undefined;
  /** Returns a text without its secrets; applied to every text of the log. Defaults to `redactSecrets` of `@cogency/storage`. */
  redact?: ((text: string) => string) | undefined;
}

export interface WrittenTest {
  /** The sentence of the test. */
  readonly title: string;
  /** TypeScript for vitest. */
  readonly source: string;
  /** JSON text: the requests to the model, and texts too long for the test. Undefined if there are none. */
  readonly data: string | undefined;
  readonly turns: number;
  /** Whether the test compares the requests to the model; the log may not hold them. */
  readonly comparesRequests: boolean;
}

/**
 * Writes a vitest file from a conversation: the model writes what it wrote, calls end as they ended, and the test fails if the agent asks
 * the model something else, runs other calls, asks other questions or ends in another way. The test is played before it is returned.
 *
 * @throws UnwritableTestError if the conversation cannot be a test; TypeError, RangeError for wrong options
 */
export async function writeTest(log: readonly StoredEvent[], options: WriteTestOptions): Promise<WrittenTest> {
  checkOption("writeTest", "log", log, required(listOf(anything, "the events of a conversation")));
  checkOptions<WriteTestOptions>("writeTest", options, {
    dataFile: required(name),
    agent: group<NonNullable<WriteTestOptions["agent"]>>({
      module: required(name),
      name: required(name),
      make: callback,
    }),
    runTools: flag,
    turns: whole(1),
    redact: callback,
  });
  const { dataFile, agent, runTools = false, turns, redact = redactSecrets } = options;
  const cleaned = log.map((event) => withoutSecrets(event, redact));
  const plan = planOf(cleaned, { hasAgent: agent !== undefined, runsTools: runTools, turns });
  await checkPlan(plan, agent?.make, runTools);
  const { source, data } = sourceOf(plan, { dataFile, agent, runTools });
  return { title: plan.title, source, data, turns: plan.turns.length, comparesRequests: plan.requests !== undefined };
}

/** A store leaves a provider's own blocks as they were signed. No test sends them to a provider. */
function withoutSecrets(event: StoredEvent, redact: (text: string) => string): LogEvent {
  const cleaned = redactEvent(event, redact);
  if (cleaned.type !== "record" || cleaned.kind !== "native") return cleaned;
  const text = JSON.stringify(cleaned.data.data, (_, value) => (typeof value === "string" ? redact(value) : value));
  return { ...cleaned, data: { ...cleaned.data, data: JSON.parse(text) as Json } };
}
