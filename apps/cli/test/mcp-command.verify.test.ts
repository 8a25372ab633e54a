// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a configuration are written so.
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { ServerView } from "../src/work/mcp/servers.ts";
import { calling, fixtures, jsonLines, type Place, place, resultsOf } from "./support/command-line.ts";
import { placeWith, quickServer, shareServers } from "./support/mcp-places.ts";

const add = { name: "docs__add", args: { a: 2, b: 3 } };

const quickProgram = join(fixtures, "quick-mcp-server.js");

const configOf = ({ folder }: Place) => JSON.parse(readFileSync(join(folder, ".config/cogency/config.json"), "utf8"));

describe("of three servers, one of which hangs and one crashes", () => {
  const three = {
    slow: { command: "sleep", args: ["1000"], connectTimeout: 0.3 },
    broken: { command: "sh", args: ["-c", "echo no database >&2; exit 1"] },
    docs: quickServer(),
  };

  it("a run has the tools of the third", async () => {
    const at = placeWith(three);
    const { code, stdout, stderr } = await at.cogency(["go", "--json", "--allow", "docs__add", ...calling([add])]);
    expect(resultsOf(stdout)).toMatchObject([{ tool: "docs__add", status: "success", content: "5" }]);
    const notices = jsonLines(stdout).filter((event) => event.type === "user" && event.origin === "notice");
    expect(JSON.stringify(notices)).toMatch(/server \\"slow\\".*server \\"broken\\"/);
    expect(stderr).toMatch(
      /The server slow is away: it did not connect.*\n(?:.*\n)*The server broken is away: its program/,
    );
    expect(code).toBe(0);
  });

  it("`mcp list` says why the others have none", async () => {
    const { code, stdout } = await placeWith(three).cogency(["mcp", "list"]);
    const [slow, broken, docs] = stdout.split("\n");
    expect(slow).toMatch(/^✗ slow +away: it did not connect in 0\.3 s\. +yours/);
    expect(broken).toMatch(/^✗ broken +away: its program ended \(exit code 1\)\. It wrote: no database/);
    expect(docs).toMatch(/^✓ docs +ready, 1 tool +yours/);
    expect(code).toBe(1);
  });
});

it("a program is told the folder that the agent works in", async () => {
  const roots = join(place().folder, "roots.txt");
  const at = placeWith({ docs: quickServer({ env: { COGENCY_TEST_ROOTS: roots } }) });
  await at.cogency(["go", "--allow", "docs__add", ...calling([add])]);
  expect(readFileSync(roots, "utf8")).toBe(pathToFileURL(realpathSync(at.folder)).href);
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
    const run = await at.cogency(["go"]);
    expect(run.code).toBe(0);
    if (reason === undefined) expect(run.stderr).not.toContain("docs");
    else expect(run.stderr.split("The server docs failed: ")).toHaveLength(2);
  });
});

