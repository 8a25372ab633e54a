import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";

/**
 * The channel of one conversation, or of one purpose, and the key for its payloads. PostgreSQL lets every role that may connect to the
 * database listen to any channel and notify any. So names and payloads depend on a secret in a table of the schema: only a role that may
 * read this table can find a channel, read a payload or make one that is accepted.
 */
export interface Seal {
  /** Names the channel to those who have the secret. */
  readonly id: string;
  readonly channel: string;
  /** @param text at most `longestText` bytes */
  seal(text: string): string;
  /** Returns undefined for a payload that was not made with the secret, or for another channel. */
  open(payload: string): string | undefined;
}

export type SealOf = (name: string) => Seal;

export function sealsOf(secret: Buffer): SealOf {
  return (name) => {
    const id = derived(secret, `channel ${name}`).toString("base64url", 0, 16);
    const key = derived(secret, `payloads ${name}`);
    return { id, channel: `cogency_${id}`, seal: (text) => sealed(key, text), open: (payload) => opened(key, payload) };
  };
}

/** PostgreSQL limits a payload to 7,999 bytes. */
const longestPayload = 7_900;
const nonceBytes = 12;
const tagBytes = 16;

/** Bytes of one payload in clear. */
export const longestText = Math.floor(longestPayload / 4) * 3 - nonceBytes - tagBytes;

function derived(secret: Buffer, purpose: string): Buffer {
  return createHmac("sha256", secret).update(purpose).digest();
}

function sealed(key: Buffer, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const body = [cipher.update(text, "utf8"), cipher.final()];
  return Buffer.concat([nonce, ...body, cipher.getAuthTag()]).toString("base64");
}

function opened(key: Buffer, payload: string): string | undefined {
  const bytes = Buffer.from(payload, "base64");
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  try {
    const options = { authTagLength: tagBytes };
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), options);
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, "utf8");
    return text + decipher.final("utf8");
  } catch {
    return undefined;
  }
}
