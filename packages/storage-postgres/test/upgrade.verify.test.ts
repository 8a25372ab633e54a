import { readFileSync } from "node:fs";
import { describePostgres } from "@tooling/postgres/describe";
import { expect, it } from "vitest";
import { postgresStore, schemaScript } from "../src/index.ts";
import { contents, said, upTo } from "./support/samples.ts";
import { schemaObjects } from "./support/schema-objects.ts";
import { connected, freshRole } from "./support/test-role.ts";
import { freshDatabase, openStore } from "./support/test-store.ts";

describePostgres("a schema of version 1", () => {
  it("is upgraded by the store, by any number at once, and by the script to what a new one is", async () => {
    const [fresh, opened, scripted] = [await freshDatabase(), await versionOne(), await versionOne()];
    await openStore({ url: fresh });
    const stores = await Promise.all(upTo(8).map(() => openStore({ url: opened, max: 1 })));
    expect(await stores[7]?.append({ conversation: "a" }, [said("new")])).toBe(3);
    await connected(scripted, (sql) => sql.unsafe(schemaScript()));

    const expected = await connected(fresh, objects);
    expect(expected.version).toEqual([{ version: 4 }]);
    expect(await connected(opened, objects)).toEqual(expected);
    expect(await connected(scripted, objects)).toEqual(expected);
  });

  it("keeps its conversations, whose next write fixes their scope", async () => {
    const store = await openStore({ url: await versionOne() });
    const key = { conversation: "a" };
    expect(contents(await store.load(key))).toEqual(["The quokka of log 2 sleeps.", "Once more, without a name"]);
    await store.post(key, { kind: "prompt", content: "Hello" }, { id: "m", scope: "an agent" });
    const claims = { owner: "o", limit: 10, ttl: 60_000 };
    expect(await store.claim(claims)).toEqual([]);
    expect(await store.claim({ ...claims, scope: "an agent" })).toMatchObject([{ key, reasons: ["inbox"] }]);
    expect(await store.append(key, [said("Hello")], { expected: 2, takes: ["m"] })).toBe(3);
    // The first write after the upgrade goes through the function of the schema, and replaces the title.
    await store.append({ conversation: "A" }, [
      { type: "record", kind: "title", data: { text: "A name" }, timestamp: 1 },
    ]);
    const [latest] = await store.conversations();
    expect(latest).toMatchObject({ conversation: "A", title: "A name" });
    expect(await store.delete({ conversation: "A" })).toBe(true);
  });

  it("is not changed with `migrate: false`, and the error says what to do", async () => {
    const url = await versionOne();
    const before = await connected(url, objects);
    const error = { code: "unavailable", message: expect.stringMatching(/schema 1.* needs 4.*schemaScript/) };
    await expect(postgresStore({ url, migrate: false })).rejects.toMatchObject(error);
    expect(await connected(url, objects)).toEqual(before);
    await connected(url, (sql) => sql.unsafe(schemaScript()));
    await (await postgresStore({ url, migrate: false })).close();
  });

  it("is not changed by a role that may only use it, until an administrator has run the script again", async () => {
    const database = await versionOne();
    const { role, url } = await freshRole(database);
    await connected(database, (sql) =>
      sql.unsafe(`GRANT USAGE ON SCHEMA cogency TO ${role}; GRANT SELECT ON cogency.cogency_version TO ${role}`),
    );
    const error = { code: "unavailable", message: expect.stringContaining("schemaScript") };
    await expect(postgresStore({ url })).rejects.toMatchObject(error);
    await connected(database, (sql) => sql.unsafe(schemaScript({ role })));
    const store = await openStore({ url });
    await store.post({ conversation: "a" }, { kind: "prompt", content: "Hello" }, { id: "m" });
    expect(await store.claim({ owner: "o", limit: 1, ttl: 60_000 })).toHaveLength(1);
  });

  it("stays as it was if the upgrade fails in the middle", async () => {
    const url = await versionOne();
    await connected(url, (sql) => sql`CREATE TABLE cogency.slots (another int)`);
    const before = await connected(url, objects);
    await expect(postgresStore({ url })).rejects.toMatchObject({ code: "corrupt" });
    expect(await connected(url, objects)).toEqual(before);
  });

  it("may be upgraded while programs of version 1 have it open", async () => {
    const url = await versionOne();
    await connected(url, async (sql) => {
      // As version 1 calls the functions: prepared before the upgrade, and called again after it.
      const use = async (last: number) => {
        const key = sql`sha256(${'null\n"old"'}::bytea)`;
        const [lease] = await sql`SELECT token FROM cogency.lease(${key}, 'null', '"old"', '"o"', 60000)`;
        const append =
          () => sql`SELECT outcome, result, owner, ends FROM cogency.append(${key}, 'null', '"old"', 'user',
          ${JSON.stringify(said("old"))}, '', 1, 1, ${last}, ${lease?.token}, NULL, gen_random_uuid(), false)`;
        expect(await append()).toMatchObject([{ outcome: "stored", result: String(last + 1) }]);
        expect(await append()).toMatchObject([{ outcome: "conflict", result: String(last + 1) }]);
        await sql`SELECT cogency.release_lease(${key}, ${lease?.token})`;
      };
      await use(0);
      const store = await openStore({ url });
      await use(1);
      expect(await store.append({ conversation: "old" }, [said("new")], { expected: 2 })).toBe(3);
      expect(await store.nextWake()).toBeUndefined();
    });
  });
});

describePostgres("schemaScript of this version", () => {
  it("does not change a schema of a newer one", async () => {
    const url = await freshDatabase();
    await connected(url, async (sql) => {
      await sql.unsafe(schemaScript());
      await sql`UPDATE cogency.cogency_version SET version = 5`;
      await sql`DROP TABLE cogency.slots`;
      const before = await objects(sql);
      await expect(sql.unsafe(schemaScript())).rejects.toThrow("newer version");
      await sql`ROLLBACK`;
      expect(await objects(sql)).toEqual(before);
    });
  });
});

async function objects(sql: Parameters<Parameters<typeof connected>[1]>[0]) {
  return { version: [...(await sql`SELECT version FROM cogency.cogency_version`)], objects: await schemaObjects(sql) };
}

/** The address of a database with what version 1 wrote. */
async function versionOne(): Promise<string> {
  const url = await freshDatabase();
  const dump = readFileSync(new URL("corpus/schema-1.sql", import.meta.url), "utf8");
  await connected(url, (sql) => sql.unsafe(dump).simple());
  return url;
}
