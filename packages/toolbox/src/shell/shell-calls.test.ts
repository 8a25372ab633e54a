import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@cogency/protocol";
import type { Tool } from "@cogency/tools";
import { describe, expect, it, onTestFinished } from "vitest";
import { call } from "../../test/call.ts";
import { describeSandbox } from "../../test/sandbox/describe-sandbox.ts";
import { freshFolder, projectAt } from "../../test/sandbox/in-sandbox.ts";
import { runner } from "../../test/shell/run-tool.ts";
import { openRoot } from "../files/confine/root.ts";
import { shellIsolation } from "./shell-isolation.ts";
import type { ShellOptions } from "./shell-options.ts";
import { shellTool } from "./shell-tool.ts";

const facts = async (tool: Tool, args: JsonObject) => ({
  out: tool.reachesOut?.(args),
  brings: tool.brings?.(args).map(({ holds }) => holds),
  cautions: await tool.cautions?.(args),
});

describe("a call of shell", () => {
  const folder = freshFolder();

  it("runs in a folder of the root, which its resources name", async () => {
    await mkdir(join(folder.path, "sub", "deep"), { recursive: true });
    await symlink("sub", join(folder.path, "link"));
    const tool = shellTool(await projectAt(folder.path), { sandbox: "off" });
    for (const cwd of ["sub/deep", "./link/deep", `${folder.path}/sub/deep`]) {
      expect(await call(tool, { command: "pwd -P", cwd })).toMatchObject({ stdout: `${folder.path}/sub/deep\n` });
      expect(await tool.resource?.({ command: "pwd", cwd })).toContain(`cwd:${folder.path}/sub/deep`);
    }
    expect(await tool.resource?.({ command: "pwd" })).toContain(`cwd:${folder.path}`);
    expect(await tool.resource?.({ command: "pwd" })).toContain("unconfined:shell");
  });

  it.each([
    ["..", "path_outside_root"],
    ["/", "path_outside_root"],
    ["sub/../..", "path_outside_root"],
    ["out", "path_outside_root"],
    ["a\0b", "path_invalid"],
    ["file", "not_a_folder"],
    ["missing", "not_found"],
  ])("is refused in the folder %j, before a person is asked", async (cwd, code) => {
    await writeFile(join(folder.path, "file"), "");
    await symlink("..", join(folder.path, "out"));
    const tool = shellTool(await projectAt(folder.path), { sandbox: "off" });
    await expect((async () => tool.resource?.({ command: "ls", cwd }))()).rejects.toMatchObject({ code });
    await expect(call(tool, { command: "ls", cwd })).rejects.toMatchObject({ code });
  });

  it("declares without a sandbox that it reaches outside and brings private and untrusted content", async () => {
    const tool = shellTool(await projectAt(folder.path), { sandbox: "off", network: "none" });
    expect(await facts(tool, { command: "git status" })).toEqual({
      out: true,
      brings: ["private", "untrusted"],
      cautions: [],
    });
    expect(tool.brings?.({ command: "git status" })[0]?.source).toBe("shell git status");
    expect(tool.brings?.({ command: "x".repeat(500) })[0]?.source).toHaveLength(107);
    expect(tool.description).toContain("has the rights of the user");
    expect(Object.keys(tool.spec.parameters.properties as object)).not.toContain("hosts");
  });

  it("warns once without a sandbox, and throws if a sandbox is required", async () => {
    const path = process.env.PATH;
    onTestFinished(() => {
      process.env.PATH = path;
    });
    process.env.PATH = folder.path;
    const root = await projectAt(folder.path);
    const warnings: string[] = [];
    const warn = (message: string) => warnings.push(message);
    for (let round = 0; round < 3; round++) shellTool(root, { warn });
    expect(warnings).toEqual([
      expect.stringMatching(/without a sandbox: bubblewrap .*not found.*keys included.*apt-get install/),
    ]);
    shellTool(root, { sandbox: "off", warn });
    expect(warnings).toHaveLength(1);
    expect(() => shellTool(root, { sandbox: "required" })).toThrow(
      expect.objectContaining({
        name: "ShellError",
        code: "isolation_unavailable",
        message: expect.stringMatching(/apt-get/),
      }),
    );
    expect(await shellIsolation(root)).toEqual({
      isolated: false,
      confined: false,
      problem: expect.stringContaining("not found"),
      advice: expect.stringContaining("apt-get install bubblewrap"),
    });
  });

  it.each(["", "a b", "http://x.example", "*"])(
    "is not offered with the invalid host %j in its option",
    async (host) => {
      const root = await projectAt(folder.path);
      expect(() => shellTool(root, { sandbox: "off", network: { hosts: [host] } })).toThrow(
        expect.objectContaining({ code: "option_invalid" }),
      );
    },
  );
});

