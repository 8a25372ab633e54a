import { defineTool } from "@cogency/agent";
import { describe, expect, it } from "vitest";
import { type AcpOpening, AuthenticationNeeded, type Editor } from "../src/index.ts";
import { chosen, editor, ofKind, textOf } from "./support/editor.ts";
import { schemaFaults } from "./support/schema-judge.ts";
import { sessionFaults } from "./support/session-judge.ts";
import { callOf, site, writeCall } from "./support/site.ts";

const none = { type: "object", properties: {} } as const;

describe("the editor of a session", () => {
  it("has only the parts that it offers", async () => {
    const bare = site([]);
    await editor(bare.acp).open();
    expect(bare.openings[0]?.editor).toEqual({ name: "test editor" });
    const whole = site([]);
    await editor(whole.acp, { capabilities: { fs: { readTextFile: true }, terminal: true } }).open();
    const { files, terminals } = (whole.openings[0] as AcpOpening).editor;
    expect([files?.read, files?.write, terminals?.start].map((part) => typeof part)).toEqual([
      "function",
      "undefined",
      "function",
    ]);
  });

  it("reads and writes files as the editor has them, and says what the editor says", async () => {
    const one = site([]);
    const files = new Map([["/project/a.txt", "not saved yet"]]);
    const here = editor(one.acp, { capabilities: { fs: { readTextFile: true, writeTextFile: true } }, files });
    await here.open();
    const { files: there } = (one.openings[0] as AcpOpening).editor;
    expect(await there?.read?.("/project/a.txt")).toBe("not saved yet");
    await there?.write?.("/project/b.txt", "new");
    expect(files.get("/project/b.txt")).toBe("new");
    await expect(there?.read?.("/project/none.txt")).rejects.toThrow();
    expect(schemaFaults(here.sent)).toEqual([]);
  });

  it("runs programs in terminals, which the call shows", async () => {
    let there: Editor | undefined;
    const printed: unknown[] = [];
    const shown = Promise.withResolvers<void>();
    const run = defineTool({
      name: "run",
      description: "Runs.",
      input: none,
      execute: async (_, { progress }) => {
        const terminal = await there?.terminals?.start({
          command: "ls",
          args: ["-l"],
          env: { A: "b" },
          cwd: "/project",
        });
        if (!terminal) return "none";
        progress({ type: "terminal", id: terminal.id });
        await shown.promise;
        printed.push(await terminal.ended(), await terminal.output());
        await terminal.kill();
        await terminal.release();
        return "ran";
      },
    });
    const one = site([callOf("run"), "Done.<end>"], { agent: { tools: [run] } });
    const here = editor(one.acp, { capabilities: { terminal: true } });
    const session = await here.open();
    there = one.openings[0]?.editor;
    const answer = here.prompt(session, "Run");
    const terminals = [{ type: "terminal", terminalId: "term-1" }];
    await expect
      .poll(() => ofKind(here.updates, "tool_call_update").map(({ content }) => content), { timeout: 20_000 })
      .toContainEqual(terminals);
    shown.resolve();
    await answer;
    expect(printed).toEqual([
      { code: 0, signal: undefined },
      { text: "printed", isCut: false },
    ]);
    const last = ofKind(here.updates, "tool_call_update").at(-1);
    expect(last).toMatchObject({ status: "completed", content: expect.arrayContaining(terminals) });
    expect([...schemaFaults(here.sent), ...sessionFaults(here.sent)]).toEqual([]);
  });
});

describe("a question for approval", () => {
  it("offers the rules of the host, and keeps the one that is chosen before the call runs", async () => {
    const kept: unknown[] = [];
    const one = site([writeCall, "Done.<end>"], {
      session: {
        questions: {
          describe: async () => ({
            facts: [{ name: "writes", lines: ["a.txt\u001b[2J"] }],
            rules: [{ text: "write a.txt", file: "~/rules.json" }],
          }),
          keep: async (key, question, rule) => {
            kept.push([key, question, rule, one.written.length]);
            return true;
          },
        },
      },
    });
    const asked: unknown[] = [];
    const here = editor(one.acp, {
      permission: (request) => {
        asked.push(request);
        return chosen("rule-0");
      },
    });
    const session = await here.open();
    await here.prompt(session, "Write");
    expect(one.written).toHaveLength(1);
    expect(kept).toEqual([[{ conversation: session }, expect.any(String), "write a.txt", 0]]);
    expect(asked).toMatchObject([
      {
        toolCall: { title: "write a.txt", kind: "edit", locations: [{ path: "/project/a.txt" }] },
        options: [
          { kind: "allow_once" },
          { kind: "allow_always", name: "Always allow write a.txt (kept in ~/rules.json)" },
          { kind: "reject_once" },
        ],
      },
    ]);
    expect(JSON.stringify(asked)).toContain("writes:\\na.txt\\\\u001b[2J");
    const diff = { type: "diff", path: "/project/a.txt", oldText: null, newText: "hello" };
    expect(asked).toMatchObject([{ toolCall: { content: [diff, { type: "content" }] } }]);
  });

  it("is asked again if the host does not keep the rule, and an option that was not offered is a no", async () => {
    const one = site([writeCall, "Done.<end>"], {
      session: {
        questions: {
          describe: async () => ({ facts: [], rules: [{ text: "write", file: "f" }] }),
          keep: async () => false,
        },
      },
    });
    const answers = ["rule-0", "anything"];
    const here = editor(one.acp, { permission: () => chosen(answers.shift() ?? "allow") });
    await here.prompt(await here.open(), "Write");
    expect([answers, one.written]).toEqual([[], []]);
  });
});

