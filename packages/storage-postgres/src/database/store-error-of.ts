import { StoreError } from "@cogency/storage";

/**
 * What PostgreSQL, the network or the client said, as a StoreError. `cause` is a copy with its message and code only: the
 * client's own error carries statements and their parameters.
 *
 * @param location where the store is, for messages, without a password
 */
export function storeErrorOf(error: unknown, location: string): StoreError {
  if (error instanceof StoreError) return error;
  const cause = plainCause(error);
  const { code, message: said } = cause;
  const because = (storeCode: StoreError["code"], message: string) => new StoreError(storeCode, message, { cause });
  switch (code) {
    case "28P01":
    case "28000":
      return because(
        "unavailable",
        `${location} refuses the login (${said}). Correct the user or the password in \`url\`.`,
      );
    case "3D000":
      return because("unavailable", `${location}: ${said}. Create the database, or correct its name in \`url\`.`);
    case "42501":
      return because(
        "unavailable",
        `${location}: ${said}. Have an administrator run what \`schemaScript({ role })\` gives.`,
      );
    case "25006":
      return because("unavailable", `${location} is read-only. Give the address of the primary server.`);
    case "53100":
      return because("full", `There is no room left at ${location}. Nothing was stored; make room and try again.`);
    case "54000":
      return because("invalid_event", `${location} cannot take what is so large (${said}). Nothing was stored.`);
  }
  if (damage.test(code)) {
    return because(
      "corrupt",
      `${location} is damaged or not as this version made it (${said}). Restore a backup, or choose another schema.`,
    );
  }
  return because(
    "unavailable",
    `${location} cannot be used (${said}).${/^[0-9A-Z]{5}$/.test(code) ? "" : " Is the server running, and the address right?"}`,
  );
}

/** Whether the same statement may succeed later: the server is away or starting, or others were in the way. */
export function isTransient(error: unknown): boolean {
  return transient.test(codeOf(error));
}

/** Whether nothing answers at the address at all. */
export function isUnreachable(error: unknown): boolean {
  return unreachable.test(codeOf(error));
}

/** Undefined objects and columns, internal errors, damaged data and indexes, texts where numbers belong. */
const damage = /^(42P01|42703|42883|42804|42P13|3F000|XX00[012]|22P0[23]|22021|23502)$/;
const unreachable = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|CONNECT_TIMEOUT)$/;
const lost = /^(08...|57P0[1235]|CONNECTION_(CLOSED|DESTROYED)|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT)$/;
/** A unique violation is a batch that another writer stores at the same moment. */
const inTheWay = /^(40001|40P01|53300|55P03|23505)$/;
const transient = new RegExp([unreachable, lost, inTheWay].map(({ source }) => source).join("|"));

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function plainCause(error: unknown): Error & { code: string } {
  const code = codeOf(error);
  // Errors of several addresses have no message of their own.
  const message = (error instanceof Error && error.message) || code || "unknown error";
  return Object.assign(new Error(message), { code });
}
