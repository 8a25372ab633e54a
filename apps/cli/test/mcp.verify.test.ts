// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a configuration are written so.
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ServerView } from "../src/work/mcp/servers.ts";
import {
  calling,
  fixtures,
  jsonLines,
  outcomeOf,
  type Place,
  place,
  resultsOf,
  written,
} from "./support/command-line.ts";
import { loginServer } from "./support/login-server.ts";
import { placeWith, shareServers, testServer } from "./support/mcp-places.ts";
import { modelServer } from "./support/model-servers.ts";

const configOf = ({ folder }: Place) => JSON.parse(readFileSync(join(folder, ".config/cogency/config.json"), "utf8"));

describe("the program of a server", () => {
  it("gets the variables that are named, and none of the others", async () => {
    const at = placeWith({ docs: testServer("docs", { env: { GIVEN: "${COLOR:-blue}", KEY: "${KEPT_KEY}" } }) });
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
  it("are looked at again when the file has changed, or a file that one runs", async () => {
    const at = place();
    writeFileSync(join(at.folder, "serve.mjs"), "process.exit(1);\n");
    shareServers(at, { own: { command: "node", args: ["./serve.mjs"] } });
    await at.cogency(["trust", "--yes"]);
    expect((await at.cogency(["go"])).stderr).not.toContain("Ignored");
    writeFileSync(join(at.folder, "serve.mjs"), "process.exit(2);\n");
    expect((await at.cogency(["go"])).stderr).toContain("or what its hooks or servers run");
    await at.cogency(["trust", "--yes"]);
    shareServers(at, { own: { command: "node", args: ["./serve.mjs", "--all"] } });
    expect((await at.cogency(["go"])).stderr).toContain("Ignored: .mcp.json.");
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
    expect(configOf(at).mcp.servers.docs).toEqual(testServer("docs"));
    const again = await at.cogency(["mcp", "add", "docs", "https://a.example/mcp", "--no-check"]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("cogency mcp remove docs") });
    expect(await at.cogency(["mcp", "remove", "docs"])).toMatchObject({ code: 0 });
    expect(configOf(at).mcp.servers).toEqual({});
    expect(await at.cogency(["mcp", "remove", "docs"])).toMatchObject({ code: 2 });
  });

  it("calls a tool, and says by its exit code whether that worked", async () => {
    const at = placeWith({ docs: testServer("docs") });
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
    const at = placeWith({ looks: serve(), writes: serve("--allow", "write"), fetches: serve("--allow", "scrape") });
    expect(await at.cogency(["mcp", "call", "looks", "read", '{"file":"notes.txt"}'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("hello from the notes"),
    });
    const refused = await at.cogency(["mcp", "call", "looks", "write", '{"file":"a.txt","content":"a"}']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('no tool "write"') });
    const views = JSON.parse((await at.cogency(["mcp", "list", "--json"])).stdout) as ServerView[];
    const fetching = views.filter(({ tools }) => tools.some((name) => name.endsWith("__scrape")));
    expect(fetching.map(({ name }) => name)).toEqual(["fetches"]);
    const written = await at.cogency(["mcp", "call", "writes", "write", '{"file":"a.txt","content":"a"}']);
    expect(written).toMatchObject({ code: 0 });
    const edit = { file: "a.txt", edits: [{ old: "a", new: "b" }] };
    const asked = await at.cogency(["mcp", "call", "writes", "edit", JSON.stringify(edit)]);
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining("edit was refused and did not run") });
    expect(readFileSync(join(at.folder, "a.txt"), "utf8")).toBe("a");
  });
});

