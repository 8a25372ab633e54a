// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a configuration are written so.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { ServerView } from "../src/work/mcp/servers.ts";
import { calling, jsonLines, type Place, place, resultsOf } from "./support/command-line.ts";
import { placeWith, quickServer, shareServers } from "./support/mcp-places.ts";

const add = { name: "docs__add", args: { a: 2, b: 3 } };

const configOf = ({ folder }: Place) => JSON.parse(readFileSync(join(folder, ".config/cogency/config.json"), "utf8"));

describe("of three servers, one of which hangs and one crashes", () => {
  const three = {
    slow: { command: "sleep", args: ["1000"], connectTimeout: 0.3 },
    broken: { command: "sh", args: ["-c", "echo no database >&2; exit 1"] },
    docs: quickServer(),
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
    expect(slow).toMatch(/^✗ slow +away: it did not connect in 0\.3 s\. +yours/);
    expect(broken).toMatch(/^✗ broken +away: its program ended \(exit code 1\)\. It wrote last: no database/);
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
    expect(await at.cogency(["go"])).toMatchObject({ code: 0 });
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
});
