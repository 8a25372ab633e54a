import { describe, expect, it } from "vitest";
import { retry } from "./retry.ts";

class Lost extends Error {}

const options = {
  retryFor: 60_000,
  isTransient: (error: unknown) => error instanceof Lost,
  signal: new AbortController().signal,
};

describe("retry", () => {
  it("retries while the error is transient, and passes `isRetry` to the attempt", async () => {
    const attempts: boolean[] = [];
    const result = await retry(async (isRetry) => {
      attempts.push(isRetry);
      if (attempts.length < 4) throw new Lost();
      return "done";
    }, options);
    expect(result).toBe("done");
    expect(attempts).toEqual([false, true, true, true]);
  });

  it("fails at once with any other error", async () => {
    const error = new Error("another");
    let attempts = 0;
    const result = retry(async () => {
      attempts++;
      throw error;
    }, options);
    await expect(result).rejects.toBe(error);
    expect(attempts).toBe(1);
  });

  it("starts no attempt after `retryFor`, and throws the last error", async () => {
    let attempts = 0;
    const result = retry(
      async () => {
        throw new Lost(`attempt ${++attempts}`);
      },
      { ...options, retryFor: 200 },
    );
    const error = await result.catch((error: unknown) => error);
    expect(attempts).toBeGreaterThan(1);
    expect(error).toMatchObject({ message: `attempt ${attempts}` });
  });

  it("ends its waiting when the signal is aborted", async () => {
    const closing = new AbortController();
    let attempts = 0;
    const result = retry(
      async () => {
        if (++attempts === 3) closing.abort();
        throw new Lost();
      },
      { ...options, signal: closing.signal },
    );
    await expect(result).rejects.toBeInstanceOf(Lost);
    expect(attempts).toBe(3);
  });
});
