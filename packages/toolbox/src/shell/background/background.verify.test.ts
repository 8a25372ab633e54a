import { readdirSync } from "node:fs";
import { mkdir, readdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { JsonObject } from "@cogency/protocol";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { call } from "../../../test/call.ts";
import { describeSandbox } from "../../../test/sandbox/describe-sandbox.ts";
import { freshFolder, projectAt } from "../../../test/sandbox/in-sandbox.ts";
import { backgroundCases } from "../../../test/shell/background-cases.ts";
import { findIsolation } from "../../sandbox/bubblewrap.ts";
import { openPrivateNetwork } from "../../sandbox/network/private-network.ts";
import type { ShellOptions } from "../shell-options.ts";
import { shellTool } from "../shell-tool.ts";
import { openJobs } from "./job-board.ts";
import type { JobsOptions } from "./jobs.ts";
import { shellOutputTool } from "./shell-output-tool.ts";

describe("a command in the background, without a sandbox", () => backgroundCases("off"));

describeSandbox("a command in the background, in a sandbox", () => backgroundCases("required"));

describeSandbox("the network of commands in a sandbox", () => {
  const folder = freshFolder();
  const key = { conversation: "test" };
  const server = (port: number) =>
    `node -e 'require("http").createServer((q, r) => r.end("hello " + q.url)).listen(${port}, "127.0.0.1", () => console.log("listening"))'`;

  async function place(options: ShellOptions = {}, ports: JobsOptions = {}) {
    const jobs = openJobs(ports);
    onTestFinished(() => void jobs.endAll());
    const shell = shellTool(await projectAt(folder.path), { sandbox: "required", jobs, ...options });
    const output = shellOutputTool({ jobs });
    return {
      jobs,
      shell: (command: string, args: JsonObject = {}) =>
        call(shell, { command, ...args }) as Promise<JsonObject & { stdout: string }>,
      async serve(port: number, args: JsonObject = {}) {
        const started = await call(shell, { command: server(port), background: true, ...args });
        await call(output, { job: (started as JsonObject).job as string, until: "listening", wait: 60 });
        return started as JsonObject;
      },
      tool: shell,
    };
  }
  const curl = (port: number) => `curl -sS --max-time 5 http://127.0.0.1:${port}/a`;
  const fromOutside = (port: number) => fetch(`http://127.0.0.1:${port}/b`).then((response) => response.text());

  it("is one while a command runs in the background, so that the next call reaches its server", async () => {
    const { shell, serve, jobs } = await place();
    await serve(3000);
    expect((await shell(curl(3000))).stdout).toBe("hello /a");
    expect((await shell("curl -sS http://localhost:3000/b")).stdout).toBe("hello /b");
    await serve(3001);
    expect((await shell(`${curl(3000)} && ${curl(3001)}`)).stdout).toBe("hello /ahello /a");
    await jobs.end(key);
    await expect(shell(curl(3000))).rejects.toMatchObject({ code: "command_failed", exitCode: 7 });
  });

  it("is reached neither from this machine nor from another conversation, and reaches neither", async () => {
    const outside = createServer((_, response) => response.end("secret")).listen(0, "127.0.0.1");
    onTestFinished(() => void outside.close());
    await vi.waitFor(() => expect(outside.listening).toBe(true));
    const { port } = outside.address() as AddressInfo;
    const [one, other] = [await place(), await place()];
    await one.serve(3000);
    await expect(fromOutside(3000)).rejects.toThrow("fetch failed");
    await expect(other.shell(curl(3000))).rejects.toMatchObject({ exitCode: 7 });
    await other.serve(3002);
    await expect(other.shell(curl(3000))).rejects.toMatchObject({ exitCode: 7 });
    await expect(one.shell(curl(port))).rejects.toMatchObject({ exitCode: 7 });
    expect((await one.shell("cat /proc/net/dev | tail -n +3 | cut -d: -f1")).stdout.trim()).toBe("lo");
  });

  it("cannot be changed or left by a command in it", async () => {
    const { shell, serve } = await place();
    await serve(3000);
    const tries = "nsenter --net=/proc/1/ns/net true; unshare -n true; ip link set lo down; mount -t tmpfs x /mnt";
    const { stdout } = await shell(`(${tries}) 2>&1; grep CapEff /proc/self/status; ls /proc/self/fd | wc -l`);
    expect(stdout).toMatch(/CapEff:\t0{16}\n/);
    expect((await shell(curl(3000))).stdout).toBe("hello /a");
    // Nothing of the namespace is left open for it.
    expect((await shell("readlink /proc/self/fd/* || true")).stdout).not.toMatch(/net:|user:/);
  });

  it("is not shared with calls that name hosts, nor with commands in the background that did", async () => {
    const { shell, serve, tool } = await place({ network: { hosts: ["127.0.0.1:9"], allow: ["127.0.0.1"] } });
    await serve(3000);
    const hosts = { hosts: ["127.0.0.1:9"] };
    await expect(shell(curl(3000), hosts)).rejects.toMatchObject({ code: "command_failed" });
    // The bridge to the hosts listens at this port of its own network.
    const apart = await serve(3001, hosts);
    expect(apart.note).toMatch(/cannot reach .* names hosts/);
    await expect(shell(curl(3128))).rejects.toMatchObject({ exitCode: 7 });
    await expect(shell(curl(3001))).rejects.toMatchObject({ exitCode: 7 });
    expect(tool.description).toContain("but not calls that name hosts");
  });

  it("is opened at a port by the host alone, in both directions of a connection, until the conversation is left", async () => {
    const { shell, serve, jobs, tool } = await place();
    await expect(jobs.openPort(key, 3003)).rejects.toMatchObject({ code: "port_unavailable" });
    await serve(3003);
    expect(tool.brings?.({ command: "true" }).map(({ holds }) => holds)).toEqual(["private"]);
    await jobs.openPort(key, 3003);
    await jobs.openPort(key, 3003);
    expect(jobs.ports(key)).toEqual([3003]);
    expect(await Promise.all([1, 2, 3].map(() => fromOutside(3003)))).toEqual(Array(3).fill("hello /b"));
    // Other programs of the machine may have sent what is printed from now on.
    expect(tool.brings?.({ command: "true" }).map(({ holds }) => holds)).toEqual(["private", "untrusted"]);
    await expect(fromOutside(3004)).rejects.toThrow("fetch failed");
    // Nothing listens there inside.
    await jobs.openPort(key, 3005);
    await expect(fromOutside(3005)).rejects.toThrow("fetch failed");
    await serve(3005);
    expect(await fromOutside(3005)).toBe("hello /b");
    // In the network itself the ports are those of its servers.
    expect((await shell(curl(3003))).stdout).toBe("hello /a");
    await jobs.end(key);
    await expect(fromOutside(3003)).rejects.toThrow("fetch failed");
    expect(jobs.ports(key)).toEqual([]);
  });

  it("is opened at the ports that a person has named, as soon as a command runs in the background", async () => {
    const { shell, serve, jobs, tool } = await place({}, { ports: [3006, 3007, 3006] });
    await shell("true");
    expect(jobs.ports(key)).toEqual([]);
    await Promise.all([serve(3006), serve(3007)]);
    expect(jobs.ports(key)).toEqual([3006, 3007]);
    expect(await Promise.all([3006, 3007].map(fromOutside))).toEqual(["hello /b", "hello /b"]);
    expect(tool.brings?.({ command: "true" }).map(({ holds }) => holds)).toEqual(["private", "untrusted"]);
    await jobs.end(key);
    await expect(fromOutside(3006)).rejects.toThrow("fetch failed");
  });

  it("says which of these ports is taken, opens the others, and tries again with the next command", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await vi.waitFor(() => expect(taken.listening).toBe(true));
    const { port } = taken.address() as AddressInfo;
    const warnings: string[] = [];
    const { serve, jobs } = await place({}, { ports: [port, 3008], warn: (text) => warnings.push(text) });
    await serve(3008);
    expect(jobs.ports(key)).toEqual([3008]);
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`port ${port} was not opened: .*EADDRINUSE`))]);
    await new Promise((resolve) => taken.close(resolve));
    await serve(port);
    expect(await fromOutside(port)).toBe("hello /b");
  });

  it("is not opened at a port that is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await vi.waitFor(() => expect(taken.listening).toBe(true));
    const { port } = taken.address() as AddressInfo;
    const { serve, jobs } = await place();
    await serve(3000);
    await expect(jobs.openPort(key, port)).rejects.toThrow(/was not opened: .*EADDRINUSE/);
  });

  it("is each command's own, which the tool and the result say, where nsenter is missing", async () => {
    const isolation = findIsolation();
    if (!isolation.isolated) return;
    await expect(openPrivateNetwork({ ...isolation, nsenter: undefined })).rejects.toThrow(/nsenter.*not found/);
    await expect(openPrivateNetwork({ ...isolation, nsenter: "/bin/false" })).rejects.toThrow(/cannot|no program can/);
  });

  it("takes nothing from this process that stays open when it is closed", async () => {
    const isolation = findIsolation();
    if (!isolation.isolated) return;
    const before = readdirSync("/proc/self/fd").length;
    for (let count = 0; count < 3; count++) (await openPrivateNetwork(isolation)).close();
    expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before + 1);
  });
});

