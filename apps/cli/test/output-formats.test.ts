import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonLines, place } from "./support/command-line.ts";

const offline = ["--provider", "offline"];

describe("what a run prints", () => {
  it("is one object with --output json: the last line of --json, and nothing before it", async () => {
    const { cogency } = place();
    const run = ["run", "read notes.txt", ...offline];
    const { code, stdout } = await cogency([...run, "--conversation", "a", "--output", "json"]);
    const lines = jsonLines<Record<string, unknown>>(stdout);
    expect({ code, lines: lines.length }).toEqual({ code: 0, lines: 1 });
    expect(lines[0]).toMatchObject({ status: "completed", conversation: "a", exit: 0, steps: 2 });
    expect(lines[0]).toMatchObject({
      text: expect.stringContaining("hello from the notes"),
      usage: { input: expect.any(Number) },
    });
    const streamed = jsonLines<Record<string, unknown>>((await cogency([...run, "--json"])).stdout).at(-1);
    expect(Object.keys(lines[0] ?? {})).toEqual(Object.keys(streamed ?? {}));
  });

  it("is the events with --output stream, as with --json", async () => {
    const { stdout } = await place().cogency(["run", "read notes.txt", ...offline, "--output", "stream"]);
    const types = jsonLines<{ type: string }>(stdout).map(({ type }) => type);
    expect(types.at(-1)).toBe("run");
    expect(types).toContain("tool_ended");
  });

  it("is one object for a run that fails, too, with the error and the exit code", async () => {
    const run = ["run", "hi", "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--output", "json"];
    const { code, stdout, stderr } = await place().cogency(run);
    const [record, ...others] = jsonLines<Record<string, unknown>>(stdout);
    expect(others).toEqual([]);
    expect(record).toMatchObject({ status: "failed", exit: code, error: { code: "provider" } });
    expect(stderr).not.toBe("");
  });

  it("is refused where two formats are named", async () => {
    const { code, stderr } = await place().cogency(["run", "hi", ...offline, "--json", "--output", "text"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--output");
  });
});

describe("the file of --answer-file", () => {
  it("gets the answer beside what is printed, with one line break at its end", async () => {
    const { cogency, folder } = place();
    const { code, stdout } = await cogency(["run", "read notes.txt", ...offline, "-o", "answer.md"]);
    expect(code).toBe(0);
    expect(readFileSync(join(folder, "answer.md"), "utf8")).toBe(stdout);
  });

  it("gets an answer that fits a schema as JSON", async () => {
    const { cogency, folder } = place();
    writeFileSync(join(folder, "s.json"), '{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}');
    const { code } = await cogency(["run", "hi", ...offline, "--schema", "s.json", "--output", "json", "-o", "a.json"]);
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, "a.json"), "utf8"))).toHaveProperty("a");
  });

  it("stays as it was where the run does not complete", async () => {
    const { cogency, folder } = place();
    writeFileSync(join(folder, "answer.md"), "before");
    const { code } = await cogency(["run", "read notes.txt", ...offline, "--max-steps", "1", "-o", "answer.md"]);
    expect(code).not.toBe(0);
    expect(readFileSync(join(folder, "answer.md"), "utf8")).toBe("before");
  });

  it.each([
    ["nowhere/answer.md", "its folder does not exist."],
    ["docs", "it is a folder."],
  ])("is refused before a model is asked: %s", async (path, why) => {
    const { cogency, folder } = place();
    mkdirSync(join(folder, "docs"), { recursive: true });
    const { code, stdout, stderr } = await cogency(["run", "read notes.txt", ...offline, "-o", path]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`The answer cannot be written to ${path}: ${why}`);
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
  });
});
