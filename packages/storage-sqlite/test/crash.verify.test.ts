import { describe, expect, it } from "vitest";
import { crashChain } from "./crash/crash-chain.ts";
import { freshSeed } from "./support/random.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

describe("sqliteStore whose writers are killed at random moments", () => {
  it("keeps every acknowledged batch whole, and continues", async () => {
    // Each store sees eight rounds, because what one crash left may be hurt by the next. `pnpm soak` plays hundreds.
    const folder = temporaryFolder();
    const chains = await Promise.all([1, 2].map(() => crashChain(folder, freshSeed(), 8)));
    for (const { kills, operations } of chains) {
      expect(kills).toBe(12);
      expect(operations).toBeGreaterThan(0);
    }
  });
});
