import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LogEvent } from "@cogency/protocol";
import type { StoredEvent } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { describe, expect, it } from "vitest";
import { calling, jsonLines, outcomeOf, place, resultsOf, written } from "./command-line.ts";

const resume = ["run", "--resume", "--conversation", "c"];

describe("cogency run --resume", () => {
  it("goes on where a killed run was, without a new prompt", async () => {
    const { cogency, start, folder } = place();
    writeFileSync(join(folder, "wait.js"), "console.log('begun'); setTimeout(() => {}, 60_000)");
    const calls = [
      { name: "read", args: { file: "notes.txt" } },
      { name: "shell", args: { command: `${process.execPath} wait.js` } },
      { name: "write", args: { file: "after.txt", content: "x" } },
    ];
    const child = start(["run", "go", "--yes", "--conversation", "c", ...calling(calls)]);
    const begun = written(child.stderr, /→ shell/);
    const outcome = outcomeOf(child);
    await begun;
    child.kill("SIGKILL");
    await outcome;

    const { code, stdout } = await cogency([...resume, "--json", "--yes", ...calling([])]);
    expect(code).toBe(0);
    expect(resultsOf(stdout)).toMatchObject([
      { tool: "read", status: "success" },
      { tool: "shell", status: "failure", content: expect.stringContaining("outcome unknown") },
      { tool: "write", status: "success" },
    ]);
    const { stdout: history } = await cogency(["history", "show", "c"]);
    expect(history.match(/^> /gm)).toHaveLength(1);
  });

  it("asks nothing again: what was approved runs, and what nobody had answered is denied", async () => {
    const { cogency, store: path } = place();
    const calls = ["yes", "open"].map((file) => ({ name: "write", args: { file, content: file } }));
    await cogency(["run", "go", "--deny", "--conversation", "whole", ...calling(calls)]);
    const store = await sqliteStore({ path });
    await store.append({ conversation: "c" }, brokenOff(await store.load({ conversation: "whole" })));
    await store.close();

    const { code, stdout } = await cogency([...resume, "--json", "--deny", ...calling([])]);
    expect(code).toBe(0);
    expect(resultsOf(stdout)).toMatchObject([
      { status: "success", content: { file: "yes" } },
      { status: "failure", content: expect.stringContaining("not answered before the run broke off") },
    ]);
  });

  it("tells a model that has answered already to continue", async () => {
    const { cogency } = place();
    await cogency(["run", "go", "--conversation", "c", ...calling([])]);
    const { code, stdout } = await cogency([...resume, "--json", ...calling([])]);
    expect(code).toBe(0);
    expect(jsonLines(stdout)[0]).toMatchObject({ type: "user", origin: "recovery" });
  });
});

/** The log as it stands when the process dies at its second question, the first having been answered with yes. */
function brokenOff(log: readonly StoredEvent[]): LogEvent[] {
  const open = log.slice(
    0,
    log.findIndex(({ type }) => type === "result"),
  );
  let answers = 0;
  return open.flatMap(({ seq: _, ...event }): LogEvent[] => {
    if (event.type !== "record" || event.kind !== "approval" || event.data.status === "asked") return [event];
    return answers++ === 0 ? [{ ...event, data: { ...event.data, status: "approved" } }] : [];
  });
}
