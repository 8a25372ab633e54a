import { describe, expect, it } from "vitest";
import { calling, jsonLines, models, place } from "./support/command-line.ts";

describe("cogency history show", () => {
  it("prints a transcript, with thinking only on request", async () => {
    const { cogency } = place();
    await cogency([
      "run",
      "What do the notes say?",
      "--provider",
      models,
      "--model",
      "thoughtful",
      "--conversation",
      "c",
    ]);
    const { code, stdout } = await cogency(["history", "show", "c"]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        "> What do the notes say?",
        "",
        "Looking.",
        "",
        '→ read {"file":"notes.txt"}',
        "✓ read 21 bytes",
        "    hello from the notes",
        "",
        "It says hello.",
        "",
      ].join("\n"),
    );
    const { stdout: withThinking } = await cogency(["history", "show", "c", "--thinking"]);
    expect(withThinking).toContain("\n\n~ Let me see.\n\nLooking.\n");
  });

  it("shows the beginning of a program's output", async () => {
    const { cogency } = place();
    const shell = { name: "shell", args: { command: "cat notes.txt" } };
    await cogency(["run", "go", "--yes", "--conversation", "c", ...calling([shell])]);
    const { stdout } = await cogency(["history", "show", "c"]);
    expect(stdout).toContain("\n✓ shell exit code 0, 1 line\n    hello from the notes\n");
  });

  it("shows a command that failed as failed, and so does the run", async () => {
    const { cogency } = place();
    const shell = { name: "shell", args: { command: "cat nothing.txt" } };
    const { stderr } = await cogency(["run", "go", "--yes", "--conversation", "c", ...calling([shell])]);
    expect(stderr).toMatch(/^✗ shell exit code 1, .*No such file/m);
    const { stdout } = await cogency(["history", "show", "c"]);
    expect(stdout).toMatch(/^✗ shell exit code 1, .*No such file/m);
    expect(`${stderr}${stdout}`).not.toContain("✓");
  });

  it("prints the stored events with their sequence numbers with --json", async () => {
    const { cogency } = place();
    await cogency(["run", "list .", "--provider", "offline", "--conversation", "c"]);
    const { stdout } = await cogency(["history", "show", "c", "--json"]);
    const events = jsonLines<{ seq: number; type: string }>(stdout);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    const types = events.map((event) => event.type);
    expect(types.filter((type) => type !== "record" && type !== "think")).toEqual([
      "user",
      "call",
      "result",
      "respond",
    ]);
  });

  it("names the latest conversations if none has that name", async () => {
    const { cogency } = place();
    await cogency(["run", "list .", "--provider", "offline", "--conversation", "monday"]);
    const { code, stdout, stderr } = await cogency(["history", "show", "munday"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/no conversation "munday" in .*cogency\.db\.\nThe latest: monday\.\n$/);
  });
});
