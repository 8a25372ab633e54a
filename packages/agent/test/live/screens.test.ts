import { expect, it } from "vitest";
import { playMany } from "./many-plays.ts";

it("screens show at every moment a beginning of what the log will hold, and at the end the log", async () => {
  // How many are quick enough to see something depends on the machine.
  expect(await playMany(6)).toBeGreaterThan(0);
}, 60_000);
