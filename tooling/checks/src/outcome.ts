/** The result of a check for one item: a short note, and the problems. */
export interface Outcome {
  item: string;
  note: string;
  problems: string[];
}

/** Prints one line for each item with its problems below, and sets the exit code. An empty list is a failure. */
export function printOutcomes(outcomes: readonly Outcome[]): void {
  const width = Math.max(0, ...outcomes.map(({ item }) => item.length));
  for (const { item, note, problems } of outcomes) {
    console.log(`${problems.length > 0 ? "fail" : "ok  "}  ${item.padEnd(width)}  ${note}`.trimEnd());
    for (const problem of problems) console.log(`      ${problem.replaceAll("\n", "\n      ")}`);
  }
  if (outcomes.length === 0) console.log("fail  nothing to check");
  process.exitCode = outcomes.length === 0 || outcomes.some(({ problems }) => problems.length > 0) ? 1 : 0;
}
