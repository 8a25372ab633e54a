import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The folder with `initdb` and `postgres` of the newest PostgreSQL of this machine; undefined if there is none.
 * COGENCY_POSTGRES_BIN names the only folder to look in.
 */
export function findPostgres(): string | undefined {
  return candidates().find((folder) => ["initdb", "postgres"].every((name) => existsSync(join(folder, name))));
}

/** Debian and Ubuntu keep the server off the `PATH`, one folder a version. */
function candidates(): string[] {
  const chosen = process.env.COGENCY_POSTGRES_BIN;
  if (chosen !== undefined) return [chosen];
  const versions = "/usr/lib/postgresql";
  const packaged = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
  const onPath = (process.env.PATH ?? "").split(delimiter);
  return [...packaged.map((version) => join(versions, version, "bin")), ...configured(), ...onPath];
}

function configured(): string[] {
  try {
    return [execFileSync("pg_config", ["--bindir"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()];
  } catch {
    return []; // not installed
  }
}
