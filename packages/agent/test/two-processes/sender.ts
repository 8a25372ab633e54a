import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { converse } from "./converse.ts";
import { conversationOf, type Sending, type Talk } from "./plan.ts";
import { openShop } from "./shop.ts";

// Arguments: the folder, the address of the store, where it is killed. Holds several conversations at a time, goes on with those
// that an earlier sender began, and ends when it has finished them and `enough` exists.
const lanes = 3;
const { store, agent, file, linesOf } = await openShop(process.argv.slice(2));
const talks: readonly Talk[] = JSON.parse(readFileSync(file("talks"), "utf8"));
const finished = new Set(linesOf("finished"));
const journal = linesOf("journal").map((line): Sending => JSON.parse(line));
// Whether the last message of each lane was posted is unknown. Those before it were: posting them again changes nothing.
for (const { conversation, id, message } of journal.slice(-2 * lanes))
  await agent.send({ conversation }, message, { id });
await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)));
await store.close();
process.exit();

async function work(lane: number): Promise<void> {
  for (let index = lane; index < talks.length; index += lanes) {
    const conversation = conversationOf(index);
    if (finished.has(conversation)) continue;
    const sent = journal.filter((sending) => sending.conversation === conversation);
    if (sent.length === 0 && existsSync(file("enough"))) return;
    await converse({ store, conversation, talk: talks[index] ?? [], sent: new Set(sent.map(({ id }) => id)), post });
    appendFileSync(file("finished"), `${conversation}\n`);
  }
  throw new Error("There is no further conversation to hold.");
}

async function post(sending: Sending): Promise<void> {
  appendFileSync(file("journal"), `${JSON.stringify(sending)}\n`);
  const { conversation, id, message } = sending;
  await agent.send({ conversation }, message, { id });
}
