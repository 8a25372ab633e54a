import { readFileSync } from "node:fs";
import type { StopReason } from "@cogency/tools/host";
import { describe, expect, it } from "vitest";
import type { RunErrorCode } from "../src/index.ts";
import { rows } from "./endings/rows.ts";
import { endingOf, type Said } from "./endings/stage.ts";

const page = readFileSync(new URL("../docs/endings.md", import.meta.url), "utf8");

/** What the page says, by the names of its rows. */
const documented = new Map(
  page.split("\n").flatMap((line): [string, Said][] => {
    const [name, status, reason, error, log, timeline, recover] = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (recover === undefined || name === "the run ended because" || name?.startsWith("--")) return [];
    return [[`${name}`, { status, reason, error, log, timeline, recover } as Said]];
  }),
);

// A new reason or code does not compile until it stands here, and fails until the page has a row of it.
const reasons: Record<StopReason, true> = {
  error: true,
  stop_requested: true,
  user_requested: true,
  steps_limit: true,
  token_limit: true,
  cost_limit: true,
  calls_limit: true,
  time_limit: true,
  retry_limit: true,
  finish_reason: true,
  completed: true,
  unknown: true,
};
const codes: Record<RunErrorCode, true> = {
  provider: true,
  attachments: true,
  context_overflow: true,
  store: true,
  not_stored: true,
  driver: true,
  tool: true,
  hook: true,
  prompt_refused: true,
  no_progress: true,
  key_ring: true,
  busy: true,
  nothing_to_recover: true,
  iterated_twice: true,
  of_subagent: true,
};

describe("the page of endings", () => {
  it("has a row for each run here, and no other", () => {
    expect([...documented.keys()]).toEqual(Object.keys(rows));
  });

  it("names every reason to stop and every code of an error", () => {
    const said = [...documented.values()];
    const inColumn = (column: "reason" | "error") => new Set(said.map((row) => row[column].replaceAll("`", "")));
    expect(Object.keys(reasons).filter((reason) => !inColumn("reason").has(reason))).toEqual([]);
    expect(Object.keys(codes).filter((code) => !inColumn("error").has(code))).toEqual([]);
  });
});

describe("a run ends as the page says because", () => {
  it.each(Object.entries(rows))("%s", async (name, ends) => {
    const { said, result, heard } = await endingOf(ends);
    expect(said).toEqual(documented.get(name));
    const last = heard.findLast((event) => event.type === "run_ended");
    if (result?.error?.code === "iterated_twice") return expect(last).toMatchObject({ status: "completed" });
    expect(last && [last.status, last.stop?.reason, last.error?.code]).toEqual(
      result && [result.status, result.stop?.reason, result.error?.code],
    );
  });
});
