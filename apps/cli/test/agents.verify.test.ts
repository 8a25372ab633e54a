import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sqliteStore } from "@cogency/storage-sqlite";
import { describe, expect, it } from "vitest";
import { fixtures, jsonLines, type Place, place, resultsOf } from "./support/command-line.ts";
import { trustFolder } from "./support/trust-folder.ts";

const textOf = (name: string, front = "", text = "Do it.") =>
  `---\nname: ${name}\ndescription: Does ${name}.${front === "" ? "" : `\n${front}`}\n---\n${text}\n`;

function put({ folder }: Place, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const mine = ".config/cogency/agents";
const model = ["--provider", join(fixtures, "agents-model.ts")];
const call = (name: string, args: object) => ({ name, args });
const work = (...steps: object[][]) => JSON.stringify(steps);
const give = (agent: string, ...steps: object[][]) => call("agent", { agent, prompt: `do ${work(...steps)}` });

/** A module of one tool. */
const reverse = `
  import { defineTool } from "@cogency/tools";
  export default defineTool({
    name: "reverse",
    description: "Reverses a text.",
    input: { type: "object", properties: { text: { type: "string" } } },
    annotations: { readOnlyHint: true },
    execute: ({ text = "" }: { text?: string }) => text,
  });`;

describe("cogency agents list", () => {
  it("lists the agents that count here, and where each is from", async () => {
    const at = place();
    put(at, `${mine}/reviewer.md`, textOf("reviewer"));
    put(at, ".claude/agents/tester.md", textOf("tester"));
    const before = await at.cogency(["agents", "list"]);
    trustFolder(at.folder);
    const after = await at.cogency(["agents", "list"]);
    expect(before.stdout).toMatch(/^explore +built in .*\ngeneral +built in .*\nreviewer +yours +Does reviewer\.\n$/);
    expect(after.stdout).toMatch(/\ntester +\.claude\/agents\/tester\.md +Does tester\.\n$/);
  });

  it("gives name, description and path of those of any folder as JSON, and says on stderr what was left out", async () => {
    const at = place();
    put(at, "some/zip.md", textOf("zip"));
    put(at, "some/bad.md", "nothing");
    const { stdout, stderr } = await at.cogency(["agents", "list", "--json", "--folder", "some"]);
    expect(JSON.parse(stdout)).toEqual([
      { name: "zip", description: "Does zip.", path: expect.stringMatching(/some\/zip\.md$/) },
    ]);
    expect(stderr).toMatch(/Left out: .*bad\.md:1: The first line must be/);
  });
});

describe("cogency agents check", () => {
  it("prints each fault with its line and what to write instead, and ends with 1", async () => {
    const at = place();
    put(at, "some/zip.md", textOf("zip", "tools: raed"));
    const { code, stdout } = await at.cogency(["agents", "check", "some"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /zip\.md:4: tools: there is no tool "raed"\. Did you mean read\?\n0 valid agents, 1 fault\n/,
    );
  });

  it("knows the tools of extensions, as a run does", async () => {
    const at = place();
    put(at, "some/zip.md", textOf("zip", "tools: read, reverse"));
    put(at, "reverse.mts", reverse);
    expect((await at.cogency(["agents", "check", "some"])).code).toBe(1);
    expect((await at.cogency(["agents", "check", "some", "--tool", "./reverse.mts"])).stdout).toBe(
      "1 valid agent, 0 faults\n",
    );
    put(at, ".config/cogency/config.json", JSON.stringify({ tools: ["../../reverse.mts"] }));
    expect((await at.cogency(["agents", "check", "some"])).stdout).toBe("1 valid agent, 0 faults\n");
    expect((await at.cogency(["agents", "list", "--folder", "some"])).stdout).toMatch(/^zip /);
  });

  it("looks at each folder that counts once: yours, yours for other agents, and those of the project", async () => {
    const at = place();
    put(at, `${mine}/reviewer.md`, textOf("reviewer"));
    put(at, ".claude/agents/tester.md", textOf("tester"));
    put(at, "project/.claude/agents/bad.md", "nothing");
    expect((await at.cogency(["agents", "check"])).stdout).toBe("2 valid agents, 0 faults\n");
    const { stdout } = await at.cogency(["agents", "check"], { cwd: join(at.folder, "project") });
    expect(stdout).toMatch(/bad\.md:1: .*\n2 valid agents, 1 fault\n$/);
  });

  it.each([
    ["a folder without one", ["agents", "check", "empty"], 1, /no file of an agent/],
    ["what there is not", ["agents", "check", "nowhere"], 2, /There is no file or folder nowhere/],
    ["nothing", ["agents", "check"], 0, /0 valid agents, 0 faults/],
  ])("of %s says so", async (_, args, exit, text) => {
    const at = place();
    mkdirSync(join(at.folder, "empty"));
    const { code, stdout, stderr } = await at.cogency(args);
    expect(code).toBe(exit);
    expect(stdout + stderr).toMatch(text);
  });
});

describe("a run that gives work to agents", () => {
  it("shows what they do with the names that lead to it, streams it as JSON, and lists only the person's conversation", async () => {
    const at = place();
    put(at, `${mine}/reviewer.md`, textOf("reviewer"));
    const prompt = `go ${work([give("reviewer", [call("read", { file: "notes.txt" })], [give("explore", [call("list", { path: "." })])])])}`;
    const shown = await at.cogency(["run", prompt, ...model, "--conversation", "c"]);
    expect(shown.code).toBe(0);
    expect(shown.stderr).toContain("→ reviewer › read ");
    expect(shown.stderr).toContain("→ reviewer › explore › list ");
    expect(shown.stderr).toMatch(/✓ agent reviewer: Done after 2 steps\./);

    const { stdout } = await at.cogency(["run", prompt, ...model, "--json", "--conversation", "d"]);
    const inner = jsonLines<{ type: string; event?: { type: string; event?: { type: string; name?: string } } }>(
      stdout,
    );
    expect(inner.some(({ type, event }) => type === "subagent" && event?.event?.name === "list")).toBe(true);

    const list = await at.cogency(["history", "list"]);
    expect(list.stdout.trim().split("\n")).toHaveLength(3);
    expect(list.stdout).not.toContain("subagent-");
    const trace = await at.cogency(["trace", "c"]);
    expect(trace.stdout).toMatch(/\nAgent reviewer · 3 steps · 2 calls/);
    expect(trace.stdout).toMatch(/\nAgent reviewer › explore · 2 steps · 1 call/);
    const last = await at.cogency(["run", "-c", "and now?", ...model]);
    expect(last.stderr).toContain("conversation d");
  });

  it("leaves conversations of its agents, each of which says whose it is", async () => {
    const at = place();
    put(at, `${mine}/reviewer.md`, textOf("reviewer"));
    const prompt = `go ${work([give("reviewer", [give("explore", [call("list", { path: "." })])])])}`;
    await at.cogency(["run", prompt, ...model, "--conversation", "c"]);
    const childOf = async (conversation: string) => {
      const { stdout } = await at.cogency(["history", "show", conversation, "--json"]);
      const records = jsonLines<{ kind?: string; data: { conversation: string } }>(stdout);
      return records.find(({ kind }) => kind === "child")?.data.conversation ?? "";
    };
    const outer = await childOf("c");
    expect((await at.cogency(["history", "show", outer])).stderr).toBe(
      "The conversation of the agent reviewer, which a call of c has started.\n",
    );
    expect((await at.cogency(["history", "show", await childOf(outer)])).stderr).toBe(
      `The conversation of the agent reviewer › explore, which a call of ${outer} has started, which belongs to c.\n`,
    );
  });

  it("is deleted with the conversations of its agents, and those of others stay", async () => {
    const at = place();
    put(at, `${mine}/reviewer.md`, textOf("reviewer"));
    const prompt = `go ${work([give("reviewer", [give("explore", [call("list", { path: "." })])])])}`;
    await at.cogency(["run", prompt, ...model, "--conversation", "c"]);
    await at.cogency(["run", prompt, ...model, "--conversation", "d"]);
    const store = await sqliteStore({ path: at.store });
    const names = async () => (await store.conversations()).map(({ conversation }) => conversation);
    expect((await names()).filter((name) => name.startsWith("subagent-"))).toHaveLength(4);
    expect(await at.cogency(["history", "delete", "c", "--yes"])).toMatchObject({ code: 0 });
    const left = await names();
    await store.close();
    expect(left.filter((name) => name.startsWith("subagent-"))).toHaveLength(2);
    expect(left).toContain("d");
  });

  it("gives an agent no tool beyond its list, and none beyond those of the run", async () => {
    const at = place();
    put(at, `${mine}/reader.md`, textOf("reader", "tools: Read"));
    put(at, `${mine}/none.md`, textOf("none", "tools: []"));
    const write = call("write", { file: "made.txt", content: "x" });
    const prompt = `go ${work([give("reader", [write]), give("none", [call("read", { file: "notes.txt" })]), give("general", [write])])}`;
    const { stdout } = await at.cogency(["run", prompt, ...model, "--json", "--yes", "--tools", "read,agent"]);
    const failed = jsonLines<Record<string, never>>(stdout).flatMap((event) => failuresIn(event));
    expect(failed.sort()).toEqual(["none read", "write", "write"].map((one) => one.split(" ").at(-1)).sort());
    expect(resultsOf(stdout)).toHaveLength(3);
  });

  it("asks about what an agent wants to run as about any call: without a terminal it is refused", async () => {
    const at = place();
    const prompt = `go ${work([give("general", [call("write", { file: "made.txt", content: "x" })])])}`;
    const { stderr } = await at.cogency(["run", prompt, ...model]);
    expect(stderr).toMatch(/✗ general › write .*needs approval/);
  });

  it("goes on with a call of an agent that was approved while nobody ran, and asks no second time", async () => {
    const at = place();
    const prompt = `go ${work([give("general", [call("write", { file: "made.txt", content: "x" })])])}`;
    const named = ["--conversation", "c"];
    const waiting = await at.cogency(["run", prompt, ...model, ...named, "--wait"]);
    expect(waiting.code).toBe(6);
    expect(waiting.stderr.match(/^\? .*write/gm)).toHaveLength(1);
    const [, question = ""] = /cogency approve c (\S+)/.exec((await at.cogency(["approve", "c"])).stdout) ?? [];
    expect((await at.cogency(["approve", "c", question])).code).toBe(0);
    const { code, stderr } = await at.cogency(["run", "--resume", ...model, ...named, "--wait"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("✓ general › write ")]);
    expect(existsSync(join(at.folder, "made.txt"))).toBe(true);
  });

  it.each(["read-only", "plan"])("only looks in the mode %s, also through agents", async (mode) => {
    const at = place();
    const prompt = `go ${work([give("general", [call("read", { file: "notes.txt" })], [call("write", { file: "made.txt", content: "x" })])])}`;
    const { stderr } = await at.cogency(["run", prompt, ...model, "--mode", mode]);
    expect(stderr).toContain("✓ general › read ");
    expect(stderr).toContain("✗ general › write ");
    expect(existsSync(join(at.folder, "made.txt"))).toBe(false);
  });

  it("obeys no agent of a project that nobody trusts", async () => {
    const at = place();
    put(at, ".claude/agents/evil.md", textOf("evil"));
    const { stderr } = await at.cogency(["run", `go ${work([give("evil", [])])}`, ...model]);
    expect(stderr).toMatch(/✗ agent/);
  });
});

interface Seen {
  type?: string;
  event?: Seen;
  outcome?: string;
  name?: string;
}

/** The tools of calls that failed within agents. */
function failuresIn(event: Seen): string[] {
  if (event.type !== "subagent" || !event.event) return [];
  const inner = event.event;
  if (inner.type === "subagent") return failuresIn(inner);
  return inner.type === "tool_ended" && inner.outcome !== "success" ? [inner.name ?? ""] : [];
}
