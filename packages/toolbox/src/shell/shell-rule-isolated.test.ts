import { mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createExecutor, createRegistry, type Tool } from "@cogency/tools";
import { afterAll, describe, expect, it } from "vitest";
import { openRoot } from "../files/confine/root.ts";
import { shellIsolation } from "./shell-isolation.ts";
import type { ShellOptions } from "./shell-options.ts";
import { shellRule } from "./shell-rule.ts";
import { shellTool } from "./shell-tool.ts";

const folder = mkdtempSync(join(tmpdir(), "cogency-held-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const root = await openRoot(folder, { access: "project" });
const { isolated } = await shellIsolation(root);

const toolWith = (options: ShellOptions = {}) => shellTool(root, { network: { hosts: ["a.example"] }, ...options });
const decide = (args: object, tool: Tool | undefined, patterns: readonly string[] = []) =>
  shellRule(patterns, { isolated: "allow", hosts: ["a.example"] })({ name: "shell", args: { ...args } }, tool);

describe.runIf(isolated)('a rule with isolated: "allow"', () => {
  const tool = toolWith();

  it.each([
    "npm test",
    "npm test 2>&1 | tail -20",
    "cd src && ls",
    "(cd src && ls)",
    "{ ls; }",
    "sleep 1 &",
    "time ls",
    "echo $(id) `id`",
    "for f in *; do rm -rf $f; done",
    "eval $x",
    "cat > a <<'EOF'\nx\nEOF",
    "cd src",
  ])("runs %j, which the sandbox holds", (command) => {
    expect(decide({ command }, tool)).toBe("allow_anyway");
    expect(decide({ command, cwd: "src", timeout: 5 }, tool)).toBe("allow_anyway");
  });

  it.each([
    [["a.example"], "allow"],
    [[], "allow_anyway"],
    [["b.example"], "ask"],
    [["a.example", "b.example"], "ask"],
    [["*.example"], "ask"],
    ["a.example", "ask"],
    [[1], "ask"],
  ])("answers to the hosts %j: %s", (hosts, decision) => {
    expect(decide({ command: "npm install", hosts }, tool)).toBe(decision);
  });

  it.each(["", "echo \u202e", "echo 'open", "x".repeat(40_000)])("asks for what cannot run: %.20j", (command) => {
    expect(decide({ command }, tool)).toBe("ask");
  });

  it("asks where the sandbox of the tool does not hold all, whatever the rule was told", async () => {
    const system = await openRoot(folder, { access: "system" });
    const atHome = await openRoot(homedir(), { access: "project" });
    const above = await openRoot("/", { access: "project" });
    const open: readonly (Tool | undefined)[] = [
      undefined,
      { ...tool },
      toolWith({ sandbox: "off" }),
      toolWith({ network: "full" }),
      toolWith({ readable: ["/opt"] }),
      shellTool(system),
      shellTool(atHome),
      shellTool(above),
    ];
    for (const one of open) {
      expect(decide({ command: "ls" }, one)).toBe("ask");
      expect(decide({ command: "ls" }, one, ["ls"])).toBe("allow_anyway");
    }
    expect(shellRule([], { isolated: true })({ name: "shell", args: { command: "ls" } }, tool)).toBe("ask");
    expect(shellRule([], { isolated: "allow" })({ name: "write", args: { command: "ls" } }, tool)).toBe("ask");
  });

  it("counts where `shellIsolation` says that the sandbox holds commands", async () => {
    const network = { hosts: ["a.example"] };
    expect(await shellIsolation(root, { network })).toEqual({ isolated: true, confined: true });
    expect(await shellIsolation(root, { network: "full" })).toEqual({ isolated: true, confined: false });
    expect(await shellIsolation(root, { readable: ["/opt"] })).toEqual({ isolated: true, confined: false });
    expect(await shellIsolation(root, { sandbox: "off" })).toEqual({ isolated: false, confined: false });
  });

  it("does not count where a command could change the program that runs", async () => {
    const own = await openRoot(fileURLToPath(new URL("../..", import.meta.url)), { access: "project" });
    expect(await shellIsolation(own)).toEqual({ isolated: true, confined: false });
    expect(decide({ command: "ls" }, shellTool(own))).toBe("ask");
  });

  it("lets untrusted content count with a network, and not without one", async () => {
    const rule = shellRule([], { isolated: "allow", hosts: ["a.example"] });
    const executor = createExecutor({
      registry: createRegistry([tool]),
      approval: { policy: { tools: { shell: rule } }, content: "ask" },
    });
    const calls = [{}, { hosts: ["a.example"] }].map((more) => ({
      name: "shell",
      args: { command: "x=1; echo $x", ...more },
    }));
    const outcomes = async (content: readonly { holds: "untrusted"; source: string }[]) =>
      (await executor.run(calls, { conversation: "c", content })).map(({ outcome }) => outcome);
    expect(await outcomes([])).toEqual(["success", "success"]);
    expect(await outcomes([{ holds: "untrusted", source: "a page" }])).toEqual(["success", "denied"]);
  });
});

it('a rule with isolated: "allow" asks without a sandbox', () => {
  expect(decide({ command: "ls" }, toolWith({ sandbox: "off" }))).toBe("ask");
});
