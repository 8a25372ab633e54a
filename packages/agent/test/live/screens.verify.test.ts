import { expect, it } from "vitest";
import { playMany } from "./many-plays.ts";

it("screens show at every moment a beginning of what the log will hold, and at the end the log, 600 times", async () => {
  for (let round = 0; round < 4; round++) expect(await playMany(150)).toBeGreaterThan(150);
}, 600_000);