describeSandbox("what stays when a command in the background has ended in a sandbox", () => {
  const folder = freshFolder();

  it("is what it wrote, but not what programs outside would obey", async () => {
    const jobs = openJobs();
    const root = await projectAt(folder.path);
    const shell = shellTool(
      { ...root, obeyed: { ...root.obeyed, instructions: ["AGENTS.md"] } },
      { sandbox: "required", jobs },
    );
    const output = shellOutputTool({ jobs });
    await call(shell, {
      command: "while [ ! -e go ]; do sleep 0.05; done; echo obey > AGENTS.md; echo fine > file",
      background: true,
    });
    await writeFile(join(folder.path, "go"), "");
    const result = await call(output, { job: "job_1", wait: 60 });
    expect(result).toMatchObject({
      state: "ended",
      setAside: ["AGENTS.md"],
      note: expect.stringContaining("set-aside"),
    });
    expect(await readFile(join(folder.path, "file"), "utf8")).toBe("fine\n");
    expect(await readFile(join(folder.path, "AGENTS.md.set-aside"), "utf8")).toBe("obey\n");
  });

  it("loses what programs outside would obey while it still runs, and says so at the next look", async () => {
    await mkdir(join(folder.path, "sub"));
    await symlink("notes.md", join(folder.path, "AGENTS.md"));
    const jobs = openJobs();
    onTestFinished(() => void jobs.endAll());
    const root = await projectAt(folder.path);
    const shell = shellTool(
      { ...root, obeyed: { ...root.obeyed, instructions: ["AGENTS.md"] } },
      { sandbox: "required", jobs },
    );
    const evil = "mkdir -p sub/.git/objects sub/.git/refs; printf '[core]\\n\\tfsmonitor = evil\\n' > sub/.git/config";
    const command = `${evil}; echo x > sub/.git/HEAD; echo obey > sub/AGENTS.md; ln -sfn sub AGENTS.md; echo made; sleep 600`;
    await call(shell, { command, background: true });
    await vi.waitFor(
      async () => {
        expect((await readdir(join(folder.path, "sub"))).sort()).toEqual([".git.set-aside", "AGENTS.md.set-aside"]);
        expect(await readlink(join(folder.path, "AGENTS.md"))).toBe("notes.md");
      },
      { timeout: 60_000 },
    );
    const output = shellOutputTool({ jobs });
    const look = (await call(output, { job: "job_1" })) as JsonObject;
    expect(look).toMatchObject({ state: "running", note: expect.stringContaining("set-aside") });
    expect((look.setAside as string[]).toSorted()).toEqual(["AGENTS.md", "sub/.git", "sub/AGENTS.md"]);
    await jobs.endAll();
    // A link that is made again is not set aside again.
    expect((await readdir(folder.path)).sort()).toEqual(["AGENTS.md", "AGENTS.md.set-aside", "sub"]);
  });

  it("lets a command that must hide a file fail at once, where the one in the background could replace that file", async () => {
    const guarded = join(folder.path, "keys");
    await writeFile(guarded, "secret");
    const jobs = openJobs();
    onTestFinished(() => void jobs.endAll());
    const open = shellTool(await projectAt(folder.path), { sandbox: "required", jobs });
    await call(open, { command: "sleep 600", background: true });
    const guarding = shellTool(await projectAt(folder.path, { guarded: [guarded] }), { sandbox: "required", jobs });
    await expect(call(guarding, { command: "ls" })).rejects.toMatchObject({
      code: "isolation_unavailable",
      message: expect.stringContaining("runs in the background"),
    });
  });
});
