import { describe, expect, it } from "vitest";
import { calling, jsonLines, outcomeOf, place, written } from "./support/command-line.ts";

const waiting = `node -e "setTimeout(() => {}, 60000)"`;
/** A run of conversation c that takes a minute. */
const busyRun = [
  ...["run", "go", "--conversation", "c", "--yes"],
  ...calling([{ name: "shell", args: { command: waiting } }]),
];

describe("one conversation", () => {
  it("allows one run at a time: a second one fails at once and names the first", async () => {
    const { cogency, start } = place();
    const child = start(busyRun);
    const outcome = outcomeOf(child);
    await written(child.stderr, /→ shell/);

    for (const args of [
      ["run", "x"],
      ["run", "--resume"],
    ]) {
      const second = await cogency([...args, "--conversation", "c", ...calling([])]);
      expect(second).toMatchObject({ code: 5, stdout: "" });
      expect(second.stderr).toMatch(
        new RegExp(
          `^error: Process ${child.pid} on \\S+ is at work on this conversation; try again when it is done\\.\n$`,
        ),
      );
    }
    const { code, stdout } = await cogency(["run", "x", "--json", "--conversation", "c", ...calling([])]);
    expect(code).toBe(5);
    expect(jsonLines<object>(stdout).at(-1)).toMatchObject({ error: { code: "busy", cause: "lease_held" }, exit: 5 });
    // Other conversations go on meanwhile.
    expect(await cogency(["run", "x", "--conversation", "d", ...calling([])])).toMatchObject({ code: 0 });

    child.kill("SIGKILL");
    await outcome;
    // A run does not wait for the lease of a process that has ended.
    expect(await cogency(["run", "x", "--conversation", "c", ...calling([])])).toMatchObject({ code: 0 });
  });

  it("is free as soon as a run has ended, also if it was cancelled", async () => {
    const { cogency, start } = place();
    const child = start(busyRun);
    const outcome = outcomeOf(child);
    await written(child.stderr, /→ shell/);
    child.kill("SIGINT");
    expect(await outcome).toMatchObject({ code: 130 });
    expect(await cogency(["run", "x", "--conversation", "c", ...calling([])])).toMatchObject({ code: 0 });
  });
});

describe("one store", () => {
  it("serves eight runs at once, and loses no event", async () => {
    const { cogency } = place();
    const steps = Array.from({ length: 4 }, (_, step) => [
      { name: "list", args: { path: ".", depth: 1 + (step % 2) } },
    ]);
    const names = Array.from({ length: 8 }, (_, index) => `run-${index}`);
    const outcomes = await Promise.all(
      names.map((name) => cogency(["run", "go", "--conversation", name, "--json", ...calling(...steps)])),
    );
    for (const { code, stderr } of outcomes) expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { stdout } = await cogency(["history", "list", "--json"]);
    const listed = jsonLines<{ conversation: string; events: number }>(stdout);
    expect(listed.map(({ conversation }) => conversation).toSorted()).toEqual(names);
    expect(new Set(listed.map(({ events }) => events)).size).toBe(1);
  });
});
