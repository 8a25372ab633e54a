import type { Piece } from "@cogency/protocol/parts";
import { type LiveHub, type LiveLink, liveHub } from "../../src/adapter/live-hub.ts";
import type { Key } from "../../src/key.ts";

/** The hubs of two processes, and what is on its way between them. */
export interface LinkedHubs {
  hubs: [LiveHub, LiveHub];
  link: {
    /** Delivers the first so many messages. */
    deliver(count: number): void;
    /** Loses a message that carries pieces, if there is one at this place. */
    lose(index: number): void;
  };
}

/** Two hubs with a link that delivers only when it is told to, and loses pieces when it is told to. */
export function linkedHubs(): LinkedHubs {
  const queue: { isPieces: boolean; arrive(): void }[] = [];
  const isFollowedBy = [false, false];
  const hubs = [0, 1].map((own) => liveHub(linkOf(own))) as [LiveHub, LiveHub];
  return {
    hubs,
    link: {
      deliver(count) {
        for (const message of queue.splice(0, count)) message.arrive();
      },
      lose(index) {
        if (queue[index]?.isPieces) queue.splice(index, 1);
      },
    },
  };

  function linkOf(own: number): LiveLink {
    const other = 1 - own;
    const send = (key: Key, pieces: readonly Piece[]) => {
      const text = JSON.stringify(pieces);
      queue.push({ isPieces: true, arrive: () => hubs[other]?.receive(key, JSON.parse(text) as Piece[]) });
    };
    const tell = (arrive: () => void) => queue.push({ isPieces: false, arrive });
    return {
      asks: (key) =>
        tell(() => {
          isFollowedBy[own] = true;
          const whole = hubs[other]?.whole(key) ?? [];
          const text = JSON.stringify(whole);
          if (whole.length > 0) {
            queue.push({ isPieces: true, arrive: () => hubs[own]?.receive(key, JSON.parse(text) as Piece[]) });
          }
        }),
      leaves: () =>
        tell(() => {
          isFollowedBy[own] = false;
        }),
      publishes() {},
      isFollowed: () => isFollowedBy[other] ?? false,
      send,
    };
  }
}
