import { sha256 } from "../rows/names.ts";

/**
 * The key under which posts and deletes of a conversation are announced, beside the conversation's own: a run that waits for
 * messages must not look at the inbox after each of its own appends.
 */
export function postsOf(key: Buffer): Buffer {
  return sha256(`posts ${key.toString("hex")}`);
}
