import { inspect } from "node:util";
import { createDatabase, startPostgres } from "@tooling/postgres";
import { describeOwnPostgres, describePostgres } from "@tooling/postgres/describe";
import { expect, it, onTestFinished, vi } from "vitest";
import { type PostgresStoreOptions, postgresStore, schemaScript } from "../src/index.ts";
import { said } from "./support/samples.ts";
import { connected, freshRole } from "./support/test-role.ts";
import { freshDatabase, openStore } from "./support/test-store.ts";

describePostgres("the password of a postgresStore's address", () => {
  it("is in no error of opening, and in no cause of one", async () => {
    const database = await freshDatabase();
    const { url, password, role } = await freshRole(database);
    const changed = (change: (address: URL) => void): string => {
      const address = new URL(url);
      change(address);
      return address.href;
    };
    const addresses = [
      url, // no schema
      changed((address) => (address.port = "1")),
      changed((address) => (address.pathname = "/no_such_database")),
      changed((address) => (address.username = "nobody")),
      changed((address) => (address.password = `wrong ${password}`)),
      changed((address) => address.searchParams.set("sslmode", "require")),
      changed((address) => address.searchParams.set("no_such_setting", "1")),
      url.replace("postgres://", "mysql://"),
      url.replace("postgres://", ""),
      url.replace(`${password}@`, `%zz${password}@`),
      `postgres://${role}:${password}@127.0.0.1:99999/x`,
      `postgres://${role}:${password}`,
    ];
    for (const address of addresses) {
      const error = await failure({ url: address, retryFor: 200, connectTimeout: 5_000 });
      expect(error, address).toMatchObject({
        name: "StoreError",
        code: expect.stringMatching(/^(unavailable|corrupt)$/),
      });
      expect(everythingIn(error)).not.toContain(password);
    }
  });

  it("is in no error of a statement", async () => {
    const database = await freshDatabase();
    const { url, password, role } = await freshRole(database);
    await connected(database, (sql) => sql.unsafe(schemaScript({ role })));
    const store = await openStore({ url, retryFor: 200 });
    await connected(database, (sql) => sql.unsafe(`REVOKE ALL ON ALL TABLES IN SCHEMA cogency FROM ${role}`));
    const error: unknown = await store.append({ conversation: "c" }, [said("private words")]).catch((cause) => cause);
    expect(error).toMatchObject({ code: "unavailable" });
    expect(everythingIn(error)).not.toContain(password);
    expect(everythingIn(error)).not.toContain("private words");
  });
});

describeOwnPostgres("what a server sees of a postgresStore", () => {
  it("is no password in its log, and no name or text in a notification", async () => {
    const server = await startPostgres({ settings: { log_statement: "all", log_connections: "on" } });
    onTestFinished(() => server.stop());
    const { url } = await createDatabase(server.url);
    const store = await openStore({ url });
    const key = { conversation: "private name", user: "private user" };
    const following = (async () => {
      for await (const { seq } of store.follow(key)) if (seq === 2) return;
    })();
    const channel = await vi.waitFor(() => listenedChannel(server.log()), { timeout: 20_000, interval: 50 });
    const payloads: string[] = [];
    await connected(url, async (sql) => {
      await sql.listen(channel, (payload) => payloads.push(payload));
      await store.append(key, [said("private words"), said("more private words")]);
      await following;
      await vi.waitFor(() => expect(payloads).not.toEqual([]), { timeout: 20_000, interval: 50 });
    });
    for (const payload of payloads) expect(payload).not.toContain("private");
    expect(server.log()).not.toContain(new URL(server.url).password);
  });
});

function listenedChannel(log: string): string {
  const [, channel] = /listen "([^"]+)"/i.exec(log) ?? [];
  if (channel === undefined) throw new Error("No connection listens.");
  return channel;
}

async function failure(options: PostgresStoreOptions): Promise<unknown> {
  try {
    const store = await postgresStore(options);
    await store.close();
  } catch (error) {
    return error;
  }
  throw new Error("It opened.");
}

/** Everything that can be printed of an error: its hidden properties and its causes as well. */
function everythingIn(error: unknown): string {
  return [inspect(error, { depth: 10, showHidden: true }), JSON.stringify(error), String(error)].join("\n");
}
