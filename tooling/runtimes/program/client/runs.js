import { createClient } from "@cogency/client";
import { equal } from "../equal.js";
import { runAll } from "../run-all.js";

/**
 * What the client must do in any runtime, with a server whose streams end after 0.7 s.
 *
 * @param {string} url
 */
export function runsOf(url) {
  return runAll(runs, url);
}

/** @type {Record<string, (url: string) => Promise<void>>} */
const runs = {
  async "shows letters, asks a person, and ends as the log"(url) {
    const talk = createClient({ url }).conversation("letters");
    /** @type {Set<string>} */
    const open = new Set();
    const stop = talk.subscribe(() => {
      for (const part of talk.snapshot.parts) if (part.type === "text" && part.open) open.add(part.content);
    });
    await talk.send("Write milk.");
    await until(talk, () => talk.snapshot.status === "waiting");
    const question = talk.snapshot.parts.find((part) => part.type === "question");
    await talk.approve(question?.type === "question" ? question.id : "");
    await until(talk, () => talk.snapshot.status === "idle" && talk.snapshot.parts.length === 6);
    stop();
    equal(linesOf(talk), whole);
    equal(open.size > 5, true);
  },
  async "shows the same to who comes late"(url) {
    const talk = createClient({ url }).conversation("letters");
    const stop = talk.subscribe(() => {});
    await until(talk, () => talk.snapshot.status === "idle");
    stop();
    equal(linesOf(talk), whole);
  },
  async "lists conversations, and tells that one was renamed and deleted"(url) {
    const client = createClient({ url });
    const { conversations } = client;
    const titles = () => conversations.snapshot.conversations.map(({ title }) => title).join();
    const stop = conversations.subscribe(() => {});
    await until(conversations, () => titles() === "Write milk.");
    await client.conversation("letters").rename("Milk");
    await until(conversations, () => titles() === "Milk");
    await client.conversation("letters").delete();
    await until(conversations, () => titles() === "" && conversations.snapshot.status === "ready");
    stop();
  },
  async "posts what was sent without a network once it is back"(url) {
    let isAway = true;
    let tries = 0;
    /** @type {(url: string, init: RequestInit) => Promise<Response>} */
    const overNetwork = async (address, init) => {
      if (init.method === "POST") tries++;
      if (isAway) throw new TypeError("fetch failed");
      return fetch(address, init);
    };
    const talk = createClient({ url, fetch: overNetwork }).conversation("offline");
    const stop = talk.subscribe(() => {});
    const sent = talk.send("Write milk.");
    await until(talk, () => talk.snapshot.connection === "offline");
    equal(talk.snapshot.waiting[0]?.state, "sending");
    isAway = false;
    talk.reconnect();
    await sent;
    await until(talk, () => talk.snapshot.status === "waiting");
    equal(talk.snapshot.parts.filter(({ type }) => type === "user").length, 1);
    equal(tries > 1, true);
    stop();
  },
  async "says that something else answers at an address"(url) {
    const talk = createClient({ url: `${url}/elsewhere` }).conversation("c");
    const stop = talk.subscribe(() => {});
    await until(talk, () => talk.snapshot.connection === "failed");
    equal(talk.snapshot.error?.code, "not_found");
    stop();
  },
};

const whole = "Write milk. | I write it. | write success | approved | Written, as you said: é 🚀. | completed";

/** @param {import("@cogency/client").Conversation} talk */
function linesOf({ snapshot }) {
  return snapshot.parts
    .map((part) => {
      if (part.type === "call") return `${part.name} ${part.outcome}`;
      if (part.type === "question") return part.decision;
      if (part.type === "end") return part.status;
      return "content" in part ? part.content : part.type;
    })
    .join(" | ");
}

/**
 * @param {{ subscribe(listener: () => void): () => void, snapshot: object }} source
 * @param {() => boolean} isThere
 */
async function until(source, isThere) {
  let stop = () => {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  await new Promise((resolve, reject) => {
    const look = () => isThere() && resolve(undefined);
    timer = setTimeout(() => reject(new Error(`stays ${JSON.stringify(source.snapshot)}`)), 20_000);
    stop = source.subscribe(look);
    look();
  });
  clearTimeout(timer);
  stop();
}
