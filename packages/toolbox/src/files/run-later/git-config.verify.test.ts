import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseGitConfig } from "./git-config.ts";

/** The settings that git reads, or undefined if git refuses the file. */
function byGit(file: string): [key: string, value: string | undefined][] | undefined {
  try {
    const listed = execFileSync("git", ["config", "--file", file, "--null", "--list"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: { PATH: process.env.PATH },
    });
    return listed
      .split("\0")
      .slice(0, -1)
      .map((entry) => {
        const [key = "", ...value] = entry.split("\n");
        return [key, value.length === 0 ? undefined : value.join("\n")];
      });
  } catch {
    return undefined;
  }
}

describe("readGitSettings", () => {
  const piece = fc.constantFrom(
    ...[
      "[core]",
      "[CORE]",
      '[a "B c"]',
      '[a "\\"x\\\\"]',
      "[a.B]",
      "hooksPath",
      "key",
      "x-1",
      "=",
      " = ",
      "\n",
      "\n\t",
    ],
    ...['"', "#", ";", "\\\n", "\\n", '\\"', "\\\\", " ", "  ", "\t", "v", "tools/hooks", "\r\n", "ü", "]", "["],
  );
  const texts = fc.oneof(
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join("")),
    fc.array(piece, { maxLength: 12 }).map((pieces) => `[core]\n\thooksPath = ${pieces.join("")}\n`),
  );

  it("reads files as git does", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cogency-git-config-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, "config");
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        await writeFile(file, text);
        const known = byGit(file);
        if (known === undefined) return;
        const spaced = (value: string | undefined) => value?.replace(/[ \t]+/g, " ");
        const read = parseGitConfig(text).map(({ key, value }) => [key, spaced(value)]);
        expect(read).toEqual(known.map(([key, value]) => [key, spaced(value)]));
      }),
      { numRuns: 200, examples: [["[core]\n\thooksPath = a \\\n\n"]] },
    );
  });
});
