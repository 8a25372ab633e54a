import { createDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import postgres from "postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { schemaObjects } from "../../test/support/schema-objects.ts";
import { connected, freshRole } from "../../test/support/test-role.ts";
import { postgresStore } from "../postgres-store.ts";
import { schemaScript } from "./schema-script.ts";

describe("schemaScript", () => {
  it("is the script in schema/schema.sql; `vitest run -u` writes it anew", async () => {
    await expect(schemaScript({ role: "app" })).toMatchFileSnapshot("../../schema/schema.sql");
  });

  it("grants nothing without a role", () => {
    expect(schemaScript()).not.toContain("GRANT");
  });

  it.each([{ schema: "" }, { role: "x".repeat(64) }])("refuses %j", (options) => {
    expect(() => schemaScript(options)).toThrow(RangeError);
  });
});

describePostgres("a schema", () => {
  it("is the same whether the script or the store created it, and the script may run again", async () => {
    const [one, other] = [await database(), await database()];
    await (await postgresStore({ url: one.url })).close();
    await other.run(schemaScript());
    await other.run(schemaScript());
    expect(await other.describe()).toEqual(await one.describe());
    await (await postgresStore({ url: other.url, migrate: false })).close();
  });

  it("may have any name that PostgreSQL accepts", async () => {
    const { url } = await database();
    const names = ['a"b', "$body$", "it's \\ UPPER", "ü".repeat(31)];
    for (const schema of names) {
      const store = await postgresStore({ url, schema });
      expect(await store.append({ conversation: "c" }, [{ type: "user", content: "hello", timestamp: 1 }])).toBe(1);
      expect(await store.search("hello", { user: undefined })).toHaveLength(1);
      const lease = await store.lease({ conversation: "c" }, { owner: "o", ttl: 60_000 });
      await lease.release();
      await store.close();
    }
  });

  it("of another application is refused as `corrupt` and not changed", async () => {
    const { url, run, describe } = await database();
    await run("CREATE SCHEMA cogency; CREATE TABLE cogency.things (id integer)");
    const before = await describe();
    await expect(postgresStore({ url })).rejects.toMatchObject({ code: "corrupt" });
    expect(await describe()).toEqual(before);
  });

  it("that is empty is used by its owner, who may not create another", async () => {
    const { url, run } = await database();
    const { role, url: address } = await freshRole(url);
    await run(`CREATE SCHEMA one AUTHORIZATION ${role}; CREATE SCHEMA two AUTHORIZATION ${role}`);
    await (await postgresStore({ url: address, schema: "one" })).close();
    await connected(address, (sql) => sql.unsafe(schemaScript({ schema: "two" })));
    await (await postgresStore({ url: address, schema: "two", migrate: false })).close();
  });

  it("that is empty is used", async () => {
    const { url, run } = await database();
    await run("CREATE SCHEMA cogency");
    await (await postgresStore({ url })).close();
  });

  it("of a newer version is refused as `newer_schema`, and one without a version as `corrupt`", async () => {
    const { url, run } = await database();
    await run(schemaScript());
    await run("UPDATE cogency.cogency_version SET version = version + 1");
    await expect(postgresStore({ url })).rejects.toMatchObject({ code: "newer_schema" });
    await run("DELETE FROM cogency.cogency_version");
    await expect(postgresStore({ url })).rejects.toMatchObject({ code: "corrupt" });
  });

  it("without its secret for live pieces is refused as `corrupt`", async () => {
    const { url, run } = await database();
    await run(schemaScript());
    await run("DELETE FROM cogency.live_key");
    const error = { code: "corrupt", message: expect.stringContaining("live pieces") };
    await expect(postgresStore({ url })).rejects.toMatchObject(error);
  });

  it("that is missing is `unavailable` with `migrate: false`", async () => {
    const { url, describe } = await database();
    const error = { code: "unavailable", message: expect.stringContaining("schemaScript") };
    await expect(postgresStore({ url, migrate: false })).rejects.toMatchObject(error);
    expect(await describe()).toEqual([]);
  });
});

/** An empty database, with what its schema holds. */
async function database() {
  const { url, drop } = await createDatabase(postgresUrl());
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  onTestFinished(async () => {
    await sql.end();
    await drop();
  });
  return { url, run: (script: string) => sql.unsafe(script), describe: () => schemaObjects(sql) };
}
