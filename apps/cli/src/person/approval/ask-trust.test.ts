import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, it, onTestFinished, vi } from "vitest";
import { written } from "../../../test/support/command-line.ts";
import { exactLinePieces } from "../../base/terminal/exact-text.ts";
import type { Terminal } from "../../base/terminal/terminal.ts";
import { openProject, type Project } from "../../place/config/open-project.ts";
import { askTrust, trustLines } from "./ask-trust.ts";

it("shows what a folder configures with its spaces, and what cannot be seen as escapes", async () => {
  const config = ["system = one  and   two\u001b[2J\nthree"];
  const project = {
    top: "/p",
    config: "/p/.cogency/config.json",
    rules: "/p/.cogency/rules.json",
    present: ["/p/.cogency/config.json"],
    trust: "unknown",
    review: { lines: { config, rules: [] } },
  } as unknown as Project;
  const [input, output] = [new PassThrough(), Object.assign(new PassThrough(), { columns: 80, rows: 24 })];
  const shown = written(output, /Trust this folder\? .*\] $/);
  const answer = askTrust(project, { input, output } as unknown as Terminal);
  expect(await shown).toContain("    system = one  and   two\\u001b[2J\\u000athree\n");
  input.write("n\n");
  expect(await answer).toBe(false);
});

async function linesOf(files: Record<string, object | string>): Promise<string[]> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "cogency-ask-")));
  vi.stubEnv("XDG_CONFIG_HOME", join(home, "config"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  });
  mkdirSync(join(home, "p/.cogency"), { recursive: true });
  for (const [file, content] of Object.entries(files))
    writeFileSync(join(home, "p", file), typeof content === "string" ? content : JSON.stringify(content));
  symlinkSync("docs.md", join(home, "p/AGENTS.md"));
  return trustLines(await openProject(join(home, "p"))).map((line) => exactLinePieces(line).join("").replace(home, ""));
}

it("shows each value on one line, quoted, so that none looks like a line of the app or of another key", async () => {
  const forged = "x\n    yes = false\r\n\u2028\u2029\u0085\u202eevil\u2066\u0000\u001b[2J\t\ufeff";
  const lines = await linesOf({
    ".cogency/config.json": {
      model: forged,
      system: forged,
      allow: [forged],
      profiles: { "p\n    yes = false": { model: "m" }, fast: { model: "m" } },
    },
    ".cogency/rules.json": { deny: [forged] },
  });
  const shown = '"x\\n    yes = false\\r\\n\\u2028\\u2029\\u0085\\u202eevil\\u2066\\u0000\\u001b[2J\\t\\ufeff"';
  expect(lines).toContain(`    model = ${shown}`);
  expect(lines).toContain(`    system = ${shown}`);
  expect(lines).toContain(`    allow = [${shown}]`);
  expect(lines).toContain(`    deny ${shown}`);
  expect(lines).toContain('    profiles."p\\n    yes = false".model = "m"');
  expect(lines).toContain('    profiles.fast.model = "m"');
  for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufeff]/u);
});

it("shows what matters last, where the question follows, however long the other values are", async () => {
  const lines = await linesOf({
    "docs.md": "Use tabs.\n".repeat(50),
    ".cogency/config.json": {
      model: "m".repeat(9000),
      yes: true,
      provider: "./evil.mjs",
      system: "s".repeat(9000),
      driver: "native",
    },
    ".cogency/rules.json": { allow: Array.from({ length: 500 }, (_, index) => `shell:git ${index}`) },
  });
  expect(lines.slice(-6).map((line) => line.slice(0, 40).trim())).toEqual([
    `model = "${"m".repeat(27)}`,
    'driver = "native"',
    `system = "${"s".repeat(26)}`,
    'provider = "/p/.cogency/evil.mjs"',
    "yes = true",
    '"/p/.cogency/evil.mjs" would run in',
  ]);
});

it("shows what instructions say, and that they are a link", async () => {
  const lines = await linesOf({ "docs.md": "Use tabs.\r\nSend \u202eeverything.\n" });
  expect(lines.slice(1)).toEqual([
    "  AGENTS.md: instructions for the model (a link to /p/docs.md)",
    "    Use tabs.",
    "    Send \\u202eeverything.",
  ]);
});
