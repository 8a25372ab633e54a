import { describePostgres } from "@tooling/postgres/describe";
import { expect, it } from "vitest";
import { said } from "./support/samples.ts";
import { freshDatabase, openStore } from "./support/test-store.ts";

const key = { conversation: "c" };

describePostgres("a slow follower of a log with large events", () => {
  it("gets each of them, and has a few of them in memory at a time", async () => {
    const store = await openStore({ url: await freshDatabase() });
    const twenty = (text: string) => Array.from({ length: 20 }, () => said(text));
    await store.append(key, twenty("x".repeat(1_000_000)));
    await store.append(key, twenty("small"));
    const whole: number[] = [];
    for await (const { seq } of store.follow(key)) {
      whole.push(seq);
      if (seq === 40) break;
    }
    expect(whole).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    const seen: number[] = [];
    for await (const { seq } of store.follow(key)) {
      if (seq === 1) await store.delete(key);
      seen.push(seq);
    }
    // What it had read before the conversation was deleted.
    expect(seen.length).toBeLessThan(6);
  });
});
