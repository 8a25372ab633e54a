import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** 32 random bytes as text. */
export function randomText(): string {
  return randomBytes(32).toString("base64url");
}

/** Takes as long wherever the texts differ. */
export function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(hashOf(given), hashOf(expected));
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
