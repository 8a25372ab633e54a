import { setTimeout } from "node:timers/promises";
import type { RunEvent } from "@cogency/protocol";
import { isPersisted } from "@cogency/protocol/host";
import { expect, it } from "vitest";
import { jsonLines, models, outcomeOf, place, written } from "./support/command-line.ts";

it("a killed run loses no event that it printed, and the conversation can go on", async () => {
  const { start, cogency } = place();
  const slow = ["run", "go", "--provider", models, "--model", "slow", "--conversation", "c", "--json"];
  const printed: object[] = [];
  for (let round = 0; round < 4; round++) {
    const child = start(slow);
    const begun = written(child.stdout, new RegExp(`(?:\\n[^\\n]*){${1 + round * 3}}`));
    const outcome = outcomeOf(child);
    await begun;
    await setTimeout(Math.random() * 60);
    child.kill("SIGKILL");
    const { stdout } = await outcome;
    const events = jsonLines<RunEvent>(stdout.slice(0, stdout.lastIndexOf("\n") + 1));
    for (const { run: _, ...event } of events) if (isPersisted(event.type)) printed.push(event);
  }
  expect(printed.length).toBeGreaterThan(8);

  const last = ["run", "list .", "--provider", "offline", "--conversation", "c", "--json"];
  expect((await cogency(last)).code).toBe(0);
  const { stdout } = await cogency(["history", "show", "c", "--json"]);
  const stored = new Set(jsonLines<{ seq: number }>(stdout).map(({ seq: _, ...event }) => JSON.stringify(event)));
  expect(printed.filter((event) => !stored.has(JSON.stringify(event)))).toEqual([]);
});
