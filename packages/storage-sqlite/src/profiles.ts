import type { Json } from "@cogency/protocol";
import { ConflictError, type Store } from "@cogency/storage";
import { profileText } from "@cogency/storage/adapter";
import { damaged } from "./database/damaged.ts";
import type { Database } from "./database/database.ts";
import { rowChecksum } from "./rows/checksum.ts";
import { userText } from "./rows/names.ts";

export type Profiles = Pick<Store, "loadProfile" | "saveProfile" | "deleteProfile">;

export function prepareProfiles({ sqlite, path, refuseIfClosed, read, write, rewrite }: Database): Profiles {
  const findProfile = sqlite.prepare("SELECT version, profile, checksum FROM profiles WHERE user = ?");
  const findVersion = sqlite.prepare("SELECT version FROM profiles WHERE user = ?");
  const save = sqlite.prepare("INSERT OR REPLACE INTO profiles (user, version, profile, checksum) VALUES (?, ?, ?, ?)");
  const remove = sqlite.prepare("DELETE FROM profiles WHERE user = ?");

  return {
    async loadProfile(user) {
      refuseIfClosed();
      const text = userText(user);
      const row = await read(() => findProfile.get(text));
      if (!row) return null;
      const version = Number(row.version);
      const profile = String(row.profile);
      if (rowChecksum(text, version, profile) !== row.checksum) {
        throw damaged(path, "a profile is not what was stored (its checksum differs)");
      }
      return { profile: JSON.parse(profile) as Json, version };
    },

    async saveProfile(user, profile, { expected, erase = false } = {}) {
      refuseIfClosed();
      const text = userText(user);
      const saved = profileText(profile);
      const savedAs = await write(() => {
        const actual = Number(findVersion.get(text)?.version ?? 0);
        if (expected !== undefined && expected !== actual) throw new ConflictError(expected, actual, "profile");
        const version = actual + 1;
        save.run(text, version, saved, rowChecksum(text, version, saved));
        return version;
      });
      if (erase) await rewrite();
      return savedAs;
    },

    async deleteProfile(user) {
      refuseIfClosed();
      const { changes } = await write(() => remove.run(userText(user)));
      if (Number(changes) > 0) await rewrite();
      return Number(changes) > 0;
    },
  };
}
