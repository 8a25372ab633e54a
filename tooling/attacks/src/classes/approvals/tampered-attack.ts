import { join } from "node:path";
import { createAgent } from "@cogency/agent";
import type { LogEvent } from "@cogency/protocol";
import { scripted } from "@cogency/provider";
import { type Key, memoryStore, redactingStore, type Store } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import type { KeyRing } from "@cogency/tools";
import type { Attack } from "../../harness/attack.ts";
import type { Place } from "../../harness/place.ts";
import type { Random } from "../../harness/random.ts";
import { isAnswer } from "./approval-records.ts";
import { interrupted, isGenuine, tools } from "./approved-log.ts";
import { withProof } from "./change-log.ts";
import { home, ring } from "./signers.ts";
import type { Tampering } from "./tamperings.ts";

const stores: Record<string, (place: Place, name: string) => Promise<Store>> = {
  memory: async () => memoryStore(),
  sqlite: (place) => sqliteStore({ path: join(place.outer, "tampered.db") }),
  redacting: async () => redactingStore(memoryStore()),
};

/** Recovers the changed log, denies every question, and returns what ran although it must not. */
export function tamperedAttack({ name, change, into = home, by = ring, isControl }: Tampering): Attack {
  return {
    name: `tampered: ${name}`,
    ...(isControl && { isControl }),
    async run(place) {
      const results: string[] = [];
      for (const [kind, open] of Object.entries(stores)) {
        const store = await open(place, name);
        const log = await change(await interrupted(ring));
        await store.append(into, log);
        const ran = await recovered(store, into, by);
        await store.close();
        const wrong = isControl ? refused(ran) : unasked(log, ran, by, into);
        if (wrong !== undefined) results.push(`${kind}: ${wrong}`);
      }
      return results.length > 0 ? results.join("; ") : undefined;
    },
  };
}

function refused(ran: readonly string[]): string | undefined {
  return ran.join() === "wipe a" ? undefined : `what was approved asks again; this ran: ${ran.join()}`;
}

/** An unchanged approval stays valid: that call may run, once. Nothing else may. */
function unasked(log: readonly LogEvent[], ran: readonly string[], by: KeyRing, into: Key): string | undefined {
  const isHome = by === ring && into.conversation === home.conversation && into.user === home.user;
  if (isHome && ran.join() === "wipe a" && isGenuine(log)) return undefined;
  return ran.length > 0 ? `ran without a question: ${ran.join(", ")}` : undefined;
}

async function recovered(store: Store, key: Key, by: KeyRing): Promise<string[]> {
  const ran: string[] = [];
  const agent = createAgent({
    provider: scripted(["Done.", "Done."]),
    tools: tools(ran),
    store,
    keyRing: by,
    execution: { approval: { approve: async () => false } },
  });
  await agent.recover(key).result;
  return ran;
}

/** Changes one random value of a stored approval. */
export function scrambled(index: number, random: Random): Attack {
  const salt = random.word(8);
  const turn = random.below(2 ** 31);
  return tamperedAttack({
    name: `scrambled ${index}`,
    change(log) {
      const paths = log.flatMap((event, place) => (isAnswer(event, "a") ? leaves(event.data, [place, "data"]) : []));
      const path = paths[turn % paths.length] ?? [];
      const copy = structuredClone(log);
      let target = copy as unknown as Record<string, unknown>;
      for (const step of path.slice(0, -1)) target = target[String(step)] as Record<string, unknown>;
      const last = String(path.at(-1));
      const old = String(target[last]);
      const cut = turn % (old.length + 1);
      target[last] = [
        `${old}${salt}`,
        old.slice(0, cut) + salt + old.slice(cut),
        salt,
        old.slice(0, cut),
        old.toUpperCase(),
      ][turn % 4];
      return JSON.stringify(copy) === JSON.stringify(log) ? withProof(log, undefined) : copy;
    },
  });
}

/** The paths of all values in an answer. */
function leaves(value: unknown, path: readonly (string | number)[]): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [[...path]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}
