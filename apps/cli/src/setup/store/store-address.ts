import { UsageError } from "../../errors/usage-error.ts";

/** Whether `--store` names a server and not a file. */
export function isServer(store: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(store);
}

/**
 * Refuses what was meant to be the address of a database and is none: a path of a file begins with `/` or `../../`, or has
 * none of the signs that addresses are made of. It is not repeated: as a path it would stand with its password in messages, and
 * in the names of folders.
 *
 * @throws UsageError
 */
export function refuseOtherAddress(store: string): void {
  // With a slash too many, user and password become the name of the database, which errors print.
  const isMistyped = /^[^/]*:\/\/\/[^?#]*@/.test(store);
  if (!isMistyped && (isServer(store) || store === ":memory:" || isPath(store))) return;
  throw new UsageError(
    "The store is neither a path nor the address of a PostgreSQL database, such as postgres://me@localhost/app. Correct --store or COGENCY_STORE; for a file of such a name begin with ./",
  );
}

function isPath(store: string): boolean {
  // Two slashes are how the host of an address begins.
  const beginsWithFolder = /^(?:\.{0,2}[\\/]|[a-z]:[\\/])(?![\\/])/i.test(store);
  return beginsWithFolder || !(/^[^\\/]*[:=?]/.test(store) || store.includes("@"));
}

/** The store as messages name it: of the address of a server neither the user and the password nor the parameters. */
export function shownStore(store: string): string {
  if (isServer(store)) return store.replace(/(?<=:\/\/).*@/s, "").replace(/[?#].*/s, "");
  return store.replace(/(?<=:)[^:@/\\]+(?=@)/g, "[redacted]");
}
