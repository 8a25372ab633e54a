import { UsageError } from "./usage-error.ts";

/** Whether `--store` names a server and not a file. */
export function isServer(store: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(store);
}

/**
 * Refuses what was meant to be the address of a database and is none. It is not repeated: as a path of a file it would
 * stand with its password in messages, and in the names of folders.
 *
 * @throws UsageError
 */
export function refuseOtherAddress(store: string): void {
  if (isServer(store) || !/^\s*[a-z][a-z\d+.-]+:\//i.test(store)) return;
  throw new UsageError(
    "The store is neither a path nor the address of a PostgreSQL database, such as postgres://me@localhost/app. Correct --store or COGENCY_STORE.",
  );
}

/** The store as messages name it: of the address of a server neither the user and the password nor the parameters. */
export function shownStore(store: string): string {
  return isServer(store) ? store.replace(/(?<=:\/\/).*@/s, "").replace(/[?#].*/s, "") : store;
}
