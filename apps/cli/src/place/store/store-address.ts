import { UsageError } from "../../base/errors/usage-error.ts";

/** Whether `--store` names a server and not a file. */
export function isServer(store: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(store);
}

/**
 * Refuses a mistyped address of a database. A path of a file begins with `/` or `../../`, or has none of the characters of
 * an address. The error does not repeat the text: taken for a path, it would put a password into messages and folder names.
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

/** The name of the store in messages: the address of a server without user, password and parameters. */
export function shownStore(store: string): string {
  if (isServer(store)) return store.replace(/(?<=:\/\/).*@/s, "").replace(/[?#].*/s, "");
  return store.replace(/(?<=:)[^:@/\\]+(?=@)/g, "[redacted]");
}
