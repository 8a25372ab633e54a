import { recordedConversations } from "@tooling/conversations";
import { describe, expect, it } from "vitest";
import { checkRun } from "./support/check-run.ts";
import { clientAfter, faultsOfJudges } from "./support/judge.ts";
import { endingOf, historyOf, linesOf, runOf, shownItems } from "./support/recorded.ts";

describe.each(recordedConversations)("the recorded conversation $name", ({ name, about, items }) => {
  const shown = shownItems(items);
  const log = shown.filter((item) => item.type === "event");
  const ending = endingOf(log.map(({ event }) => event));
  const runs = {
    live: runOf(shown, ending),
    "from the log": runOf(log, ending),
    "as history": historyOf(log, ending),
  };

  it("is the run of its golden file", async () => {
    const sections = Object.entries(runs).map(([how, events]) => `## ${how}\n\n${linesOf(events)}\n`);
    await expect([`# ${name}\n\n${about}\n`, ...sections].join("\n")).toMatchFileSnapshot(`golden/${name}.txt`);
  });

  it.each(Object.entries(runs))("passes the judges of AG-UI and our own check %s", async (_, events) => {
    expect(await faultsOfJudges(events)).toEqual([]);
    expect(checkRun(events)).toEqual([]);
  });

  it("leaves a client with the same messages and state, live and as history", async () => {
    const [live, log, history] = await Promise.all(Object.values(runs).map((events) => clientAfter(events)));
    expect(log).toEqual(history);
    expect(live).toEqual(history);
  });
});
