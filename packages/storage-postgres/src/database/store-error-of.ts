import { isStoreError, StoreError } from "@cogency/storage";

/**
 * Turns an error of PostgreSQL, the network or the client into a StoreError. `cause` is a copy with only the message
 * and the code, because the client's error contains statements and their parameters.
 *
 * @param location the location of the store for messages, without a password
 */
export function storeErrorOf(error: unknown, location: string): StoreError {
  if (isStoreError(error)) return error;
  const cause = plainCause(error);
  const { code, message } = cause;
  const storeError = (storeCode: StoreError["code"], text: string) => new StoreError(storeCode, text, { cause });
  switch (code) {
    case "28P01":
    case "28000":
      return storeError(
        "unavailable",
        `${location} refuses the login (${message}). Correct the user or the password in \`url\`.`,
      );
    case "3D000":
      return storeError("unavailable", `${location}: ${message}. Create the database, or correct its name in \`url\`.`);
    case "42501":
      return storeError(
        "unavailable",
        `${location}: ${message}. Have an administrator run what \`schemaScript({ role })\` gives.`,
      );
    case "25006":
      return storeError("unavailable", `${location} is read-only. Give the address of the primary server.`);
    case "53100":
      return storeError("full", `${location}: the disk is full. Nothing was stored; free some space and try again.`);
    case "54000":
      return storeError(
        "invalid_event",
        `${location} cannot store an event of this size (${message}). Nothing was stored.`,
      );
  }
  if (damage.test(code)) {
    return storeError(
      "corrupt",
      `${location} is damaged or was changed (${message}). Restore a backup, or choose another schema.`,
    );
  }
  return storeError(
    "unavailable",
    `${location} cannot be used (${message}).${/^[0-9A-Z]{5}$/.test(code) ? "" : " Is the server running, and the address right?"}`,
  );
}

/** Whether the same statement may succeed later: the server is down or starting, or other transactions interfered. */
export function isTransient(error: unknown): boolean {
  return transient.test(codeOf(error));
}

/** Whether no server answers at the address. */
export function isUnreachable(error: unknown): boolean {
  return unreachable.test(codeOf(error));
}

/** Undefined and duplicate objects, undefined columns, internal errors, damaged data and indexes, text in place of numbers. */
const damage = /^(42P01|42P07|42703|42883|42804|42P13|3F000|XX00[012]|22P0[23]|22021|23502)$/;
const unreachable = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|CONNECT_TIMEOUT)$/;
const lost = /^(08...|57P0[1235]|CONNECTION_(CLOSED|DESTROYED)|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT)$/;
/** Other transactions interfered. A unique violation is a batch that another writer stores at the same moment. */
const interfered = /^(40001|40P01|53300|55P03|23505)$/;
const transient = new RegExp([unreachable, lost, interfered].map(({ source }) => source).join("|"));

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function plainCause(error: unknown): Error & { code: string } {
  const code = codeOf(error);
  // An AggregateError of several addresses has no message.
  const message = (error instanceof Error && error.message) || code || "unknown error";
  return Object.assign(new Error(message), { code });
}
