import { describe } from "vitest";
import { type InboxMessage, MessageConflictError } from "../src/index.ts";
import { type Defect, notice } from "./support/notice.ts";

const defects: Defect[] = [
  [
    "stores a message again that was taken",
    /message that was taken changes nothing/,
    (store) => {
      const taken = new Set<string>();
      return {
        async append(key, events, options = {}) {
          const last = await store.append(key, events, options);
          for (const id of options.takes ?? []) taken.add(id);
          return last;
        },
        post: (key, message, { id, ...options }) =>
          store.post(key, message, { id: taken.has(id) ? `${id} again` : id, ...options }),
      };
    },
  ],
  [
    "stores a message with each post",
    /once per id, however often/,
    (store) => {
      let posts = 0;
      return { post: (key, message, options) => store.post(key, message, { ...options, id: `${++posts}` }) };
    },
  ],
  [
    "ignores another message under the id of one",
    /under the id of another is refused/,
    (store) => ({ post: (key, message, options) => store.post(key, message, options).catch(unlessConflict) }),
  ],
  [
    "takes the time for a part of the message",
    /once per id, however often/,
    (store) => ({
      post: (key, message, options) =>
        store.post(key, message, {
          ...options,
          id: options.at === undefined ? options.id : `${options.id} ${options.at}`,
        }),
    }),
  ],
  [
    "never takes a message",
    /append takes the messages/,
    (store) => ({ append: (key, events, { takes: _, ...options } = {}) => store.append(key, events, options) }),
  ],
  [
    "stores the events before it looks for the messages",
    /takes a message which is not in the inbox/,
    (store) => ({
      append: (key, events, { takes, ...options } = {}) =>
        store.append(key, events, { takes: takes ?? [], ...options }).catch(async (error: unknown) => {
          if (isMessageConflict(error)) await store.append(key, events, options);
          throw error;
        }),
    }),
  ],
  [
    "takes the messages before it looks whether the events can be stored",
    /append that is refused takes nothing/,
    (store) => {
      const taken = new Set<string>();
      return {
        append: (key, events, options) =>
          store.append(key, events, options).catch((error: unknown) => {
            for (const id of options?.takes ?? []) taken.add(id);
            throw error;
          }),
        inbox: async (key) => (await store.inbox(key)).filter(({ id }) => !taken.has(id)),
      };
    },
  ],
  [
    "lets several appends take a message",
    /one of many appends takes a message/,
    (store) => ({
      append: (key, events, { takes, ...options } = {}) =>
        store.append(key, events, { takes: takes ?? [], ...options }).catch((error: unknown) => {
          if (isMessageConflict(error)) return store.append(key, events, options);
          throw error;
        }),
    }),
  ],
  [
    "takes a message that is named twice",
    /or one twice/,
    (store) => ({
      append: (key, events, options = {}) =>
        store.append(key, events, { ...options, takes: [...new Set(options.takes)] }),
    }),
  ],
  [
    "ignores what an append without events takes",
    /takes messages without events/,
    (store) => ({
      append: (key, events, options = {}) =>
        store.append(key, events, events.length > 0 ? options : { ...options, takes: [] }),
    }),
  ],
  [
    "refuses a repeated batch because its messages are gone",
    /whatever it takes/,
    (store) => ({
      async append(key, events, options = {}) {
        const waiting = (await store.inbox(key)).map(({ id }) => id);
        for (const id of options.takes ?? []) if (!waiting.includes(id)) throw new MessageConflictError(id, "absent");
        return store.append(key, events, options);
      },
    }),
  ],
  [
    "orders messages by their ids",
    /in order and with the times/,
    (store) => ({ inbox: async (key) => (await store.inbox(key)).sort((one, other) => (one.id < other.id ? -1 : 1)) }),
  ],
  [
    "orders messages by the times at which they came due",
    /in the order of the posts/,
    (store) => ({ inbox: async (key) => (await store.inbox(key)).sort((one, other) => one.at - other.at) }),
  ],
  [
    "ignores the time of a message",
    /not in the inbox before its time/,
    (store) => ({ post: (key, message, { id, scope }) => store.post(key, message, { id, scope }) }),
  ],
  [
    "shows the messages of other users",
    /messages are separate for every user/,
    (store) => ({
      post: ({ conversation }, message, options) => store.post({ conversation }, message, options),
      inbox: ({ conversation }) => store.inbox({ conversation }),
    }),
  ],
  [
    "does not tell ids apart",
    /tell the ids of messages apart/,
    (store) => ({
      post: (key, message, options) => store.post(key, message, { ...options, id: options.id.toWellFormed() }),
    }),
  ],
  [
    "reads a message later than it was posted",
    /as it is at the time of the call/,
    (store) => ({
      async post(...args) {
        await undefined;
        return store.post(...args);
      },
    }),
  ],
  [
    "drops what JSON cannot hold",
    /refuses what JSON cannot hold/,
    (store) => ({
      post: async (key, message, options) =>
        store.post(key, JSON.parse(JSON.stringify(message)) as InboxMessage, options),
    }),
  ],
  [
    "keeps the messages of a deleted conversation",
    /delete removes the messages/,
    (store) => ({
      async delete(key) {
        const inbox = await store.inbox(key);
        const existed = await store.delete(key);
        for (const { id, message } of inbox) await store.post(key, message, { id });
        return existed;
      },
    }),
  ],
  [
    "lets only the holder of the lease post",
    /post writes no event.*needs no lease/,
    (store) => ({
      async post(key, message, options) {
        await (await store.lease(key, { owner: "who posts", ttl: 1_000 })).release();
        return store.post(key, message, options);
      },
    }),
  ],
];

describe("the kit notices a store that", () => notice(defects));

function isMessageConflict(error: unknown): boolean {
  return (error as Error).name === "MessageConflictError";
}

function unlessConflict(error: unknown): void {
  if (!isMessageConflict(error)) throw error;
}
