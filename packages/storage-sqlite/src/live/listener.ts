import { createServer, type Server, type Socket } from "node:net";
import type { Piece } from "@cogency/protocol/parts";
import type { Key } from "@cogency/storage";
import { asks, type KeyText, keyOf, leaves, onMessages, type PublisherMessage } from "./messages.ts";
import { type SocketFolder, unready } from "./socket-folder.ts";

/** Listens for the processes that publish, while this one follows. */
export interface Listener {
  asks(key: KeyText): void;
  leaves(key: KeyText): void;
  /** Whether the socket is this listener's. */
  isOwn(name: string): boolean;
  close(): void;
}

/**
 * A waiting follower keeps the process alive, as one of the log does.
 *
 * @param opened called when it has begun to listen
 */
export function createListener(
  folder: SocketFolder,
  receive: (key: Key, pieces: readonly Piece[]) => void,
  opened: () => void,
): Listener {
  const followed = new Set<KeyText>();
  const publishers = new Set<Socket>();
  let name: string | undefined;
  let server: Server | undefined;
  let looking: NodeJS.Timeout | undefined;
  /** Whether the socket can be found, so that it is lost if it is not there. */
  let isKnown = false;
  let hasFailed = false;

  function open(): void {
    try {
      name = folder.newName();
      listen(name);
    } catch {
      // Pieces of other processes are lost, until the next attempt.
    }
  }

  function listen(own: string): void {
    const { path, release } = folder.address(unready(own));
    const listening = createServer(welcome);
    server = listening;
    const fail = () => {
      release();
      if (server !== listening) return;
      end();
      // Somebody may just have removed the folder. Anything else takes longer.
      if (!hasFailed) setTimeout(openIfLost, shortPause).unref();
      hasFailed = true;
    };
    listening.on("error", fail);
    listening.on("listening", () => {
      release();
      if (server !== listening) return;
      try {
        folder.publish(own);
        [isKnown, hasFailed] = [true, false];
        opened();
      } catch {
        fail();
      }
    });
    // Not shared by the processes of a cluster.
    listening.listen({ path, exclusive: true });
  }

  function welcome(publisher: Socket): void {
    publishers.add(publisher);
    publisher.on("error", () => {});
    publisher.on("close", () => publishers.delete(publisher));
    onMessages<PublisherMessage>(publisher, ({ of, pieces }) => receive(keyOf(of), pieces));
    publisher.write(Array.from(followed, asks).join(""));
  }

  function say(message: string): void {
    for (const publisher of publishers) {
      if (publisher.writableLength > mostWaiting) publisher.destroy();
      else publisher.write(message);
    }
  }

  function openIfLost(): void {
    const isThere = name !== undefined && (!isKnown || folder.has(name));
    if (followed.size === 0 || (server && isThere)) return;
    end();
    open();
  }

  function end(): void {
    server?.close();
    for (const publisher of publishers) publisher.destroy();
    if (name) folder.remove(name);
    [server, name, isKnown] = [undefined, undefined, false];
  }

  function close(): void {
    clearInterval(looking);
    looking = undefined;
    followed.clear();
    end();
  }

  return {
    isOwn: (one) => one === name,
    asks(key) {
      followed.add(key);
      if (!looking) {
        looking = setInterval(openIfLost, longPause);
        looking.unref();
      }
      openIfLost();
      say(asks(key));
    },
    leaves(key) {
      followed.delete(key);
      if (followed.size === 0) close();
      else say(leaves(key));
    },
    close,
  };
}

/** Milliseconds after which a socket is there again that could not be made at once, or that somebody has removed. */
const shortPause = 50;
const longPause = 5_000;
/** Bytes that wait for a process that does not read. */
const mostWaiting = 1_000_000;
