/** What a check found out about one item: a few words if all is well, and what is wrong. */
export interface Outcome {
  item: string;
  note: string;
  problems: string[];
}

/** Prints one line an item, its problems under it, and sets the exit code; nothing to check is a failure too. */
export function printOutcomes(outcomes: readonly Outcome[]): void {
  const width = Math.max(0, ...outcomes.map(({ item }) => item.length));
  for (const { item, note, problems } of outcomes) {
    console.log(`${problems.length > 0 ? "fail" : "ok  "}  ${item.padEnd(width)}  ${note}`.trimEnd());
    for (const problem of problems) console.log(`      ${problem.replaceAll("\n", "\n      ")}`);
  }
  if (outcomes.length === 0) console.log("fail  nothing to check");
  process.exitCode = outcomes.length === 0 || outcomes.some(({ problems }) => problems.length > 0) ? 1 : 0;
}
