import type { Usage } from "@cogency/protocol";
import { zeroUsage } from "@cogency/provider";
import { isConflictError, type Redact, type Store } from "@cogency/storage";
import { jsonOf } from "../profile/change-profile.ts";
import type { Memory, Profile } from "../profile/profile.ts";
import { readProfile } from "../profile/read-profile.ts";
import { askForChoice, type Chooser } from "./ask-for-choice.ts";
import { profileAfter } from "./chosen.ts";
import { ownMessages } from "./own-messages.ts";

/** How a learner works. */
export interface LearnSettings extends Chooser {
  readonly store: Store;
  readonly every: number;
  readonly redact: Redact;
  readonly clock: () => number;
}

/** What a look at the messages of a person came to. */
export interface Learned {
  /** Their messages that were new. */
  readonly messages: number;
  /** What is remembered now and was not before; none if there were too few messages, or another learner came first. */
  readonly memories: readonly Memory[];
  /** Tokens that the choice took; zeros if the model was not asked. They are in the usage of no run. */
  readonly usage: Readonly<Usage>;
}

/**
 * Learns from the messages of a user that are new, if there are enough. The store holds the profile of before or the one of after,
 * whenever the process ends.
 *
 * @throws MemoryError `newer_profile`, `foreign_profile`; StoreError; ProviderError; the reason of the signal
 */
export async function learn(settings: LearnSettings, user: string | undefined, signal: AbortSignal): Promise<Learned> {
  const { store, every, redact, clock } = settings;
  const kept = await readProfile(store, user);
  const range = { after: kept.profile.learnedUntil, upTo: clock(), redact };
  const messages = await ownMessages(store, user, range);
  if (messages.length < every) return { messages: messages.length, memories: [], usage: zeroUsage };
  signal.throwIfAborted();
  const { choice, usage } = await askForChoice(settings, kept.profile, messages, signal);
  const none = { messages: messages.length, memories: [], usage };
  signal.throwIfAborted();
  const changed = (profile: Profile) => profileAfter(profile, messages, choice, redact);
  const next = changed(kept.profile);
  if (await isSaved(store, user, next, kept.version)) return { ...none, memories: added(kept.profile, next) };
  const fresh = await readProfile(store, user);
  const last = messages.at(-1)?.said ?? 0;
  // Another learner has read the same messages, or the person has forgotten all.
  if (fresh.profile.learnedUntil >= last) return none;
  const merged = changed(fresh.profile);
  return (await isSaved(store, user, merged, fresh.version))
    ? { ...none, memories: added(fresh.profile, merged) }
    : none;
}

async function isSaved(store: Store, user: string | undefined, profile: Profile, expected: number): Promise<boolean> {
  try {
    await store.saveProfile(user, jsonOf(profile), { expected });
    return true;
  } catch (error) {
    if (isConflictError(error)) return false;
    throw error;
  }
}

function added(before: Profile, after: Profile): readonly Memory[] {
  return after.memories.filter(({ id }) => !before.memories.some((memory) => memory.id === id));
}
