import { randomUUID } from "node:crypto";
import postgres from "postgres";

export interface TestDatabase {
  /** The address, with the role and the password of the server's. */
  readonly url: string;
  /** Removes it, with whoever is still connected. */
  drop(): Promise<void>;
}

/** An empty database of its own on the server at `server`, the address of any of its databases. */
export async function createDatabase(server: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await execute(server, `CREATE DATABASE ${name} TEMPLATE template0`);
  return { url: url.href, drop: () => execute(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function execute(server: string, statement: string): Promise<void> {
  const sql = postgres(server, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}
