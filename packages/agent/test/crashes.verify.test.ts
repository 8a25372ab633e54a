import { describe, expect, it } from "vitest";
import { drill, type Tally } from "./crashes/drill.ts";
import { drivers } from "./crashes/task.ts";

/** `KILL_SEED` moves the marks; `pnpm soak` takes all of them. */
const seed = Number(process.env.KILL_SEED ?? 1);

describe.each(Object.keys(drivers).map((driver, index) => [driver, index] as const))(
  "a process that is killed in its task, with the driver %s",
  (driver, index) => {
    it("leaves a log with which the next one ends the task, and no payment is made twice", async () => {
      const tally: Tally = { kills: 0, stages: new Set(), effects: 0, unknown: 0 };
      const first = 6 + ((seed + index * 5) % 12);
      expect(await drill(driver, { first }, index % 2 === 0 ? "recover" : "prompt", tally)).toBe(true);
      expect(tally.kills).toBe(1);
    });
  },
);
