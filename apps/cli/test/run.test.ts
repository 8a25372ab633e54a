import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonLines, models, outcomeOf, place, resultsOf, written } from "./support/command-line.ts";

describe("cogency run", () => {
  it("prints the answer on stdout and one line per call on stderr", async () => {
    const { cogency } = place();
    const { code, stdout, stderr } = await cogency(["run", "read notes.txt", "--provider", "offline"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/hello from the notes/);
    expect(stdout).not.toMatch(/→|✓/);
    expect(stdout.endsWith("\n")).toBe(true);
    expect(stderr).toContain('→ read {"file":"notes.txt"}\n✓ read 21 bytes\n');
    expect(stderr).toMatch(
      /\nconversation ([0-9a-f-]{36}) · 2 steps · \d+ tokens in, \d+ out · \d+\.\d s\ncogency --resume \1 --provider offline\n$/,
    );
  });

  it.each([[], ["--model", "gpt-5"]])(
    "asks no model if no key is found and no provider is named: %j",
    async (...model) => {
      const { cogency } = place();
      const { code, stdout, stderr } = await cogency(["run", "read notes.txt", ...model], {
        env: { COGENCY_PROVIDER: "" },
      });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/^error: .*cogency config key set OPENAI_API_KEY.* --provider .*\n$/);
    },
  );

  it("is not the offline model under another name", async () => {
    const { code, stderr } = await place().cogency(["run", "hi", "--provider", "offline", "--model", "gpt-5"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('The offline model has no "gpt-5"') });
  });

  it.each(["token", "event", "none"])("separates two units by a blank line with --stream %s", async (stream) => {
    const { cogency } = place();
    const { stdout } = await cogency(["run", "go", "--provider", models, "--model", "two-units", "--stream", stream]);
    expect(stdout).toBe("First.\n\nSecond, <b>and more</b>.\n");
  });

  it("reads answers that begin inside of thinking with --start-in think", async () => {
    const run = ["run", "go", "--provider", models, "--model", "template-opens-think"];
    expect((await place().cogency([...run, "--start-in", "think"])).stdout).toBe("It says hello.\n");
    expect((await place().cogency(run)).stdout).toContain("Let me see");
  });

  it("reads calls in XML with --dialect xml; without it they are text", async () => {
    const run = ["run", "go", "--provider", models, "--model", "xml-calls", "--allow", "write"];
    const { cogency, folder } = place();
    expect((await cogency(run)).stdout).toContain("<write>");
    expect(existsSync(join(folder, "a.md"))).toBe(false);
    expect((await cogency([...run, "--dialect", "xml"])).stdout).toBe("Done.\n");
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("1 < 2");
    const { code, stderr } = await cogency([...run, "--dialect", "yaml"]);
    expect(code).toBe(2);
    expect(stderr).toContain("json, xml");
  });

  it("runs a block with a raw line break in a string only with --repair", async () => {
    const run = ["run", "go", "--provider", models, "--model", "raw-line-break", "--allow", "write"];
    const { cogency, folder } = place();
    const { stderr } = await cogency(run);
    expect(stderr).toMatch(/Nothing was run/);
    expect(existsSync(join(folder, "a.md"))).toBe(false);
    await cogency([...run, "--repair"]);
    expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("a\nb");
  });

  it("prints the model's text before its calls, but not its thinking", async () => {
    const { cogency } = place();
    const { stdout, stderr } = await cogency(["run", "go", "--provider", models, "--model", "thoughtful"]);
    expect(stdout).toBe("Looking.\n\nIt says hello.\n");
    expect(stderr).not.toContain("Let me see");
  });

  it("reads the prompt from stdin if it is -", async () => {
    const { cogency } = place();
    const { code, stdout } = await cogency(["run", "-", "--provider", "offline"], { input: "read notes.txt\n" });
    expect(code).toBe(0);
    expect(stdout).toContain("hello from the notes");
  });

  it("goes on with a conversation", async () => {
    const { cogency } = place();
    const talk = ["--conversation", "talk", "--provider", "offline"];
    expect((await cogency(["run", "read notes.txt", ...talk])).code).toBe(0);
    expect((await cogency(["run", "list .", ...talk])).code).toBe(0);
    const { stdout } = await cogency(["history", "show", "talk", "--json"]);
    const said = jsonLines(stdout).flatMap((event) => (event.type === "user" ? [event.content] : []));
    expect(said).toEqual(["read notes.txt", "list ."]);
  });

  it("keeps conversations under XDG_DATA_HOME if it is set", async () => {
    const { cogency, folder } = place();
    const env = { XDG_DATA_HOME: join(folder, "data") };
    await cogency(["run", "list .", "--provider", "offline", "--conversation", "there"], { env });
    const store = join(folder, "data", "cogency", "cogency.db");
    expect((await cogency(["history", "show", "there", "--store", store])).code).toBe(0);
  });

  it("writes no file with --store :memory:", async () => {
    const { cogency } = place();
    const run = ["run", "list .", "--provider", "offline", "--conversation", "gone"];
    expect((await cogency([...run, "--store", ":memory:"])).code).toBe(0);
    expect((await cogency(["history", "show", "gone"])).code).toBe(2);
  });

  it("prints no colours without a terminal", async () => {
    const { cogency } = place();
    const { stdout, stderr } = await cogency(["run", "read notes.txt and nothing.txt", "--provider", "offline"]);
    expect(`${stdout}${stderr}`).not.toContain("\u001b");
  });

  it.each([
    ["unknown-tool", /✗ raed Unknown tool "raed"\. Did you mean read\?/],
    ["bad-arguments", /✗ read Invalid arguments for read: file/],
  ])("goes on after a call that fails, and shows why: %s", async (model, problem) => {
    const { cogency } = place();
    const { code, stdout, stderr } = await cogency(["run", "go", "--provider", models, "--model", model]);
    expect(code).toBe(0);
    expect(stderr).toMatch(problem);
    expect(stdout).toMatch(/^I /);
  });

  it("ends with code 4 when the steps are used up", async () => {
    const { cogency } = place();
    const { code, stdout, stderr } = await cogency([
      "run",
      "go",
      "--provider",
      models,
      "--model",
      "endless",
      "--max-steps",
      "20",
    ]);
    expect(code).toBe(4);
    expect(stdout).toBe("");
    expect(stderr).toContain(
      "! The run has taken 20 of 20 steps, and the model has not answered yet. The limit is --max-steps: raise it, and go on with another prompt.",
    );
  });

  it("ends with code 4 if the model repeats itself, and says so once", async () => {
    const { cogency } = place();
    const { code, stderr } = await cogency(["run", "go", "--provider", models, "--model", "repeating"]);
    expect(code).toBe(4);
    expect(stderr.match(/^! .* 3 times in a row\. The limit is --max-repeats: raise it, /gm)).toHaveLength(1);
  });

  it("ends with code 4 and shows the beginning of an answer that was cut off", async () => {
    const { cogency } = place();
    const { code, stdout, stderr } = await cogency(["run", "go", "--provider", models, "--model", "cut-off"]);
    expect(code).toBe(4);
    expect(stdout).toBe("The answer is\n");
    expect(stderr).toContain("! The answer is not complete");
  });
});

