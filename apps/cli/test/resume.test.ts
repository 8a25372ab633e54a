import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LogEvent } from "@cogency/protocol";
import { sqliteStore } from "@cogency/storage-sqlite";
import { argumentsHash } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { approved, writeKey } from "./support/approved.ts";
import { calling, jsonLines, outcomeOf, place, resultsOf, written } from "./support/command-line.ts";

const resume = ["run", "--resume", "--conversation", "c"];

describe("cogency run --resume", () => {
  it("goes on where a killed run was, without a new prompt", async () => {
    const { cogency, start, folder } = place();
    writeFileSync(join(folder, "wait.js"), "console.log('begun'); setTimeout(() => {}, 60_000)");
    const calls = [
      { name: "read", args: { file: "notes.txt" } },
      { name: "shell", args: { command: "node wait.js" } },
      { name: "write", args: { file: "after.txt", content: "x" } },
    ];
    const child = start(["run", "go", "--yes", "--conversation", "c", ...calling(calls)]);
    const begun = written(child.stderr, /→ shell/);
    const outcome = outcomeOf(child);
    await begun;
    child.kill("SIGKILL");
    await outcome;

    const { code, stdout, stderr } = await cogency([...resume, "--json", "--yes", ...calling([])]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(resultsOf(stdout)).toMatchObject([
      { tool: "read", status: "success" },
      { tool: "shell", status: "failure", content: expect.stringContaining("outcome unknown") },
      { tool: "write", status: "success" },
    ]);
    const { stdout: history } = await cogency(["history", "show", "c"]);
    expect(history.match(/^> /gm)).toHaveLength(1);
    expect(history).toMatch(/^✗ shell outcome unknown/m);
  });

  it("runs what was approved here without asking again, and nothing that nobody has approved", async () => {
    const { cogency, folder, store: path } = place();
    const key = "ab".repeat(32);
    writeKey(folder, key);
    const calls = ["yes", "open"].map((file) => ({ name: "write", args: { file, content: file } }));
    const [yes = { name: "", args: {} }, open] = calls;
    const asked = { id: "2", name: "write", hash: await argumentsHash(open?.args ?? {}), question: "q" };
    const store = await sqliteStore({ path });
    await store.append({ conversation: "c" }, [
      { type: "user", content: "go", timestamp: 1 },
      ...calls.map((call, index): LogEvent => {
        return { type: "call", content: JSON.stringify(call), id: `${index + 1}`, timestamp: 1 };
      }),
      await approved("1", yes, key),
      { type: "record", kind: "approval", data: { ...asked, status: "asked" }, timestamp: 1 },
    ]);
    await store.close();

    const { code, stdout } = await cogency([...resume, "--json", "--deny", ...calling([])]);
    expect(code).toBe(0);
    expect(resultsOf(stdout)).toMatchObject([{ status: "success", content: { file: "yes" } }, { status: "failure" }]);
    expect(existsSync(join(folder, "open"))).toBe(false);
  });

  it("tells a model that has answered already to continue", async () => {
    const { cogency } = place();
    await cogency(["run", "go", "--conversation", "c", ...calling([])]);
    const { code, stdout } = await cogency([...resume, "--json", ...calling([])]);
    expect(code).toBe(0);
    expect(jsonLines(stdout)[0]).toMatchObject({ type: "user", origin: "recovery" });
  });
});
