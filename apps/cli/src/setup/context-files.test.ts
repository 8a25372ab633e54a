import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { contextText, mostContextBytes } from "./context-files.ts";

describe("AGENTS.md files", () => {
  function filesOf(...texts: string[]) {
    const home = mkdtempSync(join(tmpdir(), "cogency-context-"));
    onTestFinished(() => {
      vi.unstubAllEnvs();
      rmSync(home, { recursive: true, force: true });
    });
    vi.stubEnv("XDG_CONFIG_HOME", home);
    return texts.map((text, index) => {
      const folder = join(home, index === 0 ? "cogency" : `f${index}`);
      mkdirSync(folder);
      writeFileSync(join(folder, "AGENTS.md"), text);
      return join(folder, "AGENTS.md");
    });
  }

  it("are read with their paths, the user's first and the nearest last, the same each time", () => {
    const [user, root, nearest] = filesOf("Be brief.\n", "Use tabs.", "Use spaces.") as [string, string, string];
    const text = contextText({ contextFiles: [root, nearest] });
    expect(text).toMatch(/^What follows was written by the user and for this project\. .* the later one counts\.\n\n/);
    expect(
      text?.endsWith(`From ${user}:\n\nBe brief.\n\nFrom ${root}:\n\nUse tabs.\n\nFrom ${nearest}:\n\nUse spaces.`),
    ).toBe(true);
    expect(contextText({ contextFiles: [root, nearest] })).toBe(text);
  });

  it("are cut between two characters, which the model and stderr are told", () => {
    const [user] = filesOf(`a${"é".repeat(mostContextBytes)}`);
    const told = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const text = contextText({ contextFiles: [] }) ?? "";
    expect(Buffer.byteLength(text)).toBeLessThan(mostContextBytes + 400);
    expect(text).toMatch(/é\n\n\(The file is longer\. It was cut here, after 32768 bytes\.\)$/);
    expect(told.mock.calls.join("")).toContain(`${user} is long`);
    told.mockRestore();
  });

  it("say nothing where there are none, or none with words", () => {
    filesOf(" \n");
    expect(contextText({ contextFiles: ["/nowhere/AGENTS.md"] })).toBeUndefined();
  });
});
