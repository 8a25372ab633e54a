import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bin, type Outcome, outcomeOf, place } from "./support/command-line.ts";

it("doctor names the fault and its mend in six broken surroundings, and exits with 1", async () => {
  const { cogency, folder } = place();
  const offline = ["--provider", "offline", "--no-request"];
  const doctor = (args: readonly string[], env: Record<string, string> = {}) => cogency(["doctor", ...args], { env });
  const named = (name: string) => {
    const made = join(folder, name, "cogency");
    mkdirSync(made, { recursive: true });
    return made;
  };
  writeFileSync(join(named("exposed"), "api-keys.json"), '{"OPENAI_API_KEY":"canary-key"}');
  chmodSync(join(folder, "exposed", "cogency", "api-keys.json"), 0o644);
  symlinkSync(process.execPath, join(named("programs"), "node"));

  const [store, noKey, exposed, unreachable, noSandbox, old] = await Promise.all([
    doctor(offline, { COGENCY_STORE: join(folder, "notes.txt", "c.db") }),
    doctor(["--provider", "anthropic"]),
    doctor(["--provider", "openai", "--no-request"], { XDG_CONFIG_HOME: join(folder, "exposed") }),
    doctor(["--provider", "openai", "--base-url", "http://127.0.0.1:1/v1", "--model", "m"]),
    doctor(offline, { PATH: join(folder, "programs", "cogency") }),
    withNode("20.20.2", folder),
  ]);
  const has = (outcome: Outcome, fault: RegExp, mend: RegExp) => {
    const [, text = "", advice = ""] = new RegExp(`^✗ (${fault.source}.*)\n {12}(.*)$`, "m").exec(outcome.stdout) ?? [];
    expect([outcome.code, outcome.stderr, text, advice]).toEqual([
      1,
      "",
      expect.stringMatching(fault),
      expect.stringMatching(mend),
    ]);
  };
  has(store, /store +.*notes\.txt is no folder/, /COGENCY_STORE/);
  has(noKey, /model +No Anthropic API key/, /^Set the key/);
  has(exposed, /api keys +.*others may read/, /^Run chmod 600 .*api-keys\.json/);
  expect(exposed.stdout).not.toContain("canary-key");
  has(unreachable, /model +.*127\.0\.0\.1:1 cannot be reached/, /^Look at the address/);
  if (process.platform === "linux") has(noSandbox, /sandbox +.*have your rights: bubblewrap/, /^Install bubblewrap/);
  expect(old).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/needs Node 22\.19.*20\.20\.2\.\nInstall/),
  });
});

/** Runs the doctor in a Node that says it is of this version. */
function withNode(version: string, folder: string): Promise<Outcome> {
  const script = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: ${JSON.stringify(version)} } });
process.argv.push("doctor");
require(${JSON.stringify(bin)});`;
  return outcomeOf(spawn(process.execPath, ["-e", script], { cwd: folder, env: { HOME: folder } }));
}
