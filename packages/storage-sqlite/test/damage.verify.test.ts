import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { damageRun } from "./damage/damage-run.ts";
import { freshSeed } from "./support/random.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

describe("sqliteStore over a damaged file", () => {
  it("throws a clear error or returns a clean prefix of the log, never anything else", async () => {
    const folder = temporaryFolder();
    // `pnpm soak` damages thousands.
    const runs = [1, 2].map((run) => {
      const place = join(folder, String(run));
      mkdirSync(place);
      return damageRun(place, freshSeed(), 50);
    });
    for (const failures of await Promise.all(runs)) {
      // Some damage is bound to be noticed, and some to hit bytes that mean nothing.
      expect(failures).toBeGreaterThan(0);
      expect(failures).toBeLessThan(50);
    }
  });
});
