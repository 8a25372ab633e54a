import type { Store } from "@cogency/storage";
import { describePostgres } from "@tooling/postgres/describe";
import postgres from "postgres";
import { expect, it, onTestFinished } from "vitest";
import { postgresStore } from "../src/index.ts";
import { said, upTo } from "./support/samples.ts";
import { freshDatabase, openStore } from "./support/test-store.ts";

const hour = 3_600_000;

describePostgres("the renewal of many leases", () => {
  it("is one statement, for any number of leases", async () => {
    const statements: string[] = [];
    const sql = postgres(await freshDatabase(), { max: 2, debug: (_, statement) => void statements.push(statement) });
    onTestFinished(() => sql.end());
    const store = await postgresStore({ sql });
    const leases = await leasesOf(store, 3_000);
    statements.length = 0;
    expect(await store.renew(leases)).toEqual({ renewed: leases.map(({ token }) => token), lost: [] });
    expect(statements).toEqual([expect.stringMatching(/^WITH .* UPDATE .* RETURNING /s)]);
    expect(await store.renew([])).toEqual({ renewed: [], lost: [] });
    expect(statements).toHaveLength(1);
    await store.close();
  });

  it("does not wait for a conversation that another transaction changes", async () => {
    const url = await freshDatabase();
    const store = await openStore({ url });
    const [slow, ...others] = await leasesOf(store, 20);
    if (!slow) return expect.unreachable();
    const sql = postgres(url, { max: 1 });
    onTestFinished(() => sql.end());
    const { expiresAt } = slow;
    await sql.begin(async (transaction) => {
      await transaction`SELECT FROM cogency.conversations WHERE lease_token = ${slow.token} FOR UPDATE`;
      const { renewed, lost } = await store.renew([slow, ...others], 2 * hour);
      expect(renewed.toSorted()).toEqual(others.map(({ token }) => token).toSorted());
      expect(lost).toEqual([]);
    });
    expect(slow.expiresAt).toBe(expiresAt);
    expect(slow.lost.aborted).toBe(false);
    expect(await store.renew([slow, ...others], 2 * hour)).toMatchObject({ renewed: { length: 20 } });
    expect(slow.expiresAt).toBeGreaterThan(expiresAt);
  });

  it("of one lease waits, and finds that it was taken over meanwhile", async () => {
    const url = await freshDatabase();
    const store = await openStore({ url });
    const [lease] = await leasesOf(store, 1);
    if (!lease) return expect.unreachable();
    const sql = postgres(url, { max: 1 });
    onTestFinished(() => sql.end());
    const renewal = await sql.begin(async (transaction) => {
      await transaction`UPDATE cogency.conversations SET lease_token = lease_token + 1`;
      const renewed = lease.renew();
      renewed.catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 100));
      return { renewed };
    });
    await expect(renewal.renewed).rejects.toMatchObject({ code: "lease_lost", token: lease.token });
    expect(lease.lost.aborted).toBe(true);
  });

  it("never waits for a renewal of the same leases in another order", async () => {
    const store = await openStore({ url: await freshDatabase(), max: 4 });
    const leases = await leasesOf(store, 500);
    const rounds = upTo(20).map((round) => store.renew(round % 2 === 0 ? leases : leases.toReversed()));
    for (const { lost } of await Promise.all(rounds)) expect(lost).toEqual([]);
    expect((await store.renew(leases)).renewed).toHaveLength(500);
    for (const [index, lease] of leases.slice(0, 3).entries()) {
      expect(await store.append({ conversation: `c${index + 1}` }, [said("x")], { lease })).toBe(1);
    }
  });
});

function leasesOf(store: Store, count: number) {
  return Promise.all(
    upTo(count).map((number) => store.lease({ conversation: `c${number}` }, { owner: "one", ttl: hour })),
  );
}
