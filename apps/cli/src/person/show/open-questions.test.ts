import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { memoryStore, type StoredEvent } from "@cogency/storage";
import type { Tool } from "@cogency/tools";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { fakeStream } from "../../../test/support/fake-stream.ts";
import { serverTool } from "../../../test/support/server-tool.ts";
import { askedFolder, keepAsked } from "../../place/definitions/asked-definitions.ts";
import { knownDefinitions } from "../../place/definitions/known-definitions.ts";
import { askedRows, questionsOf } from "./open-questions.ts";

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "cogency-open-questions-"));
  vi.stubEnv("XDG_CONFIG_HOME", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
});

const first = serverTool();
const scope = "/here";

/** The log of a conversation that asks about a call of the tool. */
async function logOf(tool: Tool, store = memoryStore()): Promise<readonly StoredEvent[]> {
  const provider = scripted([`<execute>[{"name":"${tool.name}","args":{"title":"a"}}]</execute>`]);
  const key = { conversation: "c" };
  await createAgent({ provider, tools: [tool], store, scope, whenUnanswered: "wait" })
    .ask("go", key)
    .catch(() => {});
  return store.load(key);
}

function rowsOf(log: readonly StoredEvent[]): string[] {
  const [asked] = questionsOf(log);
  if (!asked) throw new Error("nothing was asked");
  return askedRows(asked, fakeStream(), 120, scope);
}

describe("the question of another process about a tool of a server", () => {
  it("names the server, and says where it is from", async () => {
    keepAsked(first, scope, ".mcp.json");
    expect(rowsOf(await logOf(first))).toEqual([
      "github__create_issue wants to run with",
      "The tool create_issue of the server github (from .mcp.json of the project), https://mcp.example.com/mcp.",
      "  title  a",
    ]);
  });

  it("shows what has changed since the person knew it, hidden characters as escapes, and so many lines at most", async () => {
    await knownDefinitions().learn(first);
    const lines = Array.from({ length: 500 }, (_, at) => `line ${at}`).join("\n");
    const hidden = serverTool({ description: `Creates an issue.\u202e\u{e0041}\u001b[2J\n${lines}` });
    keepAsked(hidden, scope, "yours");
    const rows = rowsOf(await logOf(hidden));
    expect(rows).toContain("- Creates an issue.");
    expect(rows).toContain("+ Creates an issue.\\u202e\\u{e0041}\\u001b[2J");
    expect(rows.some((row) => /\d+ more lines$/.test(row))).toBe(true);
    expect(rows.length).toBeLessThan(100);
    expect(rows.at(-1)).toMatch(
      /^ {2}when you let it run\.$|! The server has changed its definition of github__create_issue since/,
    );
  });

  it("says nothing of a change once the person knows the definition", async () => {
    const other = serverTool({ description: "Creates two issues." });
    await knownDefinitions().learn(first);
    await knownDefinitions().learn(other);
    keepAsked(other, scope, "yours");
    expect(rowsOf(await logOf(other)).join("\n")).not.toContain("changed");
  });

  it("says that nothing is known here where the definition is not kept, and where a log names that of another tool", async () => {
    const unknown =
      /^! This is a tool of an MCP server\. Which one, and whether its definition has changed, is not known here/m;
    const log = await logOf(first);
    expect(rowsOf(log).join("\n")).toMatch(unknown);
    expect(() => readdirSync(askedFolder())).toThrow();
    const other = serverTool({ name: "github__look" });
    keepAsked(other, scope, "yours");
    const [asked] = questionsOf(await logOf(other));
    const forged = log.map((event): StoredEvent => {
      if (event.type !== "record" || event.kind !== "question") return event;
      return { ...event, data: { ...event.data, definition: asked?.definition ?? "" } };
    });
    expect(rowsOf(forged).join("\n")).toMatch(unknown);
  });

  it("says nothing of a server about a tool of the program itself", async () => {
    const { definedBy: _, ...own } = first;
    expect(rowsOf(await logOf(own))).toEqual(["github__create_issue wants to run with", "  title  a"]);
  });
});
