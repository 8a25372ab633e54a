import { readFileSync } from "node:fs";
import { RunError, type RunErrorCode, type RunResult } from "@cogency/agent";
import { describe, expect, it } from "vitest";
import { exitCodeOfError, exitCodeOfRun, exitCodes } from "./exit-code.ts";

const page = readFileSync(new URL("../../../../../packages/agent/docs/endings.md", import.meta.url), "utf8");

/** The rows of the page that have an exit code: why, `status`, `stop.reason`, `error.code`, and the code. */
const rows = page.split("\n").flatMap((line) => {
  const cells = line.split("|").slice(1, -1);
  const [why = "", status = "", reason = "", error = ""] = cells.map((cell) => cell.trim().replaceAll("`", ""));
  const exit = cells.at(-1)?.trim() ?? "";
  return /^\d+$/.test(exit) ? [{ why, status, reason, error, exit }] : [];
});

const none = "–";

describe("the exit code of a run that is over because", () => {
  it.each(rows)("$why", ({ status, reason, error: code, exit }) => {
    const error = code === none ? undefined : new RunError(code as RunErrorCode, "It failed.");
    const stop = reason === none ? undefined : { reason, message: "", context: {} };
    const result = { status, ...(stop && { stop }), ...(error && { error }) } as RunResult;
    // A second iteration throws beside a result that tells of the first.
    const isThrown = code === "iterated_twice";
    expect(isThrown ? exitCodeOfError(error) : exitCodeOfRun(result, exitCodes.SIGINT)).toBe(Number(exit));
  });

  it("is one of the page, which gives each code that a run can have but that of a SIGTERM", () => {
    const documented = new Set(rows.map(({ exit }) => Number(exit)));
    expect([...documented].toSorted((a, b) => a - b)).toEqual(
      Object.values(exitCodes).filter((code) => code !== exitCodes.SIGTERM),
    );
  });
});
