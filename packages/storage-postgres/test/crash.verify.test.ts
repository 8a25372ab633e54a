import { createDatabase, startPostgres } from "@tooling/postgres";
import { describeOwnPostgres } from "@tooling/postgres/describe";
import { expect, it, onTestFinished } from "vitest";
import { crashRound, strikes } from "./crash/crash-rounds.ts";
import { nothingExpected } from "./crash/expected.ts";

describeOwnPostgres("postgresStore whose writers, connections and server are killed at random moments", () => {
  it("keeps every acknowledged batch whole and once, and continues", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const { url } = await createDatabase(server.url);
    const expected = nothingExpected();
    // One round of each kind; `pnpm soak` plays a hundred. All on one database, because what one crash left may be hurt by the next.
    for (let round = 1; round <= strikes.length; round++) {
      const strike = strikes[round % strikes.length] ?? "writers";
      await crashRound(server, url, expected, { round, strike });
    }
    expect(expected.operations).toBeGreaterThan(100);
  });
});
