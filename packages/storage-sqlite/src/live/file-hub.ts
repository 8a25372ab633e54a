import type { LiveHub } from "@cogency/storage/adapter";
import { liveHub } from "@cogency/storage/adapter";
import { createCallers } from "./callers.ts";
import { createListener } from "./listener.ts";
import { keyText } from "./messages.ts";
import { socketFolder } from "./socket-folder.ts";

/**
 * Returns the hub of a store whose database is a file. Pieces pass between processes of the same user over Unix sockets in a folder
 * beside the file: a process that follows listens at one, and those that publish connect to it. Nothing of a piece is ever written to the
 * disk, nobody polls for pieces, and the end of a process ends its connections. What fails loses pieces, and nothing else.
 */
export function fileHub(database: string): LiveHub {
  const folder = socketFolder(database);
  const callers = createCallers(
    folder,
    (name) => listener.isOwn(name),
    (key) => hub.whole(key),
  );
  const listener = createListener(folder, (key, pieces) => hub.receive(key, pieces), callers.sweep);
  const hub = liveHub({
    asks: (key) => listener.asks(keyText(key)),
    leaves: (key) => listener.leaves(keyText(key)),
    publishes: (key, isPublishing) => callers.publishes(keyText(key), isPublishing),
    isFollowed: (key) => callers.isFollowed(keyText(key)),
    send: (key, pieces) => callers.send(keyText(key), pieces),
  });
  return {
    ...hub,
    close() {
      hub.close();
      listener.close();
      callers.close();
    },
  };
}
