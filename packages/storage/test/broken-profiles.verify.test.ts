import type { Json } from "@cogency/protocol";
import { describe } from "vitest";
import { StoreError } from "../src/index.ts";
import { type Defect, notice } from "./support/notice.ts";

const defects: Defect[] = [
  [
    "keeps one profile for all users",
    /profiles are separate/,
    (store) => ({
      loadProfile: () => store.loadProfile("all"),
      saveProfile: (_, profile, options) => store.saveProfile("all", profile, options),
    }),
  ],
  [
    "takes the anonymous user for the user with an empty name",
    /profiles are separate/,
    (store) => ({
      loadProfile: (user = "") => store.loadProfile(user),
      saveProfile: (user = "", profile, options) => store.saveProfile(user, profile, options),
    }),
  ],
  [
    "ignores `expected`",
    /saveProfile with `expected`/,
    (store) => ({ saveProfile: (user, profile) => store.saveProfile(user, profile) }),
  ],
  [
    "checks the version some time before it saves",
    /saveProfile lets one of many/,
    (store) => ({
      async saveProfile(user, profile, { expected } = {}) {
        const version = (await store.loadProfile(user))?.version ?? 0;
        if (expected !== undefined && expected !== version) throw new StoreError("conflict", "Conflict.");
        return store.saveProfile(user, profile);
      },
    }),
  ],
  [
    "ignores a conflict silently",
    /saveProfile with `expected`/,
    (store) => ({
      saveProfile: (user, profile, options) =>
        store.saveProfile(user, profile, options).catch(() => {
          throw new StoreError("conflict", "Conflict.");
        }),
    }),
  ],
  [
    "keeps the first version",
    /counts its versions/,
    (store) => ({
      async saveProfile(user, profile) {
        await store.deleteProfile(user);
        return store.saveProfile(user, profile);
      },
    }),
  ],
  [
    "merges a profile into the earlier one",
    /each save replaces it/,
    (store) => ({
      async saveProfile(user, profile, options) {
        const before = (await store.loadProfile(user))?.profile;
        return store.saveProfile(user, { ...(before as object), ...(profile as object) } as Json, options);
      },
    }),
  ],
  [
    "continues the versions of a deleted profile",
    /versions start again/,
    (store) => ({
      async deleteProfile(user) {
        const existed = (await store.loadProfile(user)) !== null;
        if (existed) await store.saveProfile(user, null);
        return existed;
      },
    }),
  ],
  ["always had a profile to delete", /returns whether one existed/, () => ({ deleteProfile: async () => true })],
  [
    "deletes the conversations with the profile",
    /keeps the conversations/,
    (store) => ({
      async deleteProfile(user) {
        for (const { conversation } of await store.conversations({ user })) await store.delete({ conversation, user });
        return store.deleteProfile(user);
      },
    }),
  ],
  [
    "deletes the profile with the conversations",
    /keeps the profile/,
    (store) => ({
      async delete(key) {
        await store.deleteProfile(key.user);
        return store.delete(key);
      },
    }),
  ],
  [
    "stores a profile as JSON.stringify changes it",
    /values that JSON cannot hold/,
    (store) => ({
      saveProfile: (user, profile, options) => store.saveProfile(user, JSON.parse(JSON.stringify(profile)), options),
    }),
  ],
  [
    "reads a profile late",
    /as it is at the time of the call/,
    (store) => ({
      async saveProfile(user, profile, options) {
        await Promise.resolve();
        return store.saveProfile(user, profile, options);
      },
    }),
  ],
  [
    "keeps no more than a megabyte",
    /ten megabytes/,
    (store) => ({
      saveProfile: (user, profile, options) =>
        store.saveProfile(user, JSON.stringify(profile).slice(0, 1_000_000), options),
    }),
  ],
];

describe("the kit notices a store that", () => notice(defects));