describe("servers of a folder", () => {
  const pids = (at: Place) => join(at.folder, "pids.txt");
  const watched = (at: Place) => quickServer({ type: "stdio", env: { COGENCY_TEST_PIDS: pids(at) } });

  it("are neither started nor offered before a person trusts it", async () => {
    const at = place();
    shareServers(at, { docs: watched(at) });
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
    expect(trusted.stdout).toMatch(/server docs = \{"command":".*quick-mcp-server\.js"\],"env":\{"COGENCY_TEST_PIDS":/);
    const after = await at.cogency(["go", "--json", "--allow", "docs__add", ...calling([add])]);
    expect(resultsOf(after.stdout)).toMatchObject([{ tool: "docs__add", status: "success" }]);
  });

  it("come after those of the person: a project takes no name of theirs", async () => {
    const at = placeWith({ docs: { command: "no-such-program" } });
    shareServers(at, { docs: watched(at) });
    await at.cogency(["trust", "--yes"]);
    const { stderr, stdout } = await at.cogency(["mcp", "list"]);
    expect(stderr).toContain("The server docs of .mcp.json is left out: yours comes first.");
    expect(stdout).toContain("no-such-program");
    expect(existsSync(pids(at))).toBe(false);
  });
});

describe("cogency mcp", () => {
  it("adds none that does not answer, unless it is told so", async () => {
    const at = place();
    const failed = await at.cogency(["mcp", "add", "docs", "--", "no-such-program"]);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("docs was not added: failed") });
    expect(existsSync(join(at.folder, ".config/cogency/config.json"))).toBe(false);
    await at.cogency(["mcp", "add", "docs", "--no-check", "--", "no-such-program"]);
    expect(configOf(at).mcp.servers.docs).toEqual({ command: "no-such-program" });
  });

  it("does not start what it cannot write, and says how a name that is taken becomes free", async () => {
    const at = placeWith({ docs: quickServer() });
    const pids = join(at.folder, "pids.txt");
    const words = ["mcp", "add", "docs", "--env", `COGENCY_TEST_PIDS=${pids}`, "--", process.execPath, quickProgram];
    expect(await at.cogency(words)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("To replace it, remove it first: cogency mcp remove docs"),
    });
    writeFileSync(join(at.folder, ".mcp.json"), "{");
    expect(await at.cogency([...words.slice(0, 3), "--project", "--yes", ...words.slice(3)])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(".mcp.json, line 1: this is not JSON."),
    });
    expect(existsSync(pids)).toBe(false);
  });

  it("names the variables by which programs reach the network, where one that does not answer lacks them", async () => {
    const env = { HTTPS_PROXY: "http://proxy.example:3128", NODE_EXTRA_CA_CERTS: "/etc/proxy.pem" };
    const program = "echo connect ETIMEDOUT 192.0.2.1:443 >&2; exit 1";
    const given = ["--env", "HTTPS_PROXY=${HTTPS_PROXY}"];
    const { stderr } = await place().cogency(["mcp", "add", "docs", ...given, "--", "sh", "-c", program], { env });
    expect(stderr).toContain("To give it them: --env 'NODE_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS}'");
    expect(stderr).not.toContain("HTTPS_PROXY=");
    expect(stderr).not.toContain("proxy.example");
  });

  it("shows all about one server, and its tools where one is called that it has not", async () => {
    const at = placeWith({ docs: quickServer() });
    const { code, stdout } = await at.cogency(["mcp", "get", "docs"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^state +ready, 1 tool\nfrom +yours\ncommand +.*quick-mcp-server\.js/);
    expect(stdout).toMatch(/^tools +docs__add$/m);
    expect(await at.cogency(["mcp", "call", "docs", "subtract"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The server docs has no tool "subtract". It has add.'),
    });
    expect(await placeWith({ gone: { command: "no-such-program" } }).cogency(["mcp", "get", "gone"])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("there is no program no-such-program on the PATH"),
    });
  });

  it("says where a server stands that is not in the file from which it should be removed", async () => {
    const at = placeWith({ docs: quickServer() });
    shareServers(at, { shared: quickServer() });
    const stderrOf = async (...words: string[]) => (await at.cogency(["mcp", "remove", ...words])).stderr;
    expect(await stderrOf("shared")).toContain("It is in .mcp.json of the project: add --project.");
    expect(await stderrOf("docs", "--project")).toContain("It is in your own configuration: leave --project out.");
    expect(await stderrOf("dosc")).toContain("Did you mean docs?");
    expect(await stderrOf("tracker")).toContain("There are docs.");
  });

  it("says of a .mcp.json that is not JSON what is wrong, also before the folder is trusted", async () => {
    const at = placeWith({ docs: quickServer() });
    writeFileSync(join(at.folder, ".mcp.json"), '{"mcpServers": {');
    expect((await at.cogency(["mcp", "list"])).stderr).toContain(".mcp.json, line 1: this is not JSON.");
    const called = await at.cogency(["mcp", "call", "shared", "add"]);
    expect(called.stderr).toMatch(/There is no server "shared"\. There are docs\. .*line 1: this is not JSON\./);
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
    ["an address without its beginning", ["docs", "mcp.example.com/mcp"], "An address begins with https://"],
    ["an address of this machine without its beginning", ["docs", "localhost:3000/mcp"], "begins with https://"],
    [
      "options of a command without --",
      ["docs", "npx", "-y", "x"],
      "Options of the server's own command stand after --",
    ],
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
});
