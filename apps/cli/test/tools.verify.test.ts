import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { calling, place, resultsOf } from "./support/command-line.ts";

describe("the tools of a run", () => {
  const unknown = { name: "nothing", args: {} };
  const all = ["read", "write", "edit", "list", "find", "replace", "shell", "shell_output", "shell_stop", "scrape"];

  const agents = ["agent", "agent_result"];

  it.each<[string, string[], Record<string, string>, string[]]>([
    ["all that have what they need", [], {}, [...all, "recall", "read_result", ...agents, "plan"]],
    [
      "search with a service",
      [],
      { TAVILY_API_KEY: "canary" },
      [...all, "search", "recall", "read_result", ...agents, "plan"],
    ],
    [
      "no shell in a sandbox",
      ["--access", "sandbox"],
      {},
      [...all.filter((name) => !name.startsWith("shell")), "recall", "read_result", ...agents, "plan"],
    ],
    ["those that are named", ["--tools", "list, read"], {}, ["read", "list"]],
    ["what is named even so", ["--tools", "search,shell", "--access", "sandbox"], {}, ["shell", "search"]],
    ["read_result when it is named", ["--tools", "read_result"], {}, ["read_result"]],
    [
      "that for presenting a plan in its mode",
      ["--tools", "read,write", "--mode", "plan"],
      {},
      ["read", "present_plan"],
    ],
  ])("are %s", async (_, options, env, names) => {
    const { cogency } = place();
    const { stdout } = await cogency(["run", "go", "--json", ...options, ...calling([unknown])], { env });
    const [result] = resultsOf(stdout);
    expect(result?.content).toMatch(new RegExp(`Available tools: ${names.join(", ")}\\.$`));
  });

  it("reach only the root by default", async () => {
    const { cogency, folder } = place();
    mkdirSync(join(folder, "inner"));
    writeFileSync(join(folder, "inner", "a.txt"), "inside");
    const calls = ["a.txt", "../notes.txt", join(folder, "notes.txt")].map((file) => ({
      name: "read",
      args: { file },
    }));
    const { stdout } = await cogency(["run", "go", "--json", "--root", "inner", ...calling(calls)]);
    expect(resultsOf(stdout).map(({ status }) => status)).toEqual(["success", "failure", "failure"]);
  });

  it("have a folder of their own with --access sandbox", async () => {
    const { cogency, folder } = place();
    const calls = [
      { name: "read", args: { file: "notes.txt" } },
      { name: "write", args: { file: "a.txt", content: "mine" } },
    ];
    const { stdout } = await cogency(["run", "go", "--json", "--yes", "--access", "sandbox", ...calling(calls)]);
    expect(resultsOf(stdout).map(({ status }) => status)).toEqual(["failure", "success"]);
    expect(existsSync(join(folder, "a.txt"))).toBe(false);
    expect(readFileSync(join(folder, ".cogency", "sandbox", "a.txt"), "utf8")).toBe("mine");
  });

  it("reach every file with --access system", async () => {
    const { cogency, folder } = place();
    mkdirSync(join(folder, "inner"));
    const call = { name: "read", args: { file: "../notes.txt" } };
    const options = ["--root", "inner", "--access", "system"];
    const { stdout } = await cogency(["run", "go", "--json", ...options, ...calling([call])]);
    expect(resultsOf(stdout)).toEqual([{ tool: "read", status: "success", content: "hello from the notes\n" }]);
  });

  it("remember other conversations", async () => {
    const { cogency } = place();
    await cogency(["run", "the cellar key", "--conversation", "old", ...calling([])]);
    const recall = { name: "recall", args: { query: "cellar" } };
    const { stdout } = await cogency(["run", "go", "--json", ...calling([recall])]);
    expect(resultsOf(stdout)[0]?.content).toMatchObject({ found: [{ conversation: "old" }] });
  });

  it("can read the rest of a result that was too long", async () => {
    const { cogency, folder } = place();
    for (const name of ["a", "b"])
      writeFileSync(join(folder, `${name}.txt`), `${"é".repeat(25_000)}\n${name} is the end`);
    const command = `cat a.txt b.txt ${"notes.txt ".repeat(3)}`;
    const run = ["run", "go", "--json", "--yes", "--conversation", "c"];
    const first = await cogency([...run, ...calling([{ name: "shell", args: { command } }])]);
    const [id] = /call_\w+/.exec(first.stdout) ?? [];
    const more = { name: "read_result", args: { id, find: "b is the end" } };
    const { stdout } = await cogency([...run, ...calling([more])]);
    expect(resultsOf(stdout)[0]).toMatchObject({ status: "success", content: { matches: [{}] } });
  });
});

describe("web search", () => {
  const search = { name: "search", args: { query: "bread" } };

  it("fails with a clear message if no service is configured", async () => {
    const { cogency } = place();
    const { stdout } = await cogency(["run", "go", "--json", "--tools", "search", ...calling([search])]);
    expect(resultsOf(stdout)[0]).toMatchObject({
      status: "failure",
      content: expect.stringContaining("no search service"),
    });
  });

  it("asks the instance in SEARXNG_URL, and shows the number of results", async () => {
    const { cogency } = place();
    const answer = { results: [{ title: "Bread", url: "https://bread.example/", content: "Flour and water." }] };
    const asked: (string | undefined)[] = [];
    const url = await serveJSON((path) => {
      asked.push(path);
      return { status: 200, body: answer };
    });
    const { stderr } = await cogency(["run", "go", ...calling([search])], { env: { SEARXNG_URL: url } });
    expect(asked).toEqual([expect.stringMatching(/^\/search\?q=bread/)]);
    expect(stderr).toContain("✓ search 1 result\n");
  });

  it.each([
    ["BRAVE_API_KEY", "brave"],
    ["TAVILY_API_KEY", "tavily"],
  ])("never shows the key in %s: not in what fails, not in what programs see", async (name, service) => {
    const { cogency } = place();
    const env = { [name]: "canary-0123456789", COGENCY_DEBUG: "1" };
    // No request arrived: the query was refused before it was sent.
    const calls = [
      { name: "search", args: { query: "" } },
      { name: "shell", args: { command: "env" } },
      { name: "shell", args: { command: "no-such-program" } },
    ];
    for (const json of [[], ["--json"]]) {
      const { code, stdout, stderr } = await cogency(["run", "go", "--yes", ...json, ...calling(calls)], { env });
      expect(code).toBe(0);
      expect(`${stdout}${stderr}`).not.toContain("canary");
      expect(`${stdout}${stderr}`).not.toContain(service);
    }
  });
});

/** A server that answers with JSON. Returns its address. */
async function serveJSON(answer: (path: string | undefined) => { status: number; body: object }): Promise<string> {
  const { url } = await serve((request, response) => {
    const { status, body } = answer(request.url);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  return url;
}
