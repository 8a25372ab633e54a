import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { mcp } from "../client/create-mcp.ts";
import type { McpEvent } from "../client/mcp-options.ts";
import { program } from "./program.ts";

const server = fileURLToPath(new URL("../../test/support/stdio-server.ts", import.meta.url));
const host = fileURLToPath(new URL("../../test/support/stdio-host.ts", import.meta.url));

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("the program of a server", () => {
  it.each([
    ["is killed", "", "SIGKILL"],
    ["is killed, although it notices neither the end of its stdin nor TERM", "ignores-its-end", "SIGKILL"],
    ["is terminated", "ignores-its-end", "SIGTERM"],
  ] as const)(
    "is gone, with all that it started, after its host %s in the middle of a call",
    async (_what, how, signal) => {
      const child = spawn(process.execPath, [host, how], { stdio: ["ignore", "pipe", "inherit"] });
      const [line] = await once(createInterface({ input: child.stdout }), "line");
      const { own, child: grandchild } = JSON.parse(line);
      expect([own, grandchild].every(isAlive)).toBe(true);
      child.kill(signal);
      await vi.waitFor(() => expect([own, grandchild].filter(isAlive)).toEqual([]), 10_000);
    },
  );

  it("that ignores every polite request is gone when its client has closed", async () => {
    const child = spawn(process.execPath, [host, "ignores-its-end", "close"], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(createInterface({ input: child.stdout }), "line");
    await once(child, "exit");
    const { own, child: grandchild } = JSON.parse(line);
    expect([own, grandchild].filter(isAlive)).toEqual([]);
  });

  it("keeps the log of a program bounded, and takes secrets out of it", async () => {
    const events: McpEvent[] = [];
    const connector = program({ command: process.execPath, args: [server], env: { API_KEY: "secret-of-mine" } });
    await using servers = mcp({ servers: { own: { connector } }, observer: (event) => events.push(event) });
    expect(await servers.call("own", "flood-stderr")).toMatchObject({ value: "done" });
    await vi.waitFor(() => expect(events.filter(({ type }) => type === "log").length).toBeGreaterThan(100));
    const logged = events.filter((event) => event.type === "log");
    expect(logged.length).toBeLessThanOrEqual(1100);
    expect(logged[0]?.text).toBe("line 0 [hidden]");
  });
});
