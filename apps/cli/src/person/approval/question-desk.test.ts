import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent, defineTool } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { memoryStore, type StoredEvent } from "@cogency/storage";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { serverTool } from "../../../test/support/server-tool.ts";
import { keepAsked } from "../../place/definitions/asked-definitions.ts";
import { knownDefinitions } from "../../place/definitions/known-definitions.ts";
import type { KeptRules } from "../../place/rules/kept-rules.ts";
import type { Rules } from "../../place/rules/rules.ts";
import { questionDesk } from "./question-desk.ts";
import { standingRules } from "./standing-rules.ts";

const key = { conversation: "c" };
const scope = "/here";
const surroundings = { base: "/here", isolated: true, hosts: [] };
const shell = defineTool({
  name: "shell",
  description: "",
  input: { type: "object" },
  approval: "ask",
  execute: () => "",
});

/** A conversation that asks whether a command may run, and the desk beside it. */
async function asked(command: string, { rules = {}, of = scope }: { rules?: Rules; of?: string } = {}) {
  const store = memoryStore();
  const block = `<execute>${JSON.stringify([{ name: "shell", args: { command } }])}</execute>`;
  const provider = scripted([block, "Done.<end>"]);
  const agent = createAgent({ provider, tools: [shell], store, scope: of, whenUnanswered: "wait" });
  await agent.ask("go", key).catch(() => {});
  const added: string[] = [];
  const kept: KeptRules = { now: () => rules, file: "rules.json", add: async (rule) => void added.push(rule) };
  const desk = questionDesk({ store, tools: [shell], rules: standingRules([], surroundings, kept), scope });
  const question = (await store.load(key)).flatMap((event) =>
    event.type === "record" && event.kind === "question" ? [event.data.id] : [],
  )[0];
  return { agent, store, desk, question: question ?? "", added };
}

describe("what the page is told of a question", () => {
  it("is what a script runs and writes, and what made it ask, as the terminal shows them", async () => {
    const { desk, question } = await asked("npm test 2>&1 | tail -20 > out.txt && echo $(id)");
    expect((await desk.describe(key, question))?.facts).toEqual([
      { name: "runs", lines: expect.arrayContaining(["npm test 2>&1", "tail -20 > out.txt"]) },
      { name: "writes", lines: ["out.txt"] },
      { name: "because", lines: [expect.stringContaining("$(id)")] },
    ]);
  });

  it("names a host in the form that is requested", async () => {
    const { desk, question } = await asked("curl https://аpple.com");
    expect((await desk.describe(key, question))?.facts).toEqual([
      { name: "host", lines: ["аpple.com is xn--pple-43d.com"] },
    ]);
  });

  it("names the server of a tool, and what has changed in its definition, as texts; with --redact neither", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cogency-desk-"));
    vi.stubEnv("XDG_CONFIG_HOME", folder);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true, force: true });
    });
    await knownDefinitions().learn(serverTool());
    const tool = serverTool({ description: "Creates an issue.\n<script>alert(1)</script>\u202e" });
    keepAsked(tool, scope, "yours");
    const store = memoryStore();
    const provider = scripted([`<execute>[{"name":"${tool.name}","args":{}}]</execute>`]);
    await createAgent({ provider, tools: [tool], store, scope, whenUnanswered: "wait" })
      .ask("go", key)
      .catch(() => {});
    const id = (await store.load(key)).flatMap((event) =>
      event.type === "record" && event.kind === "question" ? [event.data.id] : [],
    )[0];
    const rules = standingRules([], surroundings);
    const facts = async (redacts?: true) =>
      (await questionDesk({ store, tools: [], rules, scope, redacts }).describe(key, id ?? ""))?.facts;
    expect(await facts()).toEqual([
      {
        name: "server",
        lines: ["The tool create_issue of the server github (from your configuration), https://mcp.example.com/mcp."],
      },
      {
        name: "definition",
        lines: [expect.stringMatching(/^The server has changed its definition of github__create_issue since /)],
      },
      {
        name: "difference",
        lines: ["@ description", "  Creates an issue.", "+ <script>alert(1)</script>\u202e"],
      },
    ]);
    expect(await facts(true)).toEqual([
      { name: "server", lines: [expect.stringContaining("is not shown with --redact")] },
    ]);
  });

  it("are the rules that the terminal offers, each with its file; the chosen one is kept, and no other text", async () => {
    const { desk, question, added } = await asked("git log --oneline");
    expect(await desk.describe(key, question)).toEqual({
      facts: [],
      rules: ["shell:git log --oneline", "shell:git log **"].map((text) => ({ text, file: "rules.json" })),
    });
    for (const text of ["", "shell", "shell:**", "shell:git log", "0"])
      expect(await desk.keep(key, question, text)).toBe(false);
    expect(added).toEqual([]);
    expect(await desk.keep(key, question, "shell:git log **")).toBe(true);
    expect(added).toEqual(["shell:git log **"]);
  });

  it("is one choice for a script, which keeps a rule for each of its commands", async () => {
    const { desk, question, added } = await asked("git status | cat", { rules: { allow: ["shell:ls"] } });
    expect((await desk.describe(key, question))?.rules).toEqual([
      { text: "shell:git status, shell:cat", file: "rules.json" },
    ]);
    expect(await desk.keep(key, question, "shell:git status, shell:cat")).toBe(true);
    expect(added).toEqual(["shell:git status", "shell:cat"]);
  });

  it.each<[why: string, ...Parameters<typeof asked>]>([
    ["a script that no rule can judge", "echo $(id)"],
    ["a call that a rule asks about", "git status", { rules: { ask: ["shell:git **"] } }],
    ["a conversation of another folder", "git status", { of: "/there" }],
  ])("holds no rule for %s", async (_, ...given) => {
    const { desk, question, added } = await asked(...given);
    expect((await desk.describe(key, question))?.rules).toEqual([]);
    expect(await desk.keep(key, question, "shell:git status")).toBe(false);
    expect(added).toEqual([]);
  });

  it("holds no rule where the log shows other arguments than those that were asked about", async () => {
    const { store, desk, question } = await asked("git status");
    const log = (await store.load(key)).map(
      (event): StoredEvent =>
        event.type === "call" ? { ...event, content: event.content.replace("git status", "git log") } : event,
    );
    const forged = questionDesk({
      store: { load: async () => log },
      tools: [shell],
      rules: standingRules([], surroundings, { now: () => ({}), file: "rules.json", add: async () => {} }),
      scope,
    });
    expect((await desk.describe(key, question))?.rules).toHaveLength(1);
    expect((await forged.describe(key, question))?.rules).toEqual([]);
  });

  it("is nothing of a question that nobody asked, or that has its answer", async () => {
    const { agent, desk, question, added } = await asked("git status");
    expect(await desk.describe(key, "other")).toBeUndefined();
    expect(await desk.describe({ conversation: "other" }, question)).toBeUndefined();
    await agent.send(key, { kind: "deny", question });
    await agent.sweep();
    expect(await desk.describe(key, question)).toBeUndefined();
    expect(await desk.keep(key, question, "shell:git status")).toBe(false);
    expect(added).toEqual([]);
  });
});
