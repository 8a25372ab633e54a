// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a configuration are written so.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ServerView } from "../src/work/mcp/servers.ts";
import { calling, fixtures, jsonLines, type Place, place, resultsOf } from "./support/command-line.ts";
import { modelServer } from "./support/model-servers.ts";

const server = (kind: string, more: object = {}) => ({
  command: process.execPath,
  args: [join(fixtures, "mcp-server.ts"), kind],
  ...more,
});

const add = { name: "docs__add", args: { a: 2, b: 3 } };

/** A folder whose person has these servers. */
function placeWith(servers: Readonly<Record<string, object>>): Place {
  const at = place();
  mkdirSync(join(at.folder, ".config/cogency"), { recursive: true, mode: 0o700 });
  writeFileSync(join(at.folder, ".config/cogency/config.json"), JSON.stringify({ mcp: { servers } }), { mode: 0o600 });
  return at;
}

const configOf = ({ folder }: Place) => JSON.parse(readFileSync(join(folder, ".config/cogency/config.json"), "utf8"));

describe("of three servers, one of which hangs and one crashes", () => {
  const three = {
    slow: server("hang", { connectTimeout: 0.3 }),
    broken: server("crash"),
    docs: server("docs"),
  };

  it("a run has the tools of the third", async () => {
    const at = placeWith(three);
    const { code, stdout } = await at.cogency(["go", "--json", "--allow", "docs__add", ...calling([add])]);
    expect(resultsOf(stdout)).toMatchObject([{ tool: "docs__add", status: "success", content: "5" }]);
    const notices = jsonLines(stdout).filter((event) => event.type === "user" && event.origin === "notice");
    expect(JSON.stringify(notices)).toMatch(/server \\"slow\\".*server \\"broken\\"/);
    expect(code).toBe(0);
  });

  it("`mcp list` says why the others have none", async () => {
    const { code, stdout } = await placeWith(three).cogency(["mcp", "list"]);
    const [slow, broken, docs] = stdout.split("\n");
    expect(slow).toMatch(/^✗ slow +away: The server slow did not connect in 0\.3 s\. +yours/);
    expect(broken).toMatch(/^✗ broken +away: Its program ended \(exit code 1\)\. It wrote last: no database/);
    expect(docs).toMatch(/^✓ docs +ready, 7 tools, 1 prompt, \d resources? +yours/);
    expect(code).toBe(1);
  });
});

describe("a server that cannot be used", () => {
  it.each([
    [
      "whose variable is not set",
      { url: "https://a.example", headers: { A: "${NO_TOKEN}" } },
      "The variable NO_TOKEN is not set.",
    ],
    ["whose program is not there", { command: "no-such-program" }, "there is no program no-such-program on the PATH"],
    ["whose address anybody could change", { url: "http://a.example/mcp" }, "Use https:."],
    ["that is switched off", { command: "no-such-program", disabled: true }, undefined],
  ])("%s is listed with the reason, and stops no run", async (_, entry, reason) => {
    const at = placeWith({ docs: entry });
    const { stdout } = await at.cogency(["mcp", "list", "--json"]);
    const [view] = JSON.parse(stdout) as ServerView[];
    if (reason === undefined) expect(view?.status).toBe("disabled");
    else expect(view).toMatchObject({ status: "failed", reason: expect.stringContaining(reason) });
    expect(await at.cogency(["go"])).toMatchObject({ code: 0 });
  });
});

describe("the program of a server", () => {
  it("gets the variables that are named, and none of the others", async () => {
    const at = placeWith({ docs: server("docs", { env: { GIVEN: "${COLOR:-blue}", KEY: "${KEPT_KEY}" } }) });
    await at.cogency(["config", "key", "set", "KEPT_KEY"], { input: "kept-secret-1\n" });
    const { stdout } = await at.cogency(["mcp", "call", "docs", "variables"], {
      env: { COLOR: "red", OTHER_KEY: "s" },
    });
    expect(stdout).toContain("GIVEN");
    expect(stdout).toContain("KEY");
    expect(stdout).not.toContain("OTHER_KEY");
  });
});

