import type { StoredLogin, TokenOwner, TokenStore } from "./token-store.ts";

/** Logins that end with the process. */
export function memoryTokens(): TokenStore {
  const logins = new Map<string, StoredLogin>();
  const queues = new Map<string, Promise<unknown>>();
  return {
    load: async (owner) => logins.get(ownerKey(owner)),
    save: async (owner, login) => void logins.set(ownerKey(owner), login),
    remove: async (owner) => void logins.delete(ownerKey(owner)),
    async exclusive(owner, work) {
      const key = ownerKey(owner);
      const done = (queues.get(key) ?? Promise.resolve()).then(work);
      const settled = done.catch(() => {});
      queues.set(key, settled);
      try {
        return await done;
      } finally {
        if (queues.get(key) === settled) queues.delete(key);
      }
    },
  };
}

/** A text that stands for one owner and no other. */
export function ownerKey({ server, user }: TokenOwner): string {
  return JSON.stringify(user === undefined ? [server] : [server, user]);
}
