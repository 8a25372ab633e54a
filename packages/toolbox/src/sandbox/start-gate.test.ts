import { execFileSync, type StdioOptions, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { gateErrorIn, startGate } from "./start-gate.ts";

/** Runs the gate with a file in the place of what the kernel says of the process. */
function throughGate(said: string | undefined, command: readonly string[], shell = "/bin/sh") {
  const folder = mkdtempSync(join(tmpdir(), "cogency-gate-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "starter");
  if (said !== undefined) writeFileSync(file, said);
  const [, ...words] = startGate().command.map((word) => word.replaceAll("/run/cogency/starter", file));
  const env = { PATH: "/usr/bin:/bin", A: "one two", PWD: "/", pages: "2", rest: "all" };
  const stdio: StdioOptions = ["ignore", "pipe", "pipe"];
  // A bash that is not called sh reads files of the user where it takes its input for a remote one.
  return spawnSync(shell, [...words, ...command], { argv0: "sh", env, cwd: "/", encoding: "utf8", stdio });
}

describe("the gate before a command in a sandbox", () => {
  it.each(["/bin/sh", "/bin/bash"])("passes words and environment on as they are, by %s", (shell) => {
    const words = ["printf", "%s|", "a  b", "", "$HOME", "*", "-n"];
    expect(throughGate("5 4 3\n", words, shell).stdout).toBe("a  b||$HOME|*|-n|");
    const { stdout } = throughGate("5 4 3\n", ["env"], shell);
    expect(stdout.split("\n").filter((line) => line !== "" && !line.startsWith("_="))).toEqual(
      expect.arrayContaining(["A=one two", "PATH=/usr/bin:/bin", "PWD=/", "pages=2", "rest=all"]),
    );
    expect(stdout).not.toMatch(/OLDPWD|cogency_starter/);
  });

  it.each([
    ["is ending", "0 0 0 0 0 0 0\n"],
    ["is gone", ""],
    ["cannot be read", undefined],
  ])("starts nothing if the process that starts it %s", (_, said) => {
    const { stdout, status } = throughGate(said, ["echo", "started"]);
    expect(stdout).toBe("");
    expect(status).not.toBe(0);
  });

  it("reads from the kernel that this process lives", () => {
    const [, source = ""] = startGate().mounts;
    expect(execFileSync("cat", [source], { encoding: "utf8" })).toMatch(/^[1-9]\d* /);
  });

  it.each(["/bin/sh", "/bin/bash"])("says in a code why a program cannot be started, by %s", (shell) => {
    const codes = [["no-such-program"], ["/no/such"], ["/etc/passwd"], ["/etc"]].map((command) => {
      const { status, stderr } = throughGate("1\n", command, shell);
      return gateErrorIn(status, stderr);
    });
    expect(codes).toEqual(["ENOENT", "ENOENT", "EACCES", "EACCES"]);
    const { status, stderr } = throughGate("1\n", ["sh", "-c", "no-such-program"], shell);
    expect(gateErrorIn(status, stderr)).toBeUndefined();
  });
});
