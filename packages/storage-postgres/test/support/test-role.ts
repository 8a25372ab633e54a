import { randomBytes } from "node:crypto";
import { postgresUrl } from "@tooling/postgres/describe";
import postgres, { type Sql } from "postgres";
import { onTestFinished } from "vitest";

/** A role that can only log in. It is removed with its rights when the running test ends. */
export async function freshRole(database: string): Promise<{ role: string; password: string; url: string }> {
  const role = `role_${randomBytes(8).toString("hex")}`;
  const password = `canary-${randomBytes(8).toString("hex")}`;
  await connected(database, (sql) => sql.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`));
  onTestFinished(async () => {
    await connected(database, (sql) => sql.unsafe(`DROP OWNED BY ${role}`));
    await connected(postgresUrl(), (sql) => sql.unsafe(`DROP ROLE ${role}`));
  });
  const url = new URL(database);
  url.username = role;
  url.password = password;
  return { role, password, url: url.href };
}

/** Runs on a separate connection to `url`. */
export async function connected<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
