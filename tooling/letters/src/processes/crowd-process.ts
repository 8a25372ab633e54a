// `node crowd-process.ts URL USERS FOLLOWERS`: so many followers of the conversation `c` of each of `u0`, `u1`, …, in one process that does
// little else than read. Asked on stdin, it prints how late the words since the last question came, the bytes, and its own processor time.

import type { Piece } from "@cogency/protocol/parts";

const [url = "", users = "", followers = ""] = process.argv.slice(2);
const head = "event: pieces\ndata: ";
let delays: number[] = [];
let bytes = 0;
let open = 0;

for (let user = 0; user < Number(users); user++)
  for (let follower = 0; follower < Number(followers); follower++) void follow(`u${user}`);

process.stdin.on("data", () => {
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ delays, bytes, open, cpu: (user + system) / 1000 }));
  delays = [];
  bytes = 0;
});

async function follow(user: string): Promise<void> {
  const { body } = await fetch(`${url}/conversations/c/events`, { headers: { "x-user": user } });
  open++;
  let rest = "";
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const now = performance.timeOrigin + performance.now();
    bytes += piece.length;
    const frames = `${rest}${piece}`.split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      if (!frame.startsWith(head)) continue;
      for (const piece of JSON.parse(frame.slice(head.length)) as Piece[]) {
        // What is repeated from its beginning is no news.
        if (piece.type !== "text" || piece.offset === 0) continue;
        for (const [word] of piece.text.matchAll(/\w+/g)) delays.push(now - Number.parseInt(word, 36));
      }
    }
  }
}
