import { createClient } from "@cogency/client";
import type { Shown } from "./start-reader.ts";

// `node reader-process.ts USER CONVERSATION URL…`: a page without a picture. It follows a conversation with the client, and prints every
// screen with its time. When a server is away, it asks the next one, as a balancer would have it.

const [user = "", conversation = "", ...urls] = process.argv.slice(2);
let turn = 0;
const client = createClient({
  url: "http://site",
  headers: { "x-user": user },
  async fetch(url, init) {
    const server = urls[turn % urls.length] ?? "";
    try {
      return await fetch(`${url}`.replace("http://site", server), init);
    } catch (error) {
      turn++;
      throw error;
    }
  },
});
const talk = client.conversation(conversation);
const tell = () => {
  const { parts, status, connection } = talk.snapshot;
  const shown: Shown = { at: performance.timeOrigin + performance.now(), parts, status, connection };
  process.stdout.write(`${JSON.stringify(shown)}\n`);
};
talk.subscribe(tell);
tell();
