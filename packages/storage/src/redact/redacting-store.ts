import type { Json, LogEvent } from "@cogency/protocol";
import { callback, checkOption, having, required } from "@cogency/protocol/options";
import { cleanEvents } from "../adapter/clean-events.ts";
import { profileText } from "../adapter/profile-text.ts";
import { InvalidEventError, isStoreError, StoreError } from "../errors.ts";
import type { LivePublisher } from "../live.ts";
import type { Store } from "../store.ts";
import { type Redact, redactEvent } from "./redact-event.ts";
import { redactSecrets } from "./redact-secrets.ts";
import { namesOfValues, rewriteStrings } from "./rewrite-strings.ts";

/**
 * Wraps a store so that `redact` changes events (see `redactEvent`), profiles and the reasons of `park` before `store` keeps them.
 * Reads pass through unchanged. The names of conversations, users, batches and owners are not redacted.
 *
 * Messages wait in the inbox as they were posted, because a proof may cover them: while a message waits, its secrets are in the
 * store. They are redacted when an append stores the events that came of the message; the store then drops the message.
 *
 * What a run writes is not shown while it is written (`Store.live`): a secret may be known only once all of it is there.
 *
 * Throws TypeError for arguments of a wrong type. If `redact` throws or does not return a string, nothing is stored: `append` throws InvalidEventError, `saveProfile`
 * throws StoreError `invalid_profile`. The error of `redact` is the `cause`.
 */
export function redactingStore(store: Store, redact: Redact = redactSecrets): Store {
  checkOption("redactingStore", "store", store, required(having("a store", "append", "load")));
  checkOption("redactingStore", "redact", redact, {
    ...callback,
    wanted: "a function that returns a text without its secrets",
  });
  return {
    append: async (key, events, options) => store.append(key, redactedEvents(events, redact), options),
    load: (key, options) => store.load(key, options),
    conversations: (options) => store.conversations(options),
    delete: (key) => store.delete(key),
    search: (text, options) => store.search(text, options),
    loadProfile: (user) => store.loadProfile(user),
    saveProfile: async (user, profile, options) => store.saveProfile(user, redactedProfile(profile, redact), options),
    deleteProfile: (user) => store.deleteProfile(user),
    lease: (key, options) => store.lease(key, options),
    renew: (leases, ttl) => store.renew(leases, ttl),
    follow: (key, options) => store.follow(key, options),
    post: (key, message, options) => store.post(key, message, options),
    inbox: (key) => store.inbox(key),
    watch: (key, options) => store.watch(key, options),
    wake: (key, options) => store.wake(key, options),
    claim: (options) => store.claim(options),
    done: (claim) => store.done(claim),
    defer: (claim, at) => store.defer(claim, at),
    renewClaim: (claim, ttl) => store.renewClaim(claim, ttl),
    park: (claim, reason) => store.park(claim, redactedReason(reason, redact)),
    unpark: (key) => store.unpark(key),
    parked: (options) => store.parked(options),
    nextWake: (options) => store.nextWake(options),
    queue: (options) => store.queue(options),
    watchWakes: (options) => store.watchWakes(options),
    slot: (name, options) => store.slot(name, options),
    owner: store.owner,
    // A secret may be known only once all of it is written: its screens wait for the stored unit.
    live: { publisher: () => silent, follow: (key, options) => store.live.follow(key, options) },
    close: () => store.close(),
  };
}

const silent: LivePublisher = { isFollowed: false, publish() {}, close() {} };

function redactedEvents(events: readonly LogEvent[], redact: Redact): readonly LogEvent[] {
  const cleaned = orRefused(() => cleanEvents(events));
  // The wrapped store refuses an invalid batch itself, in the order of its own checks.
  if (!cleaned) return events;
  const checked = checking(redact);
  return cleaned.map((event, index) => {
    try {
      return redactEvent(event, checked);
    } catch (cause) {
      throw new InvalidEventError(index, event.type, "redacting it failed (see `cause`).", { cause });
    }
  });
}

function redactedProfile(profile: Json, redact: Redact): Json {
  const text = orRefused(() => profileText(profile));
  if (text === undefined) return profile;
  const checked = checking(redact);
  try {
    const nameFor = namesOfValues();
    return JSON.parse(rewriteStrings(text, (part, path) => checked(part, nameFor(part, path))));
  } catch (cause) {
    throw new StoreError("invalid_profile", "The profile cannot be stored: redacting it failed (see `cause`).", {
      cause,
    });
  }
}

/** A conversation that must be parked is parked, whatever `redact` does. */
function redactedReason(reason: string, redact: Redact): string {
  try {
    return checking(redact)(reason);
  } catch {
    return "The reason is withheld: redacting it failed.";
  }
}

function orRefused<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isStoreError(error)) return undefined;
    throw error;
  }
}

/** Callers without a type checker may pass any function. */
function checking(redact: Redact): Redact {
  return (text, name) => {
    const redacted: unknown = redact(text, name);
    if (typeof redacted === "string") return redacted;
    throw new TypeError("`redact` did not return a string.");
  };
}
