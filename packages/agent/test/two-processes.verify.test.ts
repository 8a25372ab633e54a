import { createDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { describe, expect, it, onTestFinished } from "vitest";
import { type DrillOptions, drill } from "./two-processes/drill.ts";

/** `KILL_SEED` repeats a failure; `pnpm soak` kills more often. */
const options: DrillOptions = { seed: Number(process.env.KILL_SEED ?? 1), kills: 6, patience: 60_000 };
const sentence =
  "one runs, the other prompts, steers, answers and cancels, and either is killed: each message and payment counts once";

describe("two processes on one SQLite file", () => {
  it(sentence, async () => {
    const { struck, paid } = await drill(options);
    expect(struck.runner.length + struck.sender.length).toBe(options.kills);
    expect(paid).toBeGreaterThan(0);
  });
});

describePostgres("two processes on one PostgreSQL database", () => {
  it(sentence, async () => {
    const { url, drop } = await createDatabase(postgresUrl());
    onTestFinished(drop);
    const { struck, paid } = await drill({ ...options, postgres: url });
    expect(struck.runner.length + struck.sender.length).toBe(options.kills);
    expect(paid).toBeGreaterThan(0);
  });
});