describe("servers of a folder", () => {
  const shared = (at: Place, servers: object) =>
    writeFileSync(join(at.folder, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
  const pids = (at: Place) => join(at.folder, "pids.txt");
  const watched = (at: Place) => server("docs", { type: "stdio", env: { COGENCY_TEST_PIDS: pids(at) } });

  it("are neither started nor offered before a person trusts it", async () => {
    const at = place();
    shared(at, { docs: watched(at) });
    const run = await at.cogency(["go", "--json", ...calling([add])]);
    expect(run.stderr).toContain("Ignored: .mcp.json. This folder is not trusted");
    expect(resultsOf(run.stdout)).toMatchObject([{ tool: "docs__add", status: "failure" }]);
    const listed = await at.cogency(["mcp", "list"]);
    expect(listed.stderr).toMatch(
      /Not looked at: 1 server of this folder \(docs\), which is not trusted\. Nothing of them was started or reached\./,
    );
    const called = await at.cogency(["mcp", "call", "docs", "add"]);
    expect(called).toMatchObject({ code: 2, stderr: expect.stringContaining("is of a project that is not trusted") });
    expect(existsSync(pids(at))).toBe(false);

    const trusted = await at.cogency(["trust", "--yes"]);
    expect(trusted.stdout).toContain(".mcp.json");
    expect(trusted.stdout).toMatch(
      /server docs = \{"command":".*mcp-server\.ts","docs"\],"env":\{"COGENCY_TEST_PIDS":/,
    );
    const after = await at.cogency(["go", "--json", "--allow", "docs__add", ...calling([add])]);
    expect(resultsOf(after.stdout)).toMatchObject([{ tool: "docs__add", status: "success" }]);
  });

  it("are looked at again when the file has changed, or a file that one runs", async () => {
    const at = place();
    writeFileSync(join(at.folder, "serve.mjs"), "process.exit(1);\n");
    shared(at, { own: { command: "node", args: ["./serve.mjs"] } });
    await at.cogency(["trust", "--yes"]);
    expect((await at.cogency(["go"])).stderr).not.toContain("Ignored");
    writeFileSync(join(at.folder, "serve.mjs"), "process.exit(2);\n");
    expect((await at.cogency(["go"])).stderr).toContain("or what its hooks or servers run");
    await at.cogency(["trust", "--yes"]);
    shared(at, { own: { command: "node", args: ["./serve.mjs", "--all"] } });
    expect((await at.cogency(["go"])).stderr).toContain("Ignored: .mcp.json.");
  });

  it("come after those of the person: a project takes no name of theirs", async () => {
    const at = placeWith({ docs: { command: "no-such-program" } });
    shared(at, { docs: watched(at) });
    await at.cogency(["trust", "--yes"]);
    const { stderr, stdout } = await at.cogency(["mcp", "list"]);
    expect(stderr).toContain("The server docs of .mcp.json is left out: yours comes first.");
    expect(stdout).toContain("no-such-program");
    expect(existsSync(pids(at))).toBe(false);
  });
});

describe("cogency mcp", () => {
  it("adds a server that answers, and removes it", async () => {
    const at = place();
    const added = await at.cogency([
      "mcp",
      "add",
      "docs",
      "--",
      process.execPath,
      join(fixtures, "mcp-server.ts"),
      "docs",
    ]);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining("docs: ready, 7 tools") });
    expect(configOf(at).mcp.servers.docs).toEqual(server("docs"));
    const again = await at.cogency(["mcp", "add", "docs", "https://a.example/mcp", "--no-check"]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("cogency mcp remove docs") });
    expect(await at.cogency(["mcp", "remove", "docs"])).toMatchObject({ code: 0 });
    expect(configOf(at).mcp.servers).toEqual({});
    expect(await at.cogency(["mcp", "remove", "docs"])).toMatchObject({ code: 2 });
  });

  it("adds none that does not answer, unless it is told so", async () => {
    const at = place();
    const failed = await at.cogency(["mcp", "add", "docs", "--", "no-such-program"]);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("docs was not added. It is failed") });
    expect(existsSync(join(at.folder, ".config/cogency/config.json"))).toBe(false);
    await at.cogency(["mcp", "add", "docs", "--no-check", "--", "no-such-program"]);
    expect(configOf(at).mcp.servers.docs).toEqual({ command: "no-such-program" });
  });

  it("writes for a project what other agents read, after a yes", async () => {
    const at = place();
    const words = ["mcp", "add", "docs", "https://a.example/mcp", "--header", "A: ${TOKEN}", "--project", "--no-check"];
    expect(await at.cogency(words)).toMatchObject({ code: 2, stderr: expect.stringContaining("add --yes") });
    const { stderr } = await at.cogency([...words, "--yes"]);
    expect(stderr).toContain("It does not count until you trust the folder");
    expect(JSON.parse(readFileSync(join(at.folder, ".mcp.json"), "utf8"))).toEqual({
      mcpServers: { docs: { type: "http", url: "https://a.example/mcp", headers: { A: "${TOKEN}" } } },
    });
  });

  it.each([
    ["a name with a space", ["my docs", "https://a.example"], "a server's name is a letter"],
    ["arguments of an address", ["docs", "https://a.example", "x"], "An address takes no arguments"],
    ["headers of a program", ["docs", "--header", "A: b", "--", "x"], "--header is for a server with an address"],
    ["a variable without a value", ["docs", "--env", "A", "--", "x"], "--env has to be like 'TOKEN=${TOKEN}'"],
    [
      "a key",
      ["docs", "--env", "A=sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789", "--", "x"],
      "what looks like a key",
    ],
  ])("refuses %s, and writes nothing", async (_, words, message) => {
    const at = place();
    expect(await at.cogency(["mcp", "add", ...words])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
    expect(existsSync(join(at.folder, ".config/cogency/config.json"))).toBe(false);
  });

  it("calls a tool, and says by its exit code whether that worked", async () => {
    const at = placeWith({ docs: server("docs") });
    expect(await at.cogency(["mcp", "call", "docs", "add", '{"a":2,"b":3}'])).toMatchObject({ code: 0, stdout: "5\n" });
    const failed = await at.cogency(["mcp", "call", "docs", "fail"]);
    expect(failed).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("The index is broken.") });
    expect(await at.cogency(["mcp", "call", "docs", "ad"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Did you mean add?"),
    });
    expect(await at.cogency(["mcp", "call", "docz", "add"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Did you mean docs?"),
    });
    const logs = await at.cogency(["mcp", "logs", "docs"]);
    expect(logs.stdout).toMatch(/info serving docs\n/);
    expect(logs.stdout).toMatch(/state ready\n/);
  });

  it("serves tools that change nothing, and with --allow what it names", async () => {
    const serve = (...more: string[]) => ({
      command: process.execPath,
      args: [join(fixtures, "../../bin/cogency.cjs"), "mcp", "serve", ...more],
    });
    const at = placeWith({ looks: serve(), writes: serve("--allow", "write") });
    expect(await at.cogency(["mcp", "call", "looks", "read", '{"file":"notes.txt"}'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("hello from the notes"),
    });
    const refused = await at.cogency(["mcp", "call", "looks", "write", '{"file":"a.txt","content":"a"}']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('no tool "write"') });
    const written = await at.cogency(["mcp", "call", "writes", "write", '{"file":"a.txt","content":"a"}']);
    expect(written).toMatchObject({ code: 0 });
    const asked = await at.cogency(["mcp", "call", "writes", "delete", '{"file":"a.txt"}']);
    expect(asked.code).toBe(1);
    expect(readFileSync(join(at.folder, "a.txt"), "utf8")).toBe("a");
  });
});

