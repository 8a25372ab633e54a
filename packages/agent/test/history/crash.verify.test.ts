import { describe, expect, it } from "vitest";
import { killAt } from "./crash/drill.ts";
import { drivers } from "./support.ts";

/** `KILL_SEED` moves the marks; `pnpm soak` takes all of them. */
const seed = Number(process.env.KILL_SEED ?? 1);

describe.each(Object.keys(drivers).map((driver, index) => [driver, index] as const))(
  "a process that is killed in a compaction or a fork, with the driver %s",
  (driver, index) => {
    it("leaves nothing half done, and the next one goes on", async () => {
      // The compaction passes marks 5 to 8, the fork 21 and 22.
      const marks = [5 + ((seed + index) % 4), 20 + ((seed + index) % 4)];
      expect(await killAt(driver, marks)).toHaveLength(2);
    });
  },
);