describe("a question of a tool", () => {
  it("is asked again where the answer does not fit, and declined after three that do not", async () => {
    const one = site([callOf("paint"), "Done.<end>"]);
    let times = 0;
    const here = editor(one.acp, {
      capabilities: { elicitation: { form: {} } },
      form: () => {
        times++;
        return { action: "accept", content: { colour: "blue" } };
      },
    });
    expect(await here.prompt(await here.open(), "Paint")).toEqual({ stopReason: "end_turn" });
    expect(times).toBe(3);
    expect(ofKind(here.updates, "tool_call_update").at(-1)).toMatchObject({ status: "failed" });
  });
});

describe("a turn", () => {
  it("that is cut off says so", async () => {
    const here = editor(site([{ chunks: "Too lo", finish: "length" }]).acp);
    expect(await here.prompt(await here.open(), "Hi")).toEqual({ stopReason: "max_tokens" });
    const filtered = editor(site([{ chunks: "No", finish: "content_filter" }]).acp);
    expect(await filtered.prompt(await filtered.open(), "Hi")).toEqual({ stopReason: "refusal" });
  });

  it("that is stopped by a limit says which", async () => {
    const here = editor(site([callOf("sum"), "Never.<end>"], { agent: { budget: { steps: 1 } } }).acp);
    expect(await here.prompt(await here.open(), "Hi")).toEqual({ stopReason: "max_turn_requests" });
    expect(textOf(here.updates)).toMatch(/step/);
  });

  it("shows control characters of a model", async () => {
    const here = editor(site(["a\u001b[2Jb<end>"]).acp);
    await here.prompt(await here.open(), "Hi");
    expect(textOf(here.updates)).toBe("a\\u001b[2Jb");
  });

  it("that fails is told in the words of the host", async () => {
    const here = editor(site([], { acp: { explain: (error) => `It broke: ${error.name}.` } }).acp);
    await expect(here.prompt(await here.open(), "Hi")).rejects.toMatchObject({ message: "It broke: RunError." });
  });
});

describe("a key that is missing", () => {
  const needed = () => Promise.reject(new AuthenticationNeeded("Set MODEL_KEY, and begin again."));
  const ways = [{ id: "env", name: "A variable", description: "Set MODEL_KEY.", check: needed }];

  it("is asked for when a session begins, in the words of the host", async () => {
    const here = editor(site([], { acp: { open: needed, authentication: ways } }).acp);
    expect((await here.initialize()).authMethods).toEqual([
      { id: "env", name: "A variable", description: "Set MODEL_KEY." },
    ]);
    const error = { code: -32000, message: "Set MODEL_KEY, and begin again." };
    await expect(here.agent.request("session/new", { cwd: "/", mcpServers: [] })).rejects.toMatchObject(error);
    await expect(here.agent.request("authenticate", { methodId: "env" })).rejects.toMatchObject(error);
    expect(schemaFaults(here.sent)).toEqual([]);
  });

  it("is asked for when a turn begins", async () => {
    const here = editor(site([], { session: { agent: needed } }).acp);
    const session = await here.open();
    await expect(here.prompt(session, "Hi")).rejects.toMatchObject({ code: -32000 });
  });
});

it.each([true, false])(
  "other folders are offered only where the host reaches them: %s",
  async (additionalDirectories) => {
    const { agentCapabilities } = await editor(site([], { acp: { additionalDirectories } }).acp).initialize();
    const offered = agentCapabilities?.sessionCapabilities ?? {};
    expect("additionalDirectories" in offered).toBe(additionalDirectories);
  },
);

it("a version that the agent does not speak gets the one that it does", async () => {
  const here = editor(site([]).acp);
  expect(await here.agent.request("initialize", { protocolVersion: 7 })).toMatchObject({ protocolVersion: 1 });
});
