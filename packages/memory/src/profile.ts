/**
 * What an agent keeps of one person, in every conversation of theirs. A store keeps it as the profile of the user, and people read it as
 * it is.
 *
 * INVARIANT (their word): `words` of each memory stand, as they are, in a message that this person wrote. A model chooses them and
 * writes none of them.
 */
export interface Profile {
  /** The version of this shape. A reader refuses a later one, and changes nothing of it. */
  readonly schema: 1;
  /** The oldest first; at most {@link profileBounds} of them. */
  readonly memories: readonly Memory[];
  /** Unix time in seconds: messages up to here were learned from, or are not to be. */
  readonly learnedUntil: number;
}

/** One thing that a person said, and that counts until they say otherwise. */
export interface Memory {
  /** Names it in commands: `[a-z0-9]{6}`, unique in the profile. */
  readonly id: string;
  /** What it is about; where two memories contradict each other, the later one counts. */
  readonly about: MemoryTopic;
  /** An excerpt of a message of the person, or what the person typed into the profile: one line. */
  readonly words: string;
  /** When they said it: Unix time in seconds. */
  readonly said: number;
  /** Where they said it; absent for what the person typed into the profile. */
  readonly from?: { readonly conversation: string; readonly seq: number };
}

export type MemoryTopic = "person" | "preference" | "project" | "rule";

/** The most that a profile holds. Where there is more, the oldest goes. */
export const profileBounds = {
  memories: 40,
  /** UTF-16 code units of the words of one memory. */
  words: 240,
  /** Bytes of the whole profile as JSON. */
  bytes: 8_000,
} as const;
