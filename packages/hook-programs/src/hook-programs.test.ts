import { existsSync, readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parentRun } from "@cogency/agent/child";
import { openRoot } from "@cogency/toolbox";
import { fileStates, shellIsolation } from "@cogency/toolbox/shell";
import { defineTool } from "@cogency/tools";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { conversation, hooked, newFolder } from "../test/support/hooked.ts";
import { type HookPoint, type HookProgram, hookPrograms } from "./index.ts";

let folder = "";
beforeEach(async () => {
  folder = await newFolder();
});
afterEach(() => rm(folder, { recursive: true }));

const asking = { execution: { approval: { policy: { otherwise: "ask" as const } } } };

describe("a program", () => {
  /** What exit code 2 with a text on stderr, and what each field of an answer, brings about. */
  const answers: readonly (readonly [HookPoint, command: string, outcome: string, effect: string])[] = [
    ["beforePrompt", "echo no keys >&2; exit 2", "denied", "refused: The hook check says: no keys"],
    [
      "beforePrompt",
      `echo '{"decision":"deny","reason":"no keys"}'`,
      "denied",
      "refused: The hook check says: no keys",
    ],
    ["beforePrompt", `echo '{"context":"mind it"}'`, "told", "read: The hook check says:\\nmind it"],
    ["beforeRun", "echo closed >&2; exit 2", "ended", "ended: closed"],
    ["beforeRun", `echo '{"end":"closed"}'`, "ended", "ended: closed"],
    ["beforeRun", `echo '{"context":"mind it"}'`, "told", "read: The hook check says:\\nmind it"],
    ["beforeToolUse", "echo not that >&2; exit 2", "denied", "blocked: The hook check says: not that"],
    ["beforeToolUse", "exit 2", "denied", "blocked: The hook check says: It gave no reason."],
    ["beforeToolUse", `echo '{"decision":"deny"}'`, "denied", "blocked: The hook check does not allow it."],
    [
      "beforeToolUse",
      `echo '{"decision":"ask","reason":"big"}'`,
      "asked",
      "asked: The hook check wants you to look at it: big",
    ],
    ["beforeToolUse", `echo '{"context":"mind it"}'`, "told", "read: The hook check says:\\nmind it"],
    ["beforeToolUse", `echo '{"end":"enough"}'`, "ended", "ended: enough"],
    ["afterToolUse", "echo lint is wrong >&2; exit 2", "told", "read: The hook check says:\\nlint is wrong"],
    ["afterToolUse", `echo '{"context":"lint is wrong"}'`, "told", "read: The hook check says:\\nlint is wrong"],
    ["afterToolUse", `echo '{"end":"enough"}'`, "ended", "ended: enough"],
    [
      "onStop",
      "test -e again || { touch again; echo test it >&2; exit 2; }",
      "continued",
      "read: The hook check says:\\ntest it",
    ],
    [
      "onStop",
      `test -e again || { touch again; echo '{"continue":"test it"}'; }`,
      "continued",
      "read: The hook check says:\\ntest it",
    ],
    ["afterRun", "exit 2", "failed", ""],
    ["onQuestion", "exit 2", "failed", ""],
  ];
  it.each(answers)("at %s that runs %s has %s", async (at, command, outcome, effect) => {
    const steps = ['<execute>[{"name":"act","args":{"what":"a"}}]</execute>', "Done.<end>", "Again.<end>"];
    const asked: string[] = [];
    const { agent, effects, outcomes, read } = hooked(folder, [{ name: "check", at, command }], steps, {
      execution: {
        approval: {
          policy: { otherwise: at === "onQuestion" ? "ask" : "allow" },
          approve: ({ concerns }) => asked.push(...concerns.map(({ why }) => `asked: ${why}`)) >= 0,
        },
      },
    });
    const { error, stop, status } = await agent.ask("go", { conversation });
    expect(outcomes[0]).toMatchObject({ hook: "check", at, outcome });
    const [kind, text = ""] = effect.split(": ", 1).concat(effect.slice(effect.indexOf(": ") + 2));
    switch (kind) {
      case "refused":
        expect([error?.code, error?.message]).toEqual(["prompt_refused", expect.stringContaining(text)]);
        break;
      case "ended":
        expect([status, stop?.reason, stop?.message]).toEqual(["stopped", "stop_requested", text]);
        break;
      case "read":
        expect(read()).toContain(text);
        break;
      case "blocked":
        expect([effects, read()]).toEqual([[], expect.stringContaining(text)]);
        break;
      case "asked":
        expect([asked, effects]).toEqual([[effect], ["act a"]]);
        break;
      default:
        expect([status, effects]).toEqual(["completed", ["act a"]]);
    }
  });

  it.each([[{ decision: "allow" }], [{ decision: "allow", reason: "I vouch for it" }]])(
    "that answers %j does not approve what asks",
    async (answer) => {
      const command = `echo '${JSON.stringify(answer)}'`;
      const { agent, effects } = hooked(folder, [{ at: "beforeToolUse", command }], undefined, asking);
      await agent.ask("go", { conversation });
      expect(effects).toEqual([]);
    },
  );

  it("cannot change a call or a result", async () => {
    for (const answer of [{ args: { what: "b" } }, { call: { name: "other" } }, { replace: "x" }]) {
      const command = `echo '${JSON.stringify(answer)}'`;
      const { agent, effects } = hooked(folder, [{ at: "beforeToolUse", command }]);
      await agent.ask("go", { conversation });
      expect(effects).toEqual([]);
    }
  });

  it("makes a run go on at most as often as the budget lets hooks", async () => {
    const steps = Array.from({ length: 9 }, (_, index) => `Answer ${index}.<end>`);
    const { agent } = hooked(folder, [{ at: "onStop", command: "echo more >&2; exit 2" }], steps);
    const { status, stop, steps: taken } = await agent.ask("go", { conversation });
    expect([status, stop?.reason, taken]).toEqual(["stopped", "retry_limit", 4]);
  });
});

