import type { Json } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { summarizeFailure, summarizeResult } from "./summarize.ts";

describe("summarizeResult", () => {
  it.each<[string, Json, string]>([
    ["read", "añb", "4 bytes"],
    ["read", { text: "x", from: 1, to: 20, total: 300 }, "lines 1 to 20 of 300"],
    ["read", { text: "x", from: 1, to: 20, total: null }, "lines 1 to 20"],
    ["read", { mediaType: "image/png", bytes: 68 }, "image/png, 68 bytes"],
    ["write", { file: "a", bytes: 1, created: true }, "1 byte, new"],
    ["write", { file: "a", bytes: 7, created: false }, "7 bytes"],
    ["edit", { file: "a", replaced: 1, lines: [[3, 3]] }, "1 place, line 3"],
    [
      "edit",
      {
        file: "a",
        replaced: 2,
        lines: [
          [3, 5],
          [9, 9],
        ],
      },
      "2 places, lines 3 to 5 and 9",
    ],
    ["edit", { file: "a", replaced: 1, lines: [] }, "1 place"],
    ["list", { path: ".", entries: ["a"] }, "1 entry: a"],
    ["list", { path: ".", entries: ["a", "b"], truncated: 9 }, "2 entries: a, b, 9 more"],
    ["find", { files: [] }, "0 files"],
    ["find", { files: ["a", "b/c"], truncated: true }, "2 files: a, b/c, perhaps more"],
    ["find", { matches: [{}, {}], truncated: true }, "2 matches, perhaps more"],
    ["replace", { files: [{}], total: 4 }, "4 places, 1 file"],
    ["replace", { files: [{}], total: 4, unlisted: 2, dryRun: true }, "4 places, 3 files, nothing written"],
    ["shell", { exitCode: 0, stdout: "", stderr: "" }, "exit code 0"],
    ["shell", { job: "job_1", state: "running", stdout: "up\n", stderr: "" }, "job_1 in the background, 1 line"],
    ["shell_output", { job: "job_1", state: "running", stdout: "", stderr: "" }, "job_1 runs"],
    [
      "shell_output",
      { job: "job_1", state: "running", matched: "up", stdout: "up\n" },
      "job_1 runs, found: up, 1 line",
    ],
    ["shell_stop", { job: "job_1", state: "ended", exitCode: 143 }, "job_1 ended with exit code 143"],
    ["shell_stop", { job: "job_1", state: "ended", signal: "SIGTERM" }, "job_1 ended by SIGTERM"],
    ["shell", { exitCode: 0, stdout: "a\nb\n", stderr: "c" }, "exit code 0, 3 lines"],
    [
      "shell",
      { exitCode: 0, stdout: "", stderr: "", runsLater: [".envrc"] },
      "exit code 0, changed what runs later (1 file)",
    ],
    ["scrape", { url: "u", title: "Bread", text: "abc", total: 900 }, '"Bread", 3 characters, 900 in all'],
    ["search", { results: [{}] }, "1 result"],
    ["recall", { found: [] }, "0 conversations"],
    ["recall", { passages: [{}, {}] }, "2 passages"],
    ["read_result", { text: "x", from: 0, to: 9, total: 10 }, "characters 0 to 9 of 10"],
    ["read_result", { matches: [{}], total: 10 }, "1 match"],
    ["skill", { skill: "review", instructions: "añb", files: ["a.md"] }, "4 bytes"],
    ["skill", { skill: "review", file: "a.md", text: "a" }, "1 byte"],
    ["skill", { skill: "review" }, '{"skill":"review"}'],
    ["add", 5, "5"],
    ["constructor", { a: 1 }, '{"a":1}'],
    ["write", { done: true }, '{"done":true}'],
    ["list", ["a"], '["a"]'],
    ["shell", null, "null"],
  ])("%s %j: %s", (tool, content, words) => {
    expect(summarizeResult({ tool, content })).toBe(words);
  });
});

describe("summarizeFailure", () => {
  it.each<[string, Json, string]>([
    ["shell", "exit code 2\nstdout:\na\nstderr:\nx\nno such file", "exit code 2, no such file"],
    ["shell", "ended by SIGSEGV\nstdout:\na", "ended by SIGSEGV, a"],
    ["shell", "exit code 1; it printed nothing", "exit code 1; it printed nothing"],
    ["shell", "shell was refused", "was refused"],
    ["other", "exit code 1\na\nb", "exit code 1\na\nb"],
    ["read", 'read "x" does not exist.', '"x" does not exist.'],
    ["read", { a: 1 }, '{"a":1}'],
  ])("%s %j: %s", (tool, content, words) => {
    expect(summarizeFailure({ tool, content })).toBe(words);
  });
});
