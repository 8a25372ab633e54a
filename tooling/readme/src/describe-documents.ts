import { globSync, readFileSync } from "node:fs";
import { createDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { describeRedis, redisUrl } from "@tooling/redis/describe";
import { afterAll, beforeAll, describe } from "vitest";
import { examplesOf } from "./example.ts";
import { readmeExamples } from "./readme-examples.ts";

const root = new URL("../../../", import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, root), "utf8");

/** The READMEs of the packages, and the pages in `docs/` that have examples. */
export const readmes = [...globSync("packages/*/README.md", { cwd: root }), "apps/example-provider/README.md"].sort();
export const pages = globSync("{packages,apps}/*/docs/**/*.md", { cwd: root })
  .filter((path) => examplesOf(textOf(path)).length > 0)
  .sort();

/** What the examples of a package need: the variable that leads to a server. */
const servers: Readonly<Record<string, "DATABASE_URL" | "REDIS_URL">> = {
  "packages/dispatch-graphile": "DATABASE_URL",
  "packages/dispatch-pg-boss": "DATABASE_URL",
  "packages/dispatch-redis": "REDIS_URL",
  "packages/storage-postgres": "DATABASE_URL",
};

/** Registers the tests of the README at the top. The app depends on every package that it shows. */
export function describeTopReadme(): void {
  describe("README.md", () => readmeExamples(new URL("README.md", root), new URL("apps/cli/", root)));
}

/** Registers the tests of documents of packages. */
export function describeDocuments(paths: readonly string[]): void {
  for (const path of paths) {
    const owner = path.split("/").slice(0, 2).join("/");
    const server = servers[owner];
    const describeHere =
      server === "DATABASE_URL" ? describePostgres : server === "REDIS_URL" ? describeRedis : describe;
    describeHere(path, () => {
      if (server === "DATABASE_URL") withDatabase();
      if (server === "REDIS_URL") withRedis();
      readmeExamples(new URL(path, root), new URL(`${owner}/`, root));
    });
  }
}

function withRedis(): void {
  beforeAll(() => {
    process.env.REDIS_URL = redisUrl();
  });
}

/** The examples run in processes with this one's environment. */
function withDatabase(): void {
  let drop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const database = await createDatabase(postgresUrl());
    process.env.DATABASE_URL = database.url;
    drop = database.drop;
  });
  afterAll(() => drop?.());
}