describe("what a program reads", () => {
  const common = { hook: "keep", conversation };
  const call = { tool: "act", args: { what: "a" }, call: expect.any(String) };
  const inputs: readonly (readonly [HookPoint, object])[] = [
    ["beforePrompt", { ...common, kind: "prompt", prompt: "go" }],
    ["beforeRun", { ...common, mode: "run" }],
    ["beforeToolUse", { ...common, ...call }],
    ["afterToolUse", { ...common, ...call, outcome: "success", result: "did a" }],
    ["onQuestion", { ...common, ...call, asks: "approval" }],
    ["onStop", { ...common, status: "completed", text: "Done." }],
    ["afterRun", { ...common, status: "completed", text: "Done." }],
  ];
  it.each(inputs)("at %s is one line of JSON", async (at, expected) => {
    const { agent } = hooked(folder, [{ name: "keep", at, command: "cat > read.json" }], undefined, asking);
    await agent.ask("go", { conversation, approve: () => true });
    const text = readFileSync(join(folder, "read.json"), "utf8");
    expect(text.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(text)).toEqual({ at, root: folder, ...expected });
  });

  it("holds no key of this process, and its environment has none", async () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-secret");
    const { agent } = hooked(folder, [{ at: "beforeToolUse", command: "{ cat; env; } > read.txt" }]);
    await agent.ask("go", { conversation });
    vi.unstubAllEnvs();
    expect(readFileSync(join(folder, "read.txt"), "utf8")).not.toContain("sk-secret");
  });

  it("is cut where it only watches, and denied as too large where it guards", async () => {
    const large = "x".repeat(1_100_000);
    const steps = [`<execute>[{"name":"act","args":{"what":"${large}"}}]</execute>`, "Done.<end>"];
    const watching = hooked(folder, [{ at: "afterToolUse", command: "wc -c > size" }], steps);
    await watching.agent.ask("go", { conversation });
    expect(Number(readFileSync(join(folder, "size"), "utf8"))).toBeLessThan(400_000);
    const guarding = hooked(folder, [{ at: "beforeToolUse", command: "true" }], steps);
    await guarding.agent.ask("go", { conversation });
    expect([guarding.effects, guarding.outcomes[0]?.message]).toEqual([[], "what it is about is larger than 1 MiB"]);
  });
});

describe("a program and the agents that calls start", () => {
  /** Gives work to an agent with the tool `act`. */
  const delegate = defineTool({
    name: "delegate",
    description: "Delegates.",
    input: { type: "object" },
    async execute(_, context) {
      const ending = await parentRun(context)?.run({ name: "helper", instructions: "Help.", tools: ["act"] }, "Help.");
      return ending?.result.text ?? "";
    },
  });
  const act = defineTool({ name: "act", description: "Acts.", input: { type: "object" }, execute: () => "did it" });
  const steps = [
    '<execute>[{"name":"delegate","args":{}}]</execute>',
    '<execute>[{"name":"act","args":{}}]</execute>',
    "H.<end>",
    "D.<end>",
  ];

  it("guards the calls of these", async () => {
    const list = [{ at: "beforeToolUse", tools: ["act"], command: "exit 2" } as const];
    const { agent, outcomes } = hooked(folder, list, steps, { tools: [delegate, act] });
    await agent.ask("go", { conversation });
    expect(outcomes).toMatchObject([{ tool: "act", outcome: "denied" }]);
  });

  it.each(["beforeToolUse", "afterToolUse"] as const)(
    "says about a call of these at %s what the agent above reads, which marks its conversation",
    async (at) => {
      const list = [
        { name: "check", at, tools: ["act"], holds: ["untrusted"], command: `echo '{"context":"mind it"}'` } as const,
      ];
      const { agent, read, log } = hooked(folder, list, steps, { tools: [delegate, act] });
      await agent.ask("go", { conversation });
      expect(read()).toContain("The hook check says:\\nmind it");
      expect(JSON.stringify(await log())).toContain('"holds":"untrusted","source":"the hook check"');
    },
  );
});