describe("what a prompt takes from a server", () => {
  it("is the text of its prompt, for /server:prompt, which brings no file along", async () => {
    const at = placeWith({ docs: server("docs") });
    const model = await modelServer("Fine.");
    const { stderr } = await at.cogency([
      "run",
      "/docs:review main kind",
      ...model.at("Chat Completions"),
      "--model",
      "m",
    ]);
    const request = JSON.stringify(model.requests[0]);
    expect(request).toContain("/docs:review main kind\\n\\nThe server docs says about that:\\n\\n");
    expect(request).toContain("Review main in a kind way. @notes.txt");
    expect(request).not.toContain("hello from the notes");
    expect(stderr).toContain("/docs:review: a prompt of the server docs. What it says counts as untrusted.");
  });

  it("is refused with the usage where an argument is missing", async () => {
    const at = placeWith({ docs: server("docs") });
    expect(await at.cogency(["run", "/docs:review"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("/docs:review needs change. Write /docs:review <change> [style]"),
    });
  });

  it("is a resource, for @server:uri", async () => {
    const at = placeWith({ docs: server("docs") });
    const model = await modelServer("Fine.");
    const words = ["run", "Follow @docs:docs://guide.md, please.", ...model.at("Chat Completions"), "--model", "m"];
    expect(await at.cogency(words)).toMatchObject({ code: 0 });
    expect(JSON.stringify(model.requests[0])).toContain("Write short sentences.");
    const missing = await at.cogency([
      "run",
      "Follow @docs:docs://none.md",
      ...model.at("Chat Completions"),
      "--model",
      "m",
    ]);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be attached") });
  });
});
