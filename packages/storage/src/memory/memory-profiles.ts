import { profileText } from "../adapter/profile-text.ts";
import { ConflictError } from "../errors.ts";
import type { Store, StoredProfile } from "../store.ts";

/** The profiles of `memoryStore`. */
export interface MemoryProfiles extends Pick<Store, "loadProfile" | "saveProfile" | "deleteProfile"> {
  clear(): void;
}

export function memoryProfiles(): MemoryProfiles {
  const profiles = new Map<string | undefined, { text: string; version: number }>();
  return {
    async loadProfile(user) {
      const found = profiles.get(user);
      return found ? { profile: JSON.parse(found.text) as StoredProfile["profile"], version: found.version } : null;
    },

    async saveProfile(user, profile, { expected } = {}) {
      const text = profileText(profile);
      const actual = profiles.get(user)?.version ?? 0;
      if (expected !== undefined && expected !== actual) throw new ConflictError(expected, actual, "profile");
      profiles.set(user, { text, version: actual + 1 });
      return actual + 1;
    },

    deleteProfile: async (user) => profiles.delete(user),

    clear: () => profiles.clear(),
  };
}