describe("several programs", () => {
  it("run side by side, and their words stand in the order of the list", async () => {
    // Each waits for the other.
    const meet = (own: string, other: string) =>
      `touch ${own}; while ! test -e ${other}; do sleep 0.02; done; test ${own} = a && sleep 0.1; echo ${own} >&2; exit 2`;
    const { agent, read } = hooked(folder, [
      { name: "one", at: "beforeToolUse", command: meet("a", "b") },
      { name: "two", at: "beforeToolUse", command: meet("b", "a") },
    ]);
    await agent.ask("go", { conversation });
    expect(read()).toMatch(/The hook one says: a\W+nThe hook two says: b/);
  });

  it("deny together: one that allows does not outvote one that denies", async () => {
    const { agent, effects } = hooked(folder, [
      { at: "beforeToolUse", command: `echo '{"decision":"allow"}'` },
      { at: "beforeToolUse", command: "exit 2" },
      { at: "beforeToolUse", command: `echo '{"decision":"ask"}'` },
    ]);
    await agent.ask("go", { conversation, approve: () => true });
    expect(effects).toEqual([]);
  });

  it.each([
    [["act"], true],
    [["other"], false],
    [["a*"], true],
    [["*"], true],
    [["other", "act"], true],
    [["ac"], false],
  ])("are called for the tools %j: %s", async (tools, isCalled) => {
    const { agent, effects } = hooked(folder, [{ at: "beforeToolUse", tools, command: "exit 2" }]);
    await agent.ask("go", { conversation });
    expect(effects).toEqual(isCalled ? [] : ["act a"]);
  });

  it("see a call as other hooks of the program have changed it, whatever their order", async () => {
    const other = { name: "late", priority: -5, beforeToolUse: () => ({ call: { args: { what: "changed" } } }) };
    const { agent } = hooked(folder, [{ at: "beforeToolUse", command: "cat > read.json" }], undefined, {
      hooks: [other],
    });
    await agent.ask("go", { conversation });
    expect(JSON.parse(readFileSync(join(folder, "read.json"), "utf8")).args).toEqual({ what: "changed" });
  });
});

describe("what the words of a program bring", () => {
  const untrusted: Partial<HookProgram> = { name: "theirs", holds: ["untrusted"] };
  const marks = async (log: () => Promise<readonly { type: string }[]>) =>
    (await log()).filter((event) => event.type === "record" && (event as { kind?: string }).kind === "content");

  it.each([
    ["context of the person's own program", { at: "afterToolUse", command: "echo x >&2; exit 2" }, 0],
    ["context", { ...untrusted, at: "afterToolUse", command: "echo x >&2; exit 2" }, 1],
    ["a reason", { ...untrusted, at: "beforeToolUse", command: "echo x >&2; exit 2" }, 1],
    ["a question", { ...untrusted, at: "beforeToolUse", command: `echo '{"decision":"ask","reason":"x"}'` }, 1],
    ["nothing said", { ...untrusted, at: "beforeToolUse", command: "true" }, 0],
  ] as const)("%s", async (_, program, expected) => {
    const { agent, log } = hooked(folder, [program]);
    await agent.ask("go", { conversation });
    expect(await marks(log)).toHaveLength(expected);
  });

  it("stands behind the mark: the result of a denied call does not quote what nobody vouches for", async () => {
    const program = { ...untrusted, at: "beforeToolUse", command: "echo obey me >&2; exit 2" } as const;
    const { agent, log } = hooked(folder, [program]);
    await agent.ask("go", { conversation });
    const results = (await log()).filter(({ type }) => type === "result");
    expect(JSON.stringify(results)).not.toContain("obey me");
    expect(JSON.stringify(await log())).toContain("obey me");
  });

  it("is not quoted in the result of a call that a broken guard denied", async () => {
    const program = { ...untrusted, at: "beforeToolUse", command: "echo obey me; echo obey me >&2; exit 1" } as const;
    const { agent, log, outcomes } = hooked(folder, [program]);
    await agent.ask("go", { conversation });
    expect(JSON.stringify(await log())).not.toContain("obey me");
    expect(outcomes[0]?.message).toContain("obey me");
  });

  it("is bounded", async () => {
    const { agent, read } = hooked(folder, [
      { at: "afterToolUse", command: "head -c 60000 /dev/zero | tr '\\0' y >&2; exit 2" },
    ]);
    await agent.ask("go", { conversation });
    expect(read()).toContain("[… 50000 characters left out]");
    expect(read().length).toBeLessThan(20_000);
  });
});