describe("cogency run --json", () => {
  it("prints each event as a line of JSON and the result as the last", async () => {
    const { cogency } = place();
    const run = ["run", "go", "--provider", models, "--model", "thoughtful", "--conversation", "j", "--json"];
    const { code, stdout, stderr } = await cogency(run);
    expect(code).toBe(0);
    expect(stderr).toBe("");
    const lines = jsonLines<{ type: string }>(stdout);
    const types = lines.map((line) => line.type);
    const first = ["user", "think", "respond", "call", "execute", "result", "metric"];
    const protocol = [...first, "respond", "end", "metric"];
    expect(types.filter((type) => protocol.includes(type))).toEqual(protocol);
    expect(types).toEqual(expect.arrayContaining(["request_started", "tool_started", "tool_ended"]));
    expect([types[0], ...types.slice(-2)]).toEqual(["run_started", "run_ended", "run"]);
    expect(stdout).not.toContain('"unit"');
    expect(lines.at(-1)).toEqual({
      type: "run",
      status: "completed",
      text: "It says hello.",
      steps: 2,
      toolErrors: 0,
      usage: expect.objectContaining({ input: expect.any(Number), output: expect.any(Number), cacheRead: 0 }),
      conversation: "j",
      exit: 0,
    });
  });

  it("escapes control characters and invisible ones", async () => {
    const { cogency, folder } = place();
    const text = "\u009b2J\u202e\u200b\u{e0041}\u2066";
    writeFileSync(join(folder, "notes.txt"), text);
    const { stdout } = await cogency(["run", "read notes.txt", "--json", "--provider", "offline"]);
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Default_Ignorable_Code_Point}]/u);
    expect(resultsOf(stdout)[0]?.content).toBe(text);
  });

  it("prints pieces with --stream token", async () => {
    const { cogency } = place();
    const { stdout } = await cogency(["run", "list .", "--provider", "offline", "--json", "--stream", "token"]);
    const pieces = jsonLines(stdout).filter((event) => event.type === "respond");
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.every((piece) => typeof piece.unit === "number")).toBe(true);
  });

  it.each([
    ["endless", { status: "stopped", exit: 4, stop: { reason: "steps_limit" } }],
    ["repeating", { status: "stopped", exit: 4, stop: { reason: "retry_limit" } }],
    ["cut-off", { status: "stopped", exit: 4, text: "The answer is", stop: { reason: "finish_reason" } }],
    ["broken-markup", { status: "failed", exit: 3, error: { code: "no_progress" } }],
    ["unscripted", { status: "failed", exit: 3, error: { code: "provider" } }],
    ["overloaded", { status: "failed", exit: 3, error: { code: "provider", cause: "overloaded" } }],
  ])("tells how a run of the model %s ended", async (model, record) => {
    const { cogency } = place();
    const { code, stdout } = await cogency([
      "run",
      "go",
      "--provider",
      models,
      "--model",
      model,
      "--json",
      "--max-steps",
      "20",
    ]);
    expect(jsonLines<object>(stdout).at(-1)).toMatchObject({ type: "run", ...record });
    expect(code).toBe(record.exit);
  });

  it("reports a store that cannot be opened", async () => {
    const { cogency, folder } = place();
    const { code, stdout } = await cogency(["run", "go", "--provider", "offline", "--json", "--store", folder]);
    expect(code).toBe(5);
    expect(jsonLines<object>(stdout)).toMatchObject([
      { type: "run", status: "failed", steps: 0, exit: 5, error: { code: "store", cause: "unavailable" } },
    ]);
  });
});

describe("a conversation that is deleted while a run goes on", () => {
  it("ends the run with code 5, and stays deleted", async () => {
    const { cogency, start } = place();
    const first = start(["run", "go", "--provider", models, "--model", "slow", "--conversation", "c", "--json"]);
    const outcome = outcomeOf(first);
    await written(first.stdout, /\n/);
    expect((await cogency(["history", "delete", "c", "--yes"], { process: true })).code).toBe(0);
    const { code, stdout, stderr } = await outcome;
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: "error: Another process is writing to this conversation; try again when it is done.\n",
    });
    expect(jsonLines<object>(stdout).at(-1)).toMatchObject({
      exit: 5,
      error: { cause: expect.stringMatching(/^(conflict|lease_lost)$/), message: expect.stringContaining("try again") },
    });
    expect((await cogency(["history", "list", "--json"])).stdout).toBe("");
  });
});
