import {
  callback,
  checkOptions,
  listOf,
  type OptionTable,
  object,
  required,
  text,
  whole,
} from "@cogency/protocol/options";
import { type Redact, redactSecrets, type Store } from "@cogency/storage";
import { MemoryError } from "../errors.ts";
import { newId } from "./new-id.ts";
import { oneLine } from "./one-line.ts";
import { emptyProfile, type Memory, type MemoryTopic, memoryTopics, type Profile, profileBounds } from "./profile.ts";
import { readProfile } from "./read-profile.ts";
import { withinBounds } from "./within-bounds.ts";
import { withoutSecrets } from "./without-secrets.ts";

export interface ProfileChangeOptions {
  /** Finds secrets, which no profile keeps. Defaults to `redactSecrets` of `@cogency/storage`. */
  redact?: Redact | undefined;
  /** Returns Unix time in seconds. Defaults to the system's clock. */
  clock?: (() => number) | undefined;
}

/** A memory as a person types it. */
export interface TypedMemory {
  words: string;
  /** Defaults to `preference`. */
  about?: MemoryTopic | undefined;
  /** For what is about a project: where it counts. */
  scope?: string | undefined;
}

/** A memory as a person leaves it in an editor. One of the profile is named by its id; what else it has is kept. */
export interface EditedMemory extends TypedMemory {
  id?: string | undefined;
}

const changeTable: OptionTable<ProfileChangeOptions> = { redact: callback, clock: callback };

/**
 * Keeps what a person types into their profile. A model never drops it.
 *
 * @throws MemoryError `invalid_memory`, `newer_profile`, `foreign_profile`; StoreError, `conflict` if others change the profile all the time
 */
export async function remember(
  store: Store,
  user: string | undefined,
  memory: TypedMemory,
  options: ProfileChangeOptions = {},
): Promise<Memory> {
  checkOptions<ProfileChangeOptions>("remember", options, changeTable);
  checkOptions<TypedMemory>("remember", memory, { words: required(text), about: text, scope: text });
  let kept: Memory | undefined;
  await changed(store, user, ({ memories }) => {
    kept = typed(memory, memories, options, 0);
    return [...memories, kept];
  });
  return kept as Memory;
}

/**
 * Forgets memories by their ids, and leaves no byte of them in the profile. Later requests of every process are made without them. The
 * conversations in which the words were said stay.
 *
 * @returns what was forgotten
 * @throws MemoryError `unknown_memory`, `newer_profile`, `foreign_profile`; StoreError
 */
export async function forget(
  store: Store,
  user: string | undefined,
  ids: readonly string[],
): Promise<readonly Memory[]> {
  let forgotten: readonly Memory[] = [];
  await changed(
    store,
    user,
    ({ memories }) => {
      const unknown = ids.find((id) => !memories.some((memory) => memory.id === id));
      if (unknown !== undefined)
        throw new MemoryError("unknown_memory", `The profile has no memory ${JSON.stringify(unknown)}.`);
      forgotten = memories.filter(({ id }) => ids.includes(id));
      return memories.filter(({ id }) => !ids.includes(id));
    },
    true,
  );
  return forgotten;
}

/**
 * Forgets the whole profile, whatever it holds, and leaves no byte of it. What was said up to now is not learned again.
 *
 * @throws StoreError
 */
export async function forgetAll(
  store: Store,
  user: string | undefined,
  options: ProfileChangeOptions = {},
): Promise<void> {
  checkOptions<ProfileChangeOptions>("forgetAll", options, changeTable);
  // Versions go on, as they would not after `deleteProfile`: a learner that has read the profile before must not find its version again.
  await store.saveProfile(user, jsonOf({ ...emptyProfile, learnedUntil: now(options) }), { erase: true });
}

/**
 * Replaces the memories by those that a person left in an editor. One that has changed counts as typed, from now on.
 *
 * @param expected the version of the profile that the person has edited
 * @throws MemoryError `invalid_memory` with the `index`, `unknown_memory`, `newer_profile`, `foreign_profile`; StoreError, `conflict` if the profile has
 * changed meanwhile
 */
export async function editProfile(
  store: Store,
  user: string | undefined,
  edited: readonly EditedMemory[],
  expected: number,
  options: ProfileChangeOptions = {},
): Promise<Profile> {
  checkOptions<ProfileChangeOptions>("editProfile", options, changeTable);
  checkOptions("editProfile", { memories: edited, expected }, { memories: listOf(object), expected: whole(0) });
  const { profile } = await readProfile(store, user);
  const memories: Memory[] = [];
  for (const [index, one] of edited.entries()) {
    const before = profile.memories.find(({ id }) => id === one.id);
    if (one.id !== undefined && (!before || memories.includes(before)))
      throw new MemoryError(
        "unknown_memory",
        `The profile has no memory ${JSON.stringify(one.id)}, or it stands twice.`,
        {
          index,
        },
      );
    memories.push(
      before && isSame(before, one) ? before : typed(one, [...profile.memories, ...memories], options, index),
    );
  }
  const next = withinBounds(profile, memories);
  await store.saveProfile(user, jsonOf(next), { expected, erase: true });
  return next;
}

function isSame(before: Memory, { words, about, scope }: EditedMemory): boolean {
  return before.words === oneLine(words) && before.about === about && before.scope === scope;
}

/** Changes the memories; again, if the profile has changed meanwhile. */
async function changed(
  store: Store,
  user: string | undefined,
  change: (profile: Profile) => readonly Memory[],
  erase = false,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { profile, version } = await readProfile(store, user);
    const next = withinBounds(profile, change(profile));
    try {
      await store.saveProfile(user, jsonOf(next), { expected: version, erase });
      return;
    } catch (error) {
      if (tries === mostTries || (error as { code?: unknown }).code !== "conflict") throw error;
    }
  }
}

const mostTries = 5;

function typed(
  { words: given, about = "preference", scope }: TypedMemory,
  others: readonly Memory[],
  { redact = redactSecrets, ...options }: ProfileChangeOptions,
  index: number,
): Memory {
  const words = typeof given === "string" ? oneLine(given) : "";
  const problem = problemOf({ words, about }, others, redact);
  if (problem) throw new MemoryError("invalid_memory", problem, { index });
  const isOfScope = about === "project" && scope !== undefined;
  if (isOfScope && scope.length > profileBounds.place)
    throw new MemoryError("invalid_memory", `The scope has more than ${profileBounds.place} characters.`, { index });
  return { id: newId(others), about, words, said: now(options), ...(isOfScope && { scope }) };
}

function problemOf(
  { words, about }: Pick<Memory, "words" | "about">,
  others: readonly Memory[],
  redact: Redact,
): string | undefined {
  const { words: most } = profileBounds;
  if (words === "") return "A memory needs words.";
  if (words.length > most) return `A memory has at most ${most} characters; this one has ${words.length}.`;
  if (!memoryTopics.includes(about)) return `A memory is about one of these: ${memoryTopics.join(", ")}.`;
  if (withoutSecrets(words, redact) !== words) return "The words hold what looks like a secret. A profile keeps none.";
  return others.some((other) => other.words === words) ? "The profile holds these words already." : undefined;
}

function now({ clock = () => Date.now() / 1000 }: ProfileChangeOptions): number {
  return clock();
}

/** A profile as the store takes it. */
export function jsonOf(profile: Profile) {
  return JSON.parse(JSON.stringify(profile));
}
