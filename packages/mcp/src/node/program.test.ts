import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { mcp } from "../client/create-mcp.ts";
import type { Mcp } from "../client/mcp.ts";
import type { McpEvent, McpServerOptions } from "../client/mcp-options.ts";
import { type ProgramOptions, program } from "./program.ts";

const server = fileURLToPath(new URL("../../test/support/stdio-server.ts", import.meta.url));
const opened: Mcp[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((servers) => servers.close()));
});

function started(args: string[] = [], options: Partial<ProgramOptions> = {}, given: Partial<McpServerOptions> = {}) {
  const events: McpEvent[] = [];
  const connector = program({ command: process.execPath, args: [server, ...args], ...options });
  const servers = mcp({ servers: { own: { connector, ...given } }, observer: (event) => events.push(event) });
  opened.push(servers);
  const call = async (tool: string, callArgs = {}) => (await servers.call("own", tool, callArgs)).value as string;
  return { servers, call, events, state: () => servers.servers()[0] };
}

describe("program", () => {
  it("gives the program what it needs to start and what is named, and nothing else of this process", async () => {
    process.env.COGENCY_TEST_SECRET = "not for servers";
    const { call } = started(["prints-first"], { env: { API_KEY: "k" } });
    const env = JSON.parse(await call("env"));
    delete process.env.COGENCY_TEST_SECRET;
    expect(env).toMatchObject({ API_KEY: "k", PATH: process.env.PATH });
    expect(env).not.toHaveProperty("COGENCY_TEST_SECRET");
    expect(Object.keys(env)).not.toContain("NODE_OPTIONS");
  });

  it("refuses a text that no program takes, without repeating it", () => {
    for (const options of [{ env: { API_KEY: "key-of\0-the-host" } }, { args: ["key-of\0-the-host"] }])
      expect(() => program({ command: "node", ...options })).toThrow(
        /^program: `(env|args)` holds a character U\+0000/,
      );
  });

  it("says nothing of a secret where the program cannot be started", async () => {
    const failing = () => Promise.reject(new Error("no place for key-of-the-host"));
    const { servers, state } = started([], { env: { API_KEY: "key-of-the-host" }, wrap: failing });
    await servers.connect();
    expect(state()?.reason).toContain("no place for [hidden]");
  });

  it("says how a program ended in the middle of a call", async () => {
    const { call, state } = started();
    await expect(call("exit", { code: 7 })).rejects.toMatchObject({
      code: "closed",
      message:
        "The server own ended in the middle of this call. Its program ended (exit code 7). Whether it took effect is unknown.",
    });
    expect(state()).toMatchObject({ status: "waiting", reason: "Its program ended (exit code 7)." });
  });

  it("cuts the connection at a line without an end, before it is in memory whole", async () => {
    const { call, state } = started([], {}, { limits: { messageBytes: 10_000 } });
    await expect(call("long", { bytes: 20_000 })).rejects.toMatchObject({ code: "closed" });
    expect(state()?.reason).toBe("It sent a line of more than 10000 bytes, so its connection was cut.");
  });

  it("connects to a program that ends at a question that it does not know", async () => {
    const { servers, state } = started(["ends-at-unknown"]);
    await servers.connect();
    expect(state()).toMatchObject({ status: "ready", protocol: "2025-11-25" });
  });

  it.each<[string, Partial<ProgramOptions>, string]>([
    ["a program that is not there", { command: "no-such-program" }, "there is no program no-such-program on the PATH"],
    ["a path that is not there", { command: "./nothing" }, "there is no program ./nothing in "],
    ["a folder that is not there", { cwd: "/no/such/folder" }, "the folder /no/such/folder is not there"],
  ])("fails for %s, and is not tried again", async (_what, options, problem) => {
    const { servers, state } = started([], options);
    await servers.connect();
    expect(state()).toMatchObject({ status: "failed" });
    expect(state()?.reason).toContain(problem);
    expect(servers.sources[0]?.notes?.()).toEqual([
      'The MCP server "own" could not be started. Its tools are not there.',
    ]);
  });

  it("starts what the host puts around the program", async () => {
    const wrap: ProgramOptions["wrap"] = ({ command, args, ...rest }) => ({
      ...rest,
      command: "/usr/bin/env",
      args: ["WRAPPED=yes", command, ...args],
    });
    const { call } = started([], { wrap });
    expect(JSON.parse(await call("env"))).toMatchObject({ WRAPPED: "yes" });
  });

  it("stands for its command line and folder, without the secrets", () => {
    const { identity } = program({
      command: "npx",
      args: ["-y", "docs server", "--key=abcdef"],
      env: { KEY: "abcdef" },
      cwd: "/srv",
    });
    expect(identity).toBe('npx -y "docs server" --key=[hidden] in /srv');
  });
});