describe("what a prompt takes from a server", () => {
  it("is the text of its prompt, for /server:prompt, which brings no file along", async () => {
    const at = placeWith({ docs: testServer("docs") });
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
    const at = placeWith({ docs: testServer("docs") });
    expect(await at.cogency(["run", "/docs:review"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("/docs:review needs change. Write /docs:review <change> [style]"),
    });
  });

  it("is a resource, for @server:uri", async () => {
    const at = placeWith({ docs: testServer("docs") });
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

describe("the doctor", () => {
  it("names a server that cannot be used, and a key in a file that others can read", async () => {
    const key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
    const at = placeWith({ docs: testServer("docs", { env: { KEY: key } }), gone: { command: "no-such-program" } });
    const file = join(at.folder, ".config/cogency/config.json");
    chmodSync(file, 0o644);
    const { code, stdout } = await at.cogency(["doctor", "--no-request", "--json"]);
    const findings = jsonLines<{ about: string; state: string; text: string }>(stdout);
    expect(findings.filter(({ about }) => about === "mcp")).toMatchObject([
      { state: "ok", text: expect.stringContaining("docs: ready, 7 tools") },
      { state: "fault", text: expect.stringContaining("gone: failed") },
      { state: "fault", text: `${file} holds what looks like a key, and others can read it` },
    ]);
    expect(stdout).not.toContain(key);
    expect(code).toBe(1);
  });
});

describe("a login", () => {
  it("is made in a browser, kept for this person alone, and forgotten", async () => {
    const server = await loginServer();
    const at = placeWith({ tracker: { url: server.url } });
    const before = await at.cogency(["mcp", "list"]);
    expect(before).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("needs a login: cogency mcp login tracker"),
    });
    const login = at.start(["mcp", "login", "tracker"]);
    const ended = outcomeOf(login);
    const [, address = ""] = /open: (\S+)\n/.exec(await written(login.stderr, /open: \S+\n/)) ?? [];
    expect(await (await fetch(address)).text()).toContain("You can close this window.");
    expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining("tracker: ready, 1 tool") });
    expect(await at.cogency(["mcp", "list"])).toMatchObject({ code: 0 });

    const file = join(at.folder, ".config/cogency/mcp-logins.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [token = ""] = server.tokens;
    expect(readFileSync(file, "utf8")).toContain(token);
    expect((await at.cogency(["mcp", "logs", "tracker"])).stdout).not.toContain(token);

    await at.cogency(["mcp", "logout", "tracker"]);
    expect(readFileSync(file, "utf8")).not.toContain(token);
    expect(await at.cogency(["mcp", "list"])).toMatchObject({ code: 1 });
  });
});

describe("a server's process", () => {
  const pidsIn = ({ folder }: Place) => readFileSync(join(folder, "pids.txt"), "utf8").trim().split("\n").map(Number);

  it.each(["SIGKILL", "SIGTERM"] as const)("ends with a run that %s ends in the middle of a call", async (signal) => {
    const at = place();
    const watched = { docs: testServer("docs", { env: { COGENCY_TEST_PIDS: join(at.folder, "pids.txt") } }) };
    writeFileSync(join(at.folder, "config.json"), JSON.stringify({ mcp: { servers: watched } }));
    const call = { name: "docs__wait", args: {} };
    const options = ["--config", "config.json", "--allow", "docs__wait", ...calling([call])];
    const run = at.start(["run", "go", ...options]);
    await written(run.stderr, /→ docs__wait/);
    const pids = pidsIn(at);
    run.kill(signal);
    await expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([]);
    expect(pids).toHaveLength(1);
  });

  it("that ends in the middle of a call fails that call with the reason, and the run goes on", async () => {
    const at = placeWith({ docs: testServer("docs") });
    const options = [
      "--allow",
      "docs__*",
      "--content",
      "allow",
      "--json",
      ...calling([{ name: "docs__exit", args: {} }]),
    ];
    const { code, stdout } = await at.cogency(["run", "go", ...options]);
    const [exit] = resultsOf(stdout);
    expect(exit).toMatchObject({
      tool: "docs__exit",
      status: "failure",
      content: expect.stringContaining("exit code 3"),
    });
    expect(code).toBe(0);
  });

  it("in a sandbox sees its folder, and nothing of the person", async () => {
    const shown = "ls /home /root notes.txt >&2; echo me >&2";
    const at = placeWith({ boxed: { command: "sh", args: ["-c", shown], sandbox: true } });
    await at.cogency(["mcp", "list"]);
    const { stdout } = await at.cogency(["mcp", "logs", "boxed"]);
    expect(stdout).toMatch(/info notes\.txt\n/);
    expect(stdout).not.toContain(".config");
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
