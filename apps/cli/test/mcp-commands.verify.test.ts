// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a configuration are written so.
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { fixtures, outcomeOf, type Place, place, written } from "./support/command-line.ts";
import { placeWith, quickServer, testServer } from "./support/mcp-places.ts";
import { hasPseudoTerminal, pseudoTerminal } from "./support/pseudo-terminal.ts";

describe("cogency mcp logs -f", () => {
  it("prints what was written, then each line that comes, also in a log that is begun anew, until Ctrl-C", async () => {
    const at = placeWith({ docs: quickServer() });
    await at.cogency(["mcp", "list"]);
    const child = at.start(["mcp", "logs", "docs", "-f"]);
    const outcome = outcomeOf(child);
    await written(child.stdout, /state ready\n/);

    const log = join(at.folder, ".cogency/mcp-logs/docs.log");
    const line = (text: string) => `2026-11-29T00:00:00.000Z info ${text}\n`;
    appendFileSync(log, line("the first that came"));
    await written(child.stdout, /the first that came\n/);
    writeFileSync(log, line("anew"));
    await written(child.stdout, /info anew\n/);

    child.kill("SIGINT");
    const { code, stdout } = await outcome;
    expect(code).toBe(0);
    expect(stdout.match(/the first that came|anew/g)).toEqual(["the first that came", "anew"]);
  });

  it("says where lines will stand while there are none", async () => {
    const { code, stdout, stderr } = await placeWith({ docs: quickServer() }).cogency(["mcp", "logs", "docs"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain("Nothing was written yet");
  });
});

describe("cogency mcp serve --http", () => {
  /** A server on a port, and what its client needs. */
  async function serving(at: Place, env: Record<string, string> = {}) {
    const port = String(await freePort());
    const child = at.start(["mcp", "serve", "--http", port], { env });
    const outcome = outcomeOf(child);
    const stderr = await written(child.stderr, /Ctrl-C ends it\./);
    const [, url = ""] = /^(http:\S+)$/m.exec(stderr) ?? [];
    const [, token] = /^Authorization: Bearer (\S+)$/m.exec(stderr) ?? [];
    return { child, outcome, port, url, token };
  }

  it("offers the tools of the folder to whoever has the token that it prints, until Ctrl-C", async () => {
    const at = place();
    const { child, outcome, port, url, token = "" } = await serving(at);
    expect(url).toBe(`http://127.0.0.1:${port}/mcp`);

    for (const authorization of [undefined, "Bearer wrong"]) {
      const answer = await fetch(url, { method: "POST", body: "{}", headers: authorization ? { authorization } : {} });
      expect(answer.status).toBe(401);
    }
    const elsewhere = await fetch(new URL("/elsewhere", url), { headers: { authorization: `Bearer ${token}` } });
    expect(elsewhere.status).toBe(404);

    const words = ["mcp", "add", "files", url, "--header", "Authorization: Bearer ${FILES_TOKEN}"];
    const env = { FILES_TOKEN: token };
    expect(await at.cogency(words, { env })).toMatchObject({ code: 0, stdout: expect.stringMatching(/^files: ready/) });
    const read = await at.cogency(["mcp", "call", "files", "read", '{"file":"notes.txt"}'], { env });
    expect(read).toMatchObject({ code: 0, stdout: expect.stringContaining("hello from the notes") });
    const written = await at.cogency(["mcp", "call", "files", "write", '{"file":"a","content":"b"}'], { env });
    expect(written).toMatchObject({ code: 2, stderr: expect.stringContaining('has no tool "write". It has ') });

    const second = await at.cogency(["mcp", "serve", "--http", port]);
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining("another program listens there") });

    child.kill("SIGINT");
    expect(await outcome).toMatchObject({ code: 0, stdout: "" });
    await expect(fetch(url)).rejects.toThrow();
  });

  it("takes the token of COGENCY_MCP_TOKEN, and does not print that", async () => {
    const { child, outcome, url, token } = await serving(place(), { COGENCY_MCP_TOKEN: "one-that-stays" });
    expect(token).toBeUndefined();
    const answer = await fetch(url, { headers: { authorization: "Bearer one-that-stays" } });
    expect(answer.status).not.toBe(401);
    await answer.body?.cancel();
    child.kill("SIGTERM");
    expect((await outcome).stderr).not.toContain("one-that-stays");
  });
});

describe("what a server asks in the middle of cogency mcp call", () => {
  const call = ["mcp", "call", "docs", "ask"];

  it.skipIf(!hasPseudoTerminal)("is put to the person at the terminal, and the answer goes to the server", async () => {
    const terminal = pseudoTerminal(placeWith({ docs: testServer("docs") }), call);
    await terminal.shows(/docs__ask asks\nThe server "docs" asks:\s+> Which color\?[\s\S]*Your answer:\s*$/);
    terminal.type('{"color":"red"}\r');
    await terminal.shows(/Answered: .*"accept".*"red"/);
    expect(await terminal.ended).toBe(0);
  });

  it("is answered with a cancellation where nobody can be asked", async () => {
    const { stdout } = await placeWith({ docs: testServer("docs") }).cogency(call);
    expect(stdout).toBe('Answered: {"action":"cancel"}\n');
  });
});

describe("cogency _complete", () => {
  const texts = async (at: Place, ...words: string[]) =>
    (await at.cogency(["_complete", "--", "mcp", ...words])).stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split("\t")[0]);
  const pids = (at: Place) => join(at.folder, "pids.txt");

  it("knows the servers that each command takes, and starts none", async () => {
    const at = place();
    const program = [process.execPath, join(fixtures, "quick-mcp-server.js")];
    const watched = ["--env", `COGENCY_TEST_PIDS=${pids(at)}`];
    await at.cogency(["mcp", "add", "docs", "--no-check", ...watched, "--", ...program]);
    await at.cogency(["mcp", "add", "tracker", "https://a.example/mcp", "--no-check"]);
    await at.cogency(["mcp", "add", "shared", "--no-check", "--project", "--yes", "--", "docs-server"]);
    for (const command of ["call", "logs", "get", "remove"])
      expect(await texts(at, command, "")).toEqual(["docs", "tracker"]);
    for (const command of ["login", "logout"]) expect(await texts(at, command, "")).toEqual(["tracker"]);
    expect(await texts(at, "remove", "--project", "")).toEqual(["shared"]);
    expect(await texts(at, "logs", "do")).toEqual(["docs"]);
    expect(existsSync(pids(at))).toBe(false);
  });

  it("knows the tools of a server that its configuration names, and those that were let to run", async () => {
    const at = placeWith({ docs: quickServer({ readOnly: ["search", "list_*"] }), other: quickServer() });
    expect(await texts(at, "call", "docs", "")).toEqual(["search"]);
    const known = { definedBy: "docs-server", name: "docs__add", hash: "0", since: "2026-11-29" };
    writeFileSync(join(at.folder, ".config/cogency/mcp-definitions.json"), JSON.stringify({ definitions: [known] }));
    expect(await texts(at, "call", "docs", "")).toEqual(["search", "add"]);
    expect(await texts(at, "call", "other", "")).toEqual([]);
    expect(await texts(at, "call", "nothing", "")).toEqual([]);
  });
});
