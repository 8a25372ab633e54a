import { sqliteStore } from "../../src/index.ts";

/**
 * Publishes or follows the conversation "c" of the store at the path of the first argument, as the second one says, and prints a line for
 * each piece that it gets. `publish` ends by itself, although nothing is closed.
 */
const [path = "", what] = process.argv.slice(2);
const store = await sqliteStore({ path });
const key = { conversation: "c" };
if (what === "follow") {
  const follower = store.live.follow(key)[Symbol.asyncIterator]();
  void follower.next().then(() => follower.next());
  process.stdout.write("following\n");
} else {
  const publisher = store.live.publisher(key, () => []);
  publisher.publish([{ type: "text", run: "r", seq: 0, unit: 1, offset: 0, text: "x" }]);
}