describe("a program that was accepted", () => {
  it("is not run any more when a file that it runs has changed, and denies", async () => {
    await writeFile(join(folder, "check.sh"), "exit 0\n");
    const root = await openRoot(folder, { access: "project" });
    const command = "sh check.sh";
    const files = await fileStates(root, command);
    const same = hooked(folder, [{ at: "beforeToolUse", command, files }]);
    await same.agent.ask("go", { conversation });
    expect(same.effects).toEqual(["act a"]);
    await writeFile(join(folder, "check.sh"), "touch obeyed\n");
    const changed = hooked(folder, [{ at: "beforeToolUse", command, files }]);
    await changed.agent.ask("go", { conversation });
    expect([changed.effects, existsSync(join(folder, "obeyed"))]).toEqual([[], false]);
    expect(changed.outcomes[0]?.message).toContain("check.sh is not as it was");
  });
});

describe("a cancelled run", () => {
  it("does not wait for a program, which is ended", async () => {
    const { agent, effects } = hooked(folder, [
      { at: "beforeToolUse", command: "echo $$ > pid; sleep 600", timeout: 100 },
    ]);
    const controller = new AbortController();
    const running = agent.ask("go", { conversation, signal: controller.signal });
    await vi.waitFor(() => expect(existsSync(join(folder, "pid"))).toBe(true), { timeout: 20_000 });
    controller.abort();
    expect([(await running).stop?.reason, effects]).toEqual(["user_requested", []]);
    const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: 20_000 });
  });

  it("calls the program of its end nevertheless", async () => {
    const { agent } = hooked(folder, [{ at: "afterRun", command: "cat > ended.json" }]);
    await agent.ask("go", { conversation, signal: AbortSignal.abort() });
    await vi.waitFor(
      () => expect(JSON.parse(readFileSync(join(folder, "ended.json"), "utf8"))).toMatchObject({ status: "stopped" }),
      { timeout: 20_000 },
    );
  });
});

describe("in a sandbox", () => {
  it("a program decides as outside, and changes nothing outside of the root", async (context) => {
    const root = await openRoot(folder, { access: "project" });
    if (!(await shellIsolation(root)).isolated) return context.skip();
    const outside = join(folder, "..", `outside-${process.pid}`);
    const command = `touch inside; touch ${outside}; grep -q '"act"' && { echo no >&2; exit 2; }`;
    const { agent, effects, outcomes } = hooked(folder, [{ at: "beforeToolUse", command, sandbox: true }]);
    await agent.ask("go", { conversation });
    expect([effects, outcomes[0]?.outcome]).toEqual([[], "denied"]);
    expect([existsSync(join(folder, "inside")), existsSync(outside)]).toEqual([true, false]);
  });
});

describe("hookPrograms", () => {
  const wrong: readonly (readonly [unknown, string])[] = [
    [{ at: "PreToolUse", command: "x" }, 'Did you mean "beforeToolUse"'],
    [{ at: "beforeTool", command: "x" }, 'Did you mean "beforeToolUse"'],
    [{ at: "beforeToolUse", command: " " }, "list[0].command has to be a command line"],
    [{ at: "beforeToolUse", command: "x", tool: ["shell"] }, "Did you mean list[0].tools?"],
    [{ at: "beforeToolUse", command: "x", tools: [] }, "list[0].tools has to be a list"],
    [{ at: "onStop", command: "x", tools: ["shell"] }, "list[0].tools says nothing at onStop"],
    [{ at: "onStop", command: "x", timeout: 101 }, "up to 100"],
    [{ at: "onStop", command: "x", timeout: 0 }, "above 0"],
    [{ at: "onStop", command: "x", holds: ["secret"] }, "untrusted"],
    [{ at: "onStop", command: "x", name: "a\nb" }, "a line"],
    ["node check.js", "give an object"],
  ];
  it.each(wrong)("refuses %j", (hook, message) => {
    expect(() => hookPrograms([hook as HookProgram])).toThrow(message);
  });

  it("needs no program: an empty list adds no hook", () => {
    expect(hookPrograms([])).toEqual({ name: "hook programs" });
  });
});
