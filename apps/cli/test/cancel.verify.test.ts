import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { fixtures, jsonLines, models, outcomeOf, place, written } from "./support/command-line.ts";

const hanging = ["run", "go", "--provider", models, "--model", "hanging", "--conversation", "c"];

describe("cancelling a run", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGQUIT", 131],
  ] as const)("ends with `cancelled` after %s, keeps what was said and exits with %i", async (signal, code) => {
    const { start, cogency } = place();
    const child = start([...hanging, "--json", "--stream", "token"]);
    const seen = written(child.stdout, /about to/);
    const outcome = outcomeOf(child);
    await seen;
    child.kill(signal);
    const { stdout, ...end } = await outcome;
    expect(end.code).toBe(code);
    expect(jsonLines<object>(stdout).slice(-4)).toMatchObject([
      { type: "interrupt" },
      { type: "cancelled" },
      { type: "run_ended", status: "stopped" },
      { type: "run", status: "stopped", stop: { reason: "user_requested" }, exit: code },
    ]);
    const history = await cogency(["history", "show", "c"]);
    expect(history.stdout).toBe("> go\n\nI am about to\n\n(cancelled)\n");
    expect((await cogency(["run", "list .", "--provider", "offline", "--conversation", "c"])).code).toBe(0);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("exits at once at %s while the provider is being loaded, with %i", async (signal, code) => {
    const child = place().start(["run", "go", "--provider", join(fixtures, "never-loaded.js")]);
    const seen = written(child.stderr, /loading/);
    const outcome = outcomeOf(child);
    await seen;
    child.kill(signal);
    expect(await outcome).toMatchObject({ code, stdout: "" });
  });

  it("exits at once although another process has locked the store", async () => {
    const { folder, start } = place();
    const path = join(folder, "locked.db");
    const database = new DatabaseSync(path);
    onTestFinished(() => database.close());
    database.exec("BEGIN EXCLUSIVE");
    const child = start(["run", "go", "--provider", models, "--model", "announced", "--store", path]);
    const seen = written(child.stderr, /made/);
    const outcome = outcomeOf(child);
    await seen;
    child.kill("SIGINT");
    expect(await outcome).toEqual({ code: 130, stdout: "", stderr: "made\n" });
  });

  it("says on stderr that it was cancelled", async () => {
    const child = place().start(hanging);
    const seen = written(child.stdout, /about to/);
    const outcome = outcomeOf(child);
    await seen;
    child.kill("SIGINT");
    const { code, stdout, stderr } = await outcome;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "I am about to\n" });
    expect(stderr).toMatch(/^\n! The run was cancelled(?:: SIGTERM|: Ctrl-C)?\.\nconversation c · 1 step/);
  });

  it("exits at once at the second signal", async () => {
    const child = place().start([...hanging.slice(0, 5), "stubborn"]);
    const seen = written(child.stdout, /No\./);
    const outcome = outcomeOf(child);
    await seen;
    child.kill("SIGINT");
    child.kill("SIGTERM");
    const { code, stderr } = await outcome;
    // The two may arrive in any order.
    expect([130, 143]).toContain(code);
    expect(stderr).toBe("");
  });

  it("ends without an error when the reader of stdout leaves, and keeps the conversation", async () => {
    const { start, cogency } = place();
    const child = start(["run", "go", "--provider", models, "--model", "slow", "--conversation", "c", "--json"]);
    const stderr = written(child.stderr, /$^/);
    const code = new Promise((resolve) => child.once("exit", resolve));
    await written(child.stdout, /\n/);
    child.stdout.destroy();
    expect(await code).toBe(0);
    expect(await stderr).toBe("");
    const { stdout } = await cogency(["history", "show", "c", "--json"]);
    expect(jsonLines(stdout).at(-1)?.type).toBe("cancelled");
  });
});
