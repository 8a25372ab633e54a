import { describe, expect, it } from "vitest";
import { crashChain } from "./crash/crash-chain.ts";
import { freshSeed } from "./support/random.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

describe("sqliteStore whose writers are killed at random moments", () => {
  it("keeps every acknowledged batch whole, and continues", { timeout: 120_000 }, async () => {
    // Thirty rounds; each store sees fifteen, because what one crash left may be hurt by the next.
    const folder = temporaryFolder();
    const chains = await Promise.all([1, 2].map(() => crashChain(folder, freshSeed(), 15)));
    for (const { kills, operations } of chains) {
      expect(kills).toBe(21);
      expect(operations).toBeGreaterThan(0);
    }
  });
});
