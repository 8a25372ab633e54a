import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calling, outcomeOf, place, resultsOf } from "./support/command-line.ts";

const write = { name: "write", args: { file: "docs/a.md", content: "x" } };

describe("a prompt from stdin", () => {
  it.each([
    [["--yes"], false],
    [["--allow", "write"], false],
    [["--allow", "write:docs/**"], true],
    [["--allow", "write:docs/../**"], false],
    [["--yes", "--content", "allow"], true],
  ])("makes a change ask, with %j: it runs: %s", async (options, runs) => {
    const { cogency, folder } = place();
    const { stdout, stderr } = await cogency(["run", "-", "--json", ...calling([write]), ...options], { input: "go" });
    if (options.includes("write:docs/../**")) return expect(stderr).toContain("names no files");
    expect(existsSync(join(folder, "docs", "a.md"))).toBe(runs);
    if (runs) return;
    expect(resultsOf(stdout)[0]?.content).toMatch(
      /piped input.* with --allow write:docs\/a\.md, or by answering at a terminal/,
    );
  });
});

describe("bytes on stdin", () => {
  const given = async (bytes: Uint8Array) => {
    const child = place().start(["run", "-", ...calling([])], { keepsInput: true });
    const outcome = outcomeOf(child);
    child.stdin.end(bytes);
    return outcome;
  };

  it("that are no text are refused, and no model is asked", async () => {
    const { code, stdout, stderr } = await given(Uint8Array.from({ length: 3000 }, (_, at) => (at * 7919) % 256));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error: Stdin is neither text in UTF-8 nor in UTF-16 with a byte order mark\./);
  });

  it("in UTF-16 with a byte order mark are text", async () => {
    expect((await given(Buffer.from("\ufeffgo", "utf16le"))).code).toBe(0);
  });
});

describe("the files of the program itself", () => {
  it.each([
    ["the store", ".cogency/cogency.db"],
    ["a file that SQLite keeps beside it", ".cogency/cogency.db-wal"],
    ["the key", ".config/cogency/keys"],
  ])("are out of reach of every tool if the root is the home folder: %s", async (_, file) => {
    const { cogency, folder } = place();
    await cogency(["run", "first", ...calling([])]);
    const before = existsSync(join(folder, file)) ? readFileSync(join(folder, file)) : undefined;
    const calls = [
      { name: "write", args: { file, content: "", overwrite: true } },
      { name: "read", args: { file } },
      { name: "shell", args: { command: `cp notes.txt ${file}` } },
    ];
    for (const access of ["project", "system"]) {
      const run = ["run", "go", "--json", "--yes", "--content", "allow", "--access", access];
      const { stdout } = await cogency([...run, ...calling(calls)]);
      expect(
        resultsOf(stdout)
          .slice(0, 2)
          .map(({ status }) => status),
      ).toEqual(["failure", "failure"]);
    }
    if (before && file.endsWith("keys")) expect(readFileSync(join(folder, file))).toEqual(before);
    expect((await cogency(["history", "list", "--json"])).stdout.trim().split("\n")).toHaveLength(3);
  });
});

describe("recall", () => {
  it("finds conversations of the same root only, unless --recall is everywhere", async () => {
    const { cogency, folder } = place();
    for (const name of ["one", "two"]) mkdirSync(join(folder, name));
    writeFileSync(join(folder, "one", "a"), "");
    await cogency(["run", "the cellar key", "--root", "one", ...calling([])]);
    const recall = calling([{ name: "recall", args: { query: "cellar" } }]);
    const found = async (...options: string[]) => {
      const { stdout } = await cogency(["run", "go", "--json", ...recall, ...options]);
      const [result] = resultsOf(stdout) as unknown as [{ content: { found: unknown[] } }];
      return result.content.found.length;
    };
    expect(await found("--root", "two")).toBe(0);
    expect(await found("--root", "one")).toBe(1);
    expect(await found("--root", "two", "--recall", "everywhere")).toBeGreaterThan(0);
  });
});

it("doctor looks at everything, asks the model once, and makes no file", async () => {
  const { cogency, folder } = place();
  const { code, stdout } = await cogency(["doctor"]);
  expect(stdout.split("\n").map((line) => line.split(/ +/)[1])).toEqual(
    expect.arrayContaining(["node", "terminal", "store", "key", "sandbox", "server", "model"]),
  );
  expect(stdout).toMatch(/key +the first run makes .*keys$/m);
  expect(stdout).toMatch(/model +offline .* answered a test request/);
  expect(code).toBe(/^✗/m.test(stdout) ? 1 : 0);
  expect(existsSync(join(folder, ".config"))).toBe(false);
  expect(existsSync(join(folder, ".cogency"))).toBe(false);
});
