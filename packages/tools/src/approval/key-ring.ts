import type { JsonObject, Proof } from "@cogency/protocol";
import { canonicalJson } from "./canonical-json.ts";

/**
 * Keys that no log holds. A statement with a valid proof was signed by an installation that has one of these keys.
 */
export interface KeyRing {
  /** Signs with the newest key. */
  sign(statement: Statement): Promise<Proof>;
  /** Whether `proof` was made by a key of the ring for exactly this statement. Never rejects, whatever `proof` is. */
  verify(statement: Statement, proof: Proof | undefined): Promise<boolean>;
}

/** The text that is signed, as an object. `purpose` keeps a proof of one kind from counting as another. */
export type Statement = JsonObject & { purpose: "record" | "message" | "origin" | "undo" };

/**
 * Makes a ring of secrets, the newest first. The newest signs; all of them verify. Machines that share a store need the same
 * ring. A proof is the HMAC-SHA-256 over the canonical JSON of the key's id and the statement.
 *
 * @throws RangeError without a secret, or for a secret of less than 32 bytes; TypeError for one that is neither text nor
 * bytes
 */
export function createKeyRing(secrets: readonly (string | Uint8Array)[]): KeyRing {
  if (!Array.isArray(secrets)) throw new TypeError("createKeyRing takes a list of secrets, the newest first.");
  const keys = secrets.map(bytesOfSecret);
  if (keys.length === 0) throw new RangeError("The key ring has no secret; give at least one.");
  let opened: Promise<readonly [SigningKey, ...SigningKey[]]> | undefined;
  const open = () => {
    opened ??= Promise.all(keys.map(signingKey)) as Promise<[SigningKey, ...SigningKey[]]>;
    return opened;
  };
  return {
    async sign(statement) {
      const [{ id, key }] = await open();
      const mac = await crypto.subtle.sign("HMAC", key, signedBytes(statement, id));
      return { key: id, mac: hex(mac) };
    },
    async verify(statement, proof) {
      try {
        const mac = typeof proof?.mac === "string" ? bytesOf(proof.mac) : undefined;
        const found = mac && (await open()).find(({ id }) => id === proof?.key);
        if (!found || !mac) return false;
        return await crypto.subtle.verify("HMAC", found.key, mac, signedBytes(statement, found.id));
      } catch {
        // A malformed proof or statement is not valid.
        return false;
      }
    },
  };
}

/** The ring of this process: a random key, made at the first use. No other process can verify its proofs. */
export function processKeyRing(): KeyRing {
  ofThisProcess ??= createKeyRing([crypto.getRandomValues(new Uint8Array(leastBytes))]);
  return ofThisProcess;
}

let ofThisProcess: KeyRing | undefined;

/** @throws TypeError unless the value has `sign` and `verify` */
export function checkKeyRing(ring: unknown): void {
  const methods = ["sign", "verify"] as const;
  const given = typeof ring === "object" && ring !== null ? (ring as Partial<Record<string, unknown>>) : {};
  if (methods.every((method) => typeof given[method] === "function")) return;
  throw new TypeError("keyRing lacks `sign` and `verify`; make one with createKeyRing([secret]).");
}

/** A copy, because the caller may overwrite the secret. */
function bytesOfSecret(secret: unknown, index: number): Uint8Array<ArrayBuffer> {
  if (typeof secret !== "string" && !(secret instanceof Uint8Array)) {
    throw new TypeError(`Secret ${index} of the key ring is neither text nor a Uint8Array.`);
  }
  const bytes = typeof secret === "string" ? new TextEncoder().encode(secret) : new Uint8Array(secret);
  if (bytes.length >= leastBytes) return bytes;
  throw new RangeError(`Secret ${index} of the key ring has ${bytes.length} bytes; give at least ${leastBytes}.`);
}

const leastBytes = 32;

interface SigningKey {
  id: string;
  key: Awaited<ReturnType<typeof crypto.subtle.importKey>>;
}

/** The id does not reveal the secret. */
async function signingKey(secret: Uint8Array<ArrayBuffer>): Promise<SigningKey> {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);
  const named = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode("cogency key id"));
  return { id: hex(named).slice(0, 16), key };
}

function signedBytes(statement: Statement, key: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(canonicalJson([key, statement]));
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytesOf(digits: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\da-f]{64}$/.test(digits)) return undefined;
  return Uint8Array.from({ length: 32 }, (_, index) => Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16));
}
