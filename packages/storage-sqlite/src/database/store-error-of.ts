import { isStoreError, StoreError } from "@cogency/storage";

/** SQLite's primary result codes (https://www.sqlite.org/rescode.html). */
const sqlite = {
  ERROR: 1,
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  TOOBIG: 18,
  CONSTRAINT: 19,
  MISMATCH: 20,
  NOTADB: 26,
};
/** SQLITE_IOERR_SHMSIZE: the disk is full. The index of the write-ahead log is the first file to grow. */
const cannotGrowLogIndex = 4874;

/**
 * Turns an error of SQLite or the file system about the file at `path` into a StoreError. Returns other errors
 * unchanged.
 */
export function storeErrorOf(error: unknown, path: string): unknown {
  if (isStoreError(error) || !(error instanceof Error)) return error;
  const result = resultCode(error);
  if (result !== undefined) return ofSqlite(result, error, path);
  return "code" in error ? ofNode(error.code, error, path) : error;
}

/** Whether another connection held a lock. The same call may succeed later. */
export function isBusy(error: unknown): boolean {
  const result = error instanceof Error ? resultCode(error) : undefined;
  return result === sqlite.BUSY || result === sqlite.LOCKED || result === sqlite.PROTOCOL;
}

/** Whether SQLite could not write the database or a file beside it. It needs the files beside it even to read. */
export function isNotWritable(error: unknown): boolean {
  const result = error instanceof Error ? resultCode(error) : undefined;
  return result !== undefined && [sqlite.READONLY, sqlite.IOERR, sqlite.FULL, sqlite.CANTOPEN].includes(result);
}

/** `errcode` is SQLite's extended code; its low byte is the primary one. */
function resultCode(error: Error): number | undefined {
  if (!("errcode" in error) || typeof error.errcode !== "number") return undefined;
  return error.errcode === cannotGrowLogIndex ? sqlite.FULL : error.errcode & 0xff;
}

function ofSqlite(result: number, cause: Error, path: string): StoreError {
  switch (result) {
    case sqlite.BUSY:
    case sqlite.LOCKED:
    case sqlite.PROTOCOL:
      return new StoreError("unavailable", `${path} is locked: another process is writing. Try again.`, { cause });
    case sqlite.FULL:
      return diskFull(cause, path);
    case sqlite.READONLY:
      return new StoreError(
        "unavailable",
        `${path} can be read, but not written. Nothing was stored; free space on its disk and check who may write the file and its folder, or choose another path.`,
        { cause },
      );
    case sqlite.CANTOPEN:
      return new StoreError(
        "unavailable",
        `${path} cannot be opened. Check that you may write it and its folder, and that its disk is not read-only, or choose another path.`,
        { cause },
      );
    case sqlite.TOOBIG:
      return new StoreError(
        "invalid_event",
        `An event is larger than a billion bytes as JSON, the limit of SQLite. Nothing was stored in ${path}.`,
        { cause },
      );
    case sqlite.NOTADB:
      return new StoreError("corrupt", `${path} is not a SQLite database. Choose another path.`, { cause });
    case sqlite.CORRUPT:
    case sqlite.ERROR:
    case sqlite.CONSTRAINT:
    case sqlite.MISMATCH:
      return isDamaged(cause, path);
    default:
      return cannotUse(cause, path);
  }
}

function ofNode(code: unknown, cause: Error, path: string): StoreError {
  if (code === "ERR_OUT_OF_RANGE") return isDamaged(cause, path);
  return code === "ENOSPC" || code === "EDQUOT" ? diskFull(cause, path) : cannotUse(cause, path);
}

/** Node reports ERR_OUT_OF_RANGE for a number in the database that is larger than any number a store writes. */
function isDamaged(cause: Error, path: string): StoreError {
  return new StoreError("corrupt", `${path} is damaged (${cause.message}). Restore a backup or choose another path.`, {
    cause,
  });
}

function diskFull(cause: Error, path: string): StoreError {
  return new StoreError("full", `The disk of ${path} is full. Nothing was stored; free some space and try again.`, {
    cause,
  });
}

function cannotUse(cause: Error, path: string): StoreError {
  return new StoreError("unavailable", `${path} cannot be used as a database: ${cause.message}.`, { cause });
}
