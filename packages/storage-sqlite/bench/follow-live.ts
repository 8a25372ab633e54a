import { sqliteStore } from "../src/index.ts";

/** Follows so many conversations of a store, and tells how late its frames were and what CPU time it has used. */
const [path = "", count = ""] = process.argv.slice(2);
const store = await sqliteStore({ path });
let delays: number[] = [];

for (let index = 0; index < Number(count); index++) void follow(`followed ${index}`);
process.on("message", (question) => {
  const { user, system } = process.cpuUsage();
  if (question === "begin") delays = [];
  process.send?.({ cpu: user + system, delays: delays.toSorted((one, other) => one - other) });
});
process.send?.("ready");

async function follow(conversation: string): Promise<void> {
  for await (const pieces of store.live.follow({ conversation })) {
    const now = Date.now();
    for (const piece of pieces) {
      if (piece.type === "text") for (const [time] of piece.text.matchAll(/\d{13}/g)) delays.push(now - Number(time));
    }
  }
}
