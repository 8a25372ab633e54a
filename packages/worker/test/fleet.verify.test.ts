import { createDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { expect, it, onTestFinished } from "vitest";
import { play, told } from "./fleet/play.ts";

describePostgres("three workers on one PostgreSQL database", () => {
  it("are killed, frozen and upgraded: every conversation ends, no step and no charge happens twice", async () => {
    const { url, drop } = await createDatabase(postgresUrl());
    onTestFinished(drop);
    const { problems, blows, fleet, steps } = await play({
      postgres: url,
      conversations: 30,
      steps: 6,
      workers: 3,
      concurrency: 4,
      limit: 5,
      delay: 10,
      ttl: 1000,
      // Repeats a failure; `pnpm soak` plays longer.
      seed: Number(process.env.KILL_SEED ?? 5),
      blowEvery: 700,
      duration: 3000,
      patience: 60_000,
    });
    expect(problems, told(fleet)).toEqual([]);
    expect(steps).toBeGreaterThanOrEqual(30);
    expect(blows.killed + blows.frozen + blows.upgraded).toBeGreaterThan(0);
  });
});
