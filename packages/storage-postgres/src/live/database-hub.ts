import { randomBytes } from "node:crypto";
import type { Key } from "@cogency/storage";
import { type LiveHub, liveHub } from "@cogency/storage/adapter";
import type { Pool } from "../database/connect.ts";
import type { Listener } from "../follow/listener.ts";
import { notifier } from "../follow/notifier.ts";
import { keyNames } from "../rows/names.ts";
import { createFollowing } from "./following.ts";
import { createPublishing } from "./publishing.ts";
import { type Seal, sealsOf } from "./seals.ts";

export interface DatabaseHub extends Pick<LiveHub, "live"> {
  /** Ends all followers, and resolves when others have heard of it, at the latest after a second. */
  close(): Promise<void>;
}

/**
 * Returns the hub of a store. Pieces pass between stores by NOTIFY, at most thirty statements a second. What fails loses pieces, and
 * nothing else.
 *
 * @param secret see `Seal`
 */
export function databaseHub(pool: Pool, listener: Listener, secret: Buffer): DatabaseHub {
  const own = randomBytes(12).toString("base64url");
  const sealOf = sealsOf(secret);
  const joins = sealOf("joins");
  const changed = () => outgoing.notify();
  const following = createFollowing({
    ...{ listener, own, joins, changed },
    receive: (key, pieces) => hub.receive(key, pieces),
  });
  const publishing = createPublishing({ listener, own, joins, changed, whole: (key) => hub.whole(key) });
  const outgoing = notifier(pool, {
    pause,
    take: () => [...following.take(), ...publishing.take()],
    failed() {
      following.failed();
      publishing.failed();
    },
  });
  const hub = liveHub({
    asks: (key) => following.asks(key, sealOfKey(key)),
    leaves: (key) => following.leaves(sealOfKey(key)),
    publishes: (key, isPublishing) =>
      isPublishing ? publishing.publishes(key, sealOfKey(key)) : publishing.ends(sealOfKey(key)),
    isFollowed: (key) => publishing.isFollowed(sealOfKey(key)),
    send: (key, pieces) => publishing.send(sealOfKey(key), pieces),
  });
  /** The hub gives the same object for a conversation as long as somebody follows or publishes it. */
  const seals = new WeakMap<Key, Seal>();

  return {
    live: hub.live,
    async close() {
      hub.close();
      publishing.close();
      following.close();
      await outgoing.close();
    },
  };

  function sealOfKey(key: Key): Seal {
    const seal = seals.get(key) ?? sealOf(`conversation ${keyNames(key).key.toString("hex")}`);
    seals.set(key, seal);
    return seal;
  }
}

/** Milliseconds between two statements. */
const pause = 33;