describeSandbox("a call of shell in a sandbox", () => {
  const folder = freshFolder();
  const toolWith = async (network: ShellOptions["network"]) =>
    shellTool(await projectAt(folder.path), { sandbox: "required", network });

  it.each([
    ["none", false, ["private"], /has no network\./],
    ["full", true, ["private", "untrusted"], /network of this machine/],
  ] as const)("with the network %j says so", async (network, out, brings, description) => {
    const tool = await toolWith(network);
    expect(await facts(tool, { command: "ls" })).toEqual({ out, brings, cautions: [] });
    expect(tool.annotations.openWorldHint).toBe(out);
    expect(tool.description).toMatch(description);
    expect(Object.keys(tool.spec.parameters.properties as object)).not.toContain("hosts");
  });

  it("brings untrusted content even without a network if files of the root are marked", async () => {
    await mkdir(join(folder.path, "vendor"));
    await writeFile(join(folder.path, "vendor", "x.txt"), "PLANTED");
    const root = await openRoot(folder.path, { access: "project", untrusted: ["vendor/**"] });
    const run = runner([shellTool(root, { sandbox: "required" })]);
    const [execution] = await run([{ name: "shell", args: { command: "cat vendor/x.txt" } }]);
    expect(execution).toMatchObject({ value: { stdout: "PLANTED" } });
    expect(execution?.brings?.map(({ holds }) => holds)).toEqual(["private", "untrusted"]);
  });

  it("reaches outside exactly when it names hosts, and asks about those that are not listed", async () => {
    const tool = await toolWith({ hosts: ["example.org", "*.packages.example"] });
    const command = "npm install";
    const none = { out: false, brings: ["private"], cautions: [] };
    expect(await tool.resource?.({ command })).not.toContain("unconfined:shell");
    expect(await facts(tool, { command })).toEqual(none);
    expect(await facts(tool, { command, hosts: [] })).toEqual(none);
    const listed = { out: true, brings: ["private", "untrusted"], cautions: [] };
    expect(await facts(tool, { command, hosts: ["registry.packages.example"] })).toEqual(listed);
    expect(await facts(tool, { command, hosts: ["bücher.example", "example.org:22"] })).toEqual({
      ...listed,
      cautions: [
        "It asks to reach xn--bcher-kva.example, which the configuration does not list.",
        "It asks to reach example.org:22, which the configuration does not list.",
      ],
    });
    expect(await tool.resource?.({ command, hosts: ["bücher.example"] })).toContain("host:xn--bcher-kva.example");
    expect(JSON.stringify(tool.spec.parameters)).toContain("example.org, *.packages.example at once");
  });

  it.each([["no host"], ["http://x.example"], ["*"], [""]])(
    "is refused with the host %j, before a person is asked",
    async (host) => {
      const tool = await toolWith({ hosts: [] });
      const args = { command: "ls", hosts: [host] };
      await expect((async () => tool.resource?.(args))()).rejects.toMatchObject({ code: "hosts_invalid" });
    },
  );
});
