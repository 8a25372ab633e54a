import type { Json } from "@cogency/protocol";
import type { Store } from "@cogency/storage";
import { MemoryError } from "../errors.ts";
import { emptyProfile, type Memory, memoryTopics, type Profile, profileBounds } from "./profile.ts";

/** A profile as the store has it. */
export interface KeptProfile {
  readonly profile: Profile;
  /** What `saveProfile` of the store expects; 0 if nothing was saved. */
  readonly version: number;
}

/**
 * Reads the profile of a user; an empty one if nothing was saved.
 *
 * @throws MemoryError `newer_profile`, `foreign_profile`; StoreError
 */
export async function readProfile(store: Pick<Store, "loadProfile">, user: string | undefined): Promise<KeptProfile> {
  const stored = await store.loadProfile(user);
  if (!stored) return { profile: emptyProfile, version: 0 };
  return { profile: profileOf(stored.profile), version: stored.version };
}

function profileOf(stored: Json): Profile {
  const { schema, memories, learnedUntil } = fieldsOf(stored);
  if (typeof schema === "number" && schema > 1) {
    throw new MemoryError(
      "newer_profile",
      `A newer version wrote the profile of this user (schema ${schema}). Update this program; nothing was changed.`,
    );
  }
  if (schema !== 1 || !Array.isArray(memories) || !Number.isFinite(learnedUntil)) throw foreign("it has another shape");
  if (memories.length > profileBounds.memories || bytesOf(stored) > profileBounds.bytes)
    throw foreign("it is too large");
  const ids = new Set<unknown>();
  for (const [index, memory] of memories.entries()) {
    const { id } = fieldsOf(memory);
    if (!isMemory(memory) || ids.has(id)) throw foreign(`its memory ${index + 1} has another shape`);
    ids.add(id);
  }
  return { schema, memories: memories as unknown as Memory[], learnedUntil: learnedUntil as number };
}

function foreign(why: string): MemoryError {
  return new MemoryError(
    "foreign_profile",
    `The store holds a profile of this user that is not one of this package: ${why}. Nothing was changed; forget all of it to begin anew.`,
  );
}

function isMemory(value: unknown): value is Memory {
  const { id, about, words, said, from, scope } = fieldsOf(value);
  const { conversation, seq } = fieldsOf(from);
  return (
    typeof id === "string" &&
    /^[a-z0-9]{6}$/.test(id) &&
    memoryTopics.some((topic) => topic === about) &&
    typeof words === "string" &&
    words.length <= profileBounds.words &&
    Number.isFinite(said) &&
    (from === undefined || (typeof conversation === "string" && Number.isInteger(seq))) &&
    (scope === undefined || typeof scope === "string")
  );
}

/** The fields of what may be anything. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Bytes of a profile as JSON. */
export function bytesOf(profile: unknown): number {
  return new TextEncoder().encode(JSON.stringify(profile)).length;
}
