import { callOf, type LogEvent, parseResults } from "@cogency/protocol";
import { farewellOf, promptOf } from "./plan.ts";

/** What a conversation of the fleet shows that has ended. */
export interface Findings {
  /** Broken laws, a sentence each. */
  problems: string[];
  /** Calls whose results say that their outcome is unknown. */
  unknown: number;
  /** Calls of the model that the log holds. */
  steps: number;
}

/**
 * - Each prompt is in the log once, and was answered once.
 * - Each step was committed once, and its call has one result.
 * - No charge happened twice; one that did not happen is told as unknown, or as one that never began.
 */
export function findingsOf(
  conversation: string,
  steps: number,
  log: readonly LogEvent[],
  charges: readonly string[],
): Findings {
  const problems: string[] = [];
  const must = (holds: boolean, problem: string) => {
    if (!holds) problems.push(`${conversation}: ${problem}`);
  };
  const prompts = log.filter((event) => event.type === "user" && event.content === promptOf(steps));
  must(prompts.length === 1, `its prompt is in the log ${prompts.length} times.`);
  const said = log.flatMap((event) => (event.type === "respond" ? [event.content.trim()] : []));
  const farewells = said.filter((text) => text === farewellOf(steps)).length;
  must(farewells === 1, `it was answered ${farewells} times.`);
  const called = log.flatMap((event) => (event.type === "call" ? [callOf(event).args.step] : []));
  const wanted = Array.from({ length: steps }, (_, index) => index + 1);
  must(JSON.stringify(called) === JSON.stringify(wanted), `the log has the steps ${called}.`);
  const results = log.flatMap((event) => (event.type === "result" ? parseResults(event.content) : []));
  must(results.length === steps, `${steps} calls have ${results.length} results.`);
  const unknown = results.filter((result) => JSON.stringify(result).includes("unknown")).length;
  for (const step of wanted) {
    const times = charges.filter((charge) => charge === `${conversation} ${step}`).length;
    must(times <= 1, `step ${step} was charged ${times} times.`);
    const result = JSON.stringify(results[step - 1] ?? null);
    must(times === 1 || !result.includes("charged"), `step ${step} was not charged, but its result is ${result}.`);
  }
  return { problems, unknown, steps: called.length };
}
