import { idKey, isRequest } from "./http/message-problem.ts";

/** The requests of one client that have no answer yet. Two of them cannot have one id: the answer of one would go to the other. */
export interface IdsInFlight {
  /** Takes the ids of the requests among these messages, or none of them if one is taken or too many would be. */
  take(messages: readonly unknown[]): "taken" | "repeated" | "too_many";
  /** Frees the id of a message that answers or cancels a request. */
  free(message: unknown): void;
  count(): number;
}

/** Requests of one client that may be without an answer. */
const most = 256;

export function idsInFlight(): IdsInFlight {
  const ids = new Set<string>();
  return {
    take(messages) {
      const asked = messages.filter(isRequest).map(({ id }) => idKey(id));
      if (asked.some((id) => ids.has(id))) return "repeated";
      if (ids.size + asked.length > most) return "too_many";
      for (const id of asked) ids.add(id);
      return "taken";
    },
    free(message) {
      const { id, method } = (message ?? {}) as { id?: unknown; method?: unknown };
      const freed = method === undefined ? id : cancelledId(message);
      if (freed !== undefined) ids.delete(idKey(freed));
    },
    count: () => ids.size,
  };
}

/** The id of the request that a message cancels; undefined if it cancels none. */
export function cancelledId(message: unknown): string | number | undefined {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { requestId?: unknown } };
  const id = method === "notifications/cancelled" ? params?.requestId : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
