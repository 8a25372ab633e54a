import { randomUUID } from "node:crypto";
import type { Json } from "@cogency/protocol";
import { ConflictError, type Store } from "@cogency/storage";
import { profileText } from "@cogency/storage/adapter";
import { damaged } from "./database/damaged.ts";
import type { Database } from "./database/database.ts";
import { userNames } from "./rows/names.ts";

export function prepareProfiles({
  schema,
  location,
  run,
  attempt,
  refuseIfClosed,
}: Database): Pick<Store, "loadProfile" | "saveProfile" | "deleteProfile"> {
  const load = `SELECT profile, version FROM ${schema}.profiles WHERE user_key = $1`;
  const save = `SELECT is_saved, result FROM ${schema}.save_profile($1, $2, $3, $4, $5)`;
  const find = `SELECT id FROM ${schema}.profiles WHERE user_key = $1`;
  const remove = `DELETE FROM ${schema}.profiles WHERE id = $1 RETURNING id`;

  return {
    async loadProfile(user) {
      const [found] = await run(load, [userNames(user).userKey]);
      return found ? { profile: parse(found[0]), version: Number(found[1]) } : null;
    },

    async saveProfile(user, profile, { expected } = {}) {
      refuseIfClosed();
      const text = profileText(profile);
      const { userKey, user: name } = userNames(user);
      const [[isSaved, result] = []] = await run(save, [userKey, name, text, expected ?? null, randomUUID()]);
      if (isSaved !== true) throw new ConflictError(Number(expected), Number(result), "profile");
      return Number(result);
    },

    async deleteProfile(user) {
      const [found] = await run(find, [userNames(user).userKey]);
      if (!found) return false;
      let isRepeated = false;
      // Deletes by id: a lost attempt that arrives late must not remove a newer profile.
      const deleted = await attempt((isRetry) => {
        isRepeated ||= isRetry;
        return [remove, [String(found[0])]];
      });
      return deleted.length > 0 || isRepeated;
    },
  };

  function parse(text: unknown): Json {
    try {
      return JSON.parse(String(text)) as Json;
    } catch {
      // No `cause`: its message would quote the text.
      throw damaged(location, "a profile is not JSON");
    }
  }
}
