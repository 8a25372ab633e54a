import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { jsonLines, models, type Outcome, outcomeOf, place, written } from "./support/command-line.ts";
import { problemsOf } from "./support/run-output.ts";

const last = ({ stdout }: Outcome) => jsonLines<object>(stdout).at(-1);

it("a run is watched and cancelled from elsewhere: the same events in the same order, and each line fits", async () => {
  const { cogency, start, store } = place();
  const run = start(["go", "--conversation", "c", "--json", "--provider", models, "--model", "hanging"]);
  const outcome = outcomeOf(run);
  await written(run.stdout, /request_started/);
  expect(existsSync(store)).toBe(true);
  const watching = start(["attach", "c", "--json"]);
  const watched = outcomeOf(watching);
  await written(watching.stdout, /"type":"user"/);
  expect(await cogency(["cancel", "c", "--reason", "enough"])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("The run has taken it."),
  });
  const cancelled = await outcome;
  expect(await problemsOf(cancelled)).toEqual([]);
  expect(last(cancelled)).toMatchObject({ status: "stopped", stop: { reason: "user_requested" } });
  const { stdout: stored } = await cogency(["history", "show", "c", "--json"]);
  const seen = await watched;
  expect(seen.code).toBe(0);
  expect(jsonLines(stored)).toEqual(expect.arrayContaining(jsonLines(seen.stdout)));
  expect(jsonLines<object>(seen.stdout).map((event) => "seq" in event && event.seq)).toEqual(
    jsonLines<{ seq: number }>(stored)
      .slice(1)
      .map(({ seq }) => seq),
  );
  expect((await cogency(["cancel", "c"])).code).toBe(2);
});
