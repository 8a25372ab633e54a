import { createDatabase, type PostgresServer, startPostgres } from "@tooling/postgres";
import { type Books, booksOf } from "./statements.ts";

/** What is not a default of PostgreSQL. A commit waits for the disk. */
export const settings = { shared_preload_libraries: "pg_stat_statements", max_connections: 200 } as const;

export interface BenchServer {
  server: PostgresServer;
  books: Books;
  /** Calls `work` with the address of an empty database. */
  inDatabase<T>(work: (url: string) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export async function startBenchServer(): Promise<BenchServer> {
  const server = await startPostgres({ durable: true, settings });
  const books = await booksOf(server.url);
  return {
    server,
    books,
    async inDatabase(work) {
      const { url, drop } = await createDatabase(server.url);
      try {
        return await work(url);
      } finally {
        await drop();
      }
    },
    async stop() {
      await books.close();
      await server.stop();
    },
  };
}
