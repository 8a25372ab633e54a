import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Pool } from "./connect.ts";
import { createDatabase } from "./database.ts";

describe("createDatabase", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("waits for a connection while other statements get answers", async () => {
    const { pool, replaced } = poolOf({ perSecond: 1, startAfter: Number.POSITIVE_INFINITY, answerAfter: 60_000 });
    const rows = databaseOver(pool).run("SELECT 1", []);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await rows).toEqual([["done"]]);
    expect(replaced()).toBe(0);
  });

  it.each([
    ["when no statement gets an answer", { perSecond: 0, startAfter: Number.POSITIVE_INFINITY }],
    ["when it has started and gets no answer, even if others do", { perSecond: 1, startAfter: 0 }],
  ])("opens new connections %s", async (_, options) => {
    const { pool, replaced } = poolOf({ ...options, answerAfter: 60_000 });
    const failed = expect(databaseOver(pool).run("SELECT 1", [])).rejects.toMatchObject({ code: "unavailable" });
    await vi.advanceTimersByTimeAsync(12_000);
    await failed;
    expect(replaced()).toBe(1);
  });
});

function databaseOver(pool: Pool): ReturnType<typeof createDatabase> {
  return createDatabase({
    pool,
    schema: "s",
    location: "here",
    retryFor: 1_000,
    closing: new AbortController().signal,
  });
}

/**
 * A pool whose only statement starts and gets its answer after these milliseconds, while other statements get
 * answers.
 */
function poolOf({
  perSecond,
  startAfter,
  answerAfter,
}: {
  perSecond: number;
  startAfter: number;
  answerAfter: number;
}) {
  const began = performance.now();
  let replacements = 0;
  const pool: Partial<Pool> = {
    get answers() {
      return Math.floor((performance.now() - began) / 1_000) * perSecond;
    },
    send: () => ({
      rows: new Promise((resolve) => setTimeout(() => resolve([["done"]]), answerAfter)),
      hasStarted: () => performance.now() - began >= startAfter,
    }),
    replace: () => void replacements++,
  };
  return { pool: pool as Pool, replaced: () => replacements };
}
