/**
 * What an agent keeps of one person, in every conversation of theirs. A store keeps it as the profile of the user, and people read it as
 * it is.
 *
 * INVARIANT (their word): `words` of each memory stand, but for line breaks and runs of spaces, in a message that this person wrote. A
 * model chooses them and writes none of them.
 */
export interface Profile {
  /** The version of this shape. A reader refuses a later one, and changes nothing of it. */
  readonly schema: 1;
  /** In the order in which they were said; at most {@link profileBounds} of them. */
  readonly memories: readonly Memory[];
  /** Unix time in seconds: messages up to here were learned from, or are not to be. */
  readonly learnedUntil: number;
}

/** One thing that a person said, and that counts until they say otherwise. */
export interface Memory {
  /** Names it in commands: `[a-z0-9]{6}`, unique in the profile. A memory that is changed gets another one. */
  readonly id: string;
  /** What it is about; where two memories contradict each other, the later one counts. */
  readonly about: MemoryTopic;
  /** An excerpt of a message of the person, or what the person typed into the profile: one line. */
  readonly words: string;
  /** When they said it: Unix time in seconds. */
  readonly said: number;
  /** Where they said it; absent for what the person typed into the profile. */
  readonly from?: { readonly conversation: string; readonly seq: number };
  /** Of a memory about a project: what it was said in, such as the project's folder. It counts only there. */
  readonly scope?: string;
}

/** `project` counts only in the scope where it was said; the others count everywhere. */
export type MemoryTopic = "person" | "preference" | "project" | "rule";

export const memoryTopics: readonly MemoryTopic[] = ["person", "preference", "project", "rule"];

/** The most that a profile holds. Where there is more, the oldest that was learned goes, then the oldest that was typed. */
export const profileBounds = {
  memories: 40,
  /** UTF-16 code units of the words of one memory. */
  words: 240,
  /** UTF-16 code units of the conversation and the scope of one memory together. What was said in longer ones is not learned. */
  place: 1_500,
  /** Bytes of the whole profile as JSON. */
  bytes: 8_000,
} as const;

export const emptyProfile: Profile = { schema: 1, memories: [], learnedUntil: 0 };
