import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { LoginError } from "../client/auth/login-error.ts";
import { memoryTokens, ownerKey } from "../client/auth/memory-tokens.ts";
import type { StoredLogin, TokenStore } from "../client/auth/token-store.ts";
import { checkFolder, readPrivate } from "./token-file-access.ts";
import { replaceFile, withFileLock } from "./token-file-lock.ts";

/**
 * Logins in a file that only its owner can read (0600, in a folder of 0700 that is made if there is none). Several processes may use it
 * at once: it is written as a whole, and one of them at a time changes or renews a login.
 *
 * The methods throw a LoginError `unreadable_store` if another user could read the file or write to its folder, if it is a link, larger
 * than 4 MiB or no file of logins, and if another process keeps its lock for two minutes.
 *
 * @param path absolute
 */
export function tokenFile(path: string): TokenStore {
  if (typeof path !== "string" || path === "") throw new TypeError("tokenFile needs the path of a file.");
  // Within the process the waiting is in order; between processes a lock beside the file decides.
  const { exclusive: inTurn } = memoryTokens();

  async function change(key: string, login: StoredLogin | undefined): Promise<void> {
    await inTurn({ server: "" }, async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await checkFolder(dirname(path));
      await withFileLock(path, async () => {
        const logins = { ...(await readLogins(path)) };
        if (login) logins[key] = login;
        else delete logins[key];
        await replaceFile(path, `${JSON.stringify({ version, logins }, undefined, 2)}\n`);
      });
    });
  }

  return {
    load: async (owner) => {
      const logins = await readLogins(path);
      const key = ownerKey(owner);
      return Object.hasOwn(logins, key) ? logins[key] : undefined;
    },
    save: (owner, login) => change(ownerKey(owner), login),
    remove: (owner) => change(ownerKey(owner), undefined),
    exclusive: (owner, work) =>
      inTurn(owner, async () => {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        return withFileLock(`${path}.${await nameOf(ownerKey(owner))}`, work);
      }),
  };
}

const version = 1;

type Logins = Readonly<Record<string, StoredLogin>>;

async function readLogins(path: string): Promise<Logins> {
  const text = await readPrivate(path);
  if (text === undefined) return {};
  const value = parsed(text);
  if (isRecord(value) && value.version === version && isRecord(value.logins)) {
    const logins = Object.entries(value.logins).filter((entry): entry is [string, StoredLogin] => isLogin(entry[1]));
    return Object.fromEntries(logins);
  }
  throw new LoginError("unreadable_store", `${path} does not hold logins as this version writes them. Move it away.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isLogin(value: unknown): value is StoredLogin {
  return (
    isRecord(value) &&
    typeof value.issuer === "string" &&
    typeof value.accessToken === "string" &&
    isRecord(value.client) &&
    typeof value.client.id === "string"
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A name for the lock of one owner that shows nothing of it. */
async function nameOf(key: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
  return Buffer.from(hash).toString("hex").slice(0, 16);
}
