import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plainWords } from "./plain-words.ts";

describe("plainWords", () => {
  describe.each(["bash", "sh"])("compared with %s", (shell) => {
    let folder = "";
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "cogency-words-"));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it("reads every command that it accepts as the shell does", () => {
      const piece = fc.constantFrom(...("ab=:@!^%+-,.~#*?[]{}()<>|&;$`'\"\\ \t\né😀".match(/[\s\S]/gu) ?? []));
      const accepted = fc
        .sample(fc.string({ unit: piece, minLength: 1, maxLength: 12 }), { numRuns: 60_000, seed: 7 })
        .map((text) => `printf '%s\\0' ${text}`)
        .flatMap((command) => {
          const words = tryParse(command);
          return words ? [{ command, words }] : [];
        });
      expect(accepted.length).toBeGreaterThan(2000);
      const script = join(folder, "script");
      writeFileSync(script, accepted.map(({ command }) => `${command}; printf '\\1'`).join("\n"));
      const printed = execFileSync(shell, [script], { cwd: folder, encoding: "utf8" }).split("\u0001");
      for (const [index, { command, words }] of accepted.entries()) {
        // Without an argument printf prints its format once.
        const expected =
          words.length === 2
            ? "\0"
            : words
                .slice(2)
                .map((word) => `${word}\0`)
                .join("");
        expect(printed[index], command).toBe(expected);
      }
    });
  });
});

function tryParse(command: string): string[] | undefined {
  try {
    return plainWords(command);
  } catch {
    return undefined;
  }
}
