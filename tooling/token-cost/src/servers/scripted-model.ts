import type { Usage } from "@cogency/protocol";
import type { ModelReply } from "@cogency/provider/testkit";
import type { Cache, Reading } from "../caches/cache.ts";
import { type Form, replyOf } from "../conversation/reply.ts";
import type { Script } from "../conversation/script.ts";
import type { Asked } from "./asked.ts";

/** What one request was to the server. */
export interface Exchange extends Reading {
  readonly bytes: number;
  readonly sent: number;
  readonly asked: Asked;
}

/** What the model says to the request of this index, which begins at 0; undefined if it has no more to say. */
export type Replies = (index: number, usage: Usage) => ModelReply | undefined;

/** The model behind a server: answers one request after another, and keeps what each of them was. */
export class ScriptedModel {
  readonly exchanges: Exchange[] = [];
  readonly #cache: Cache;
  readonly #replies: Replies;

  constructor(cache: Cache, replies: Replies) {
    this.#cache = cache;
    this.#replies = replies;
  }

  /** @throws Error if it has no reply to this request */
  answer(asked: Asked): ModelReply {
    const reading = this.#cache.read(asked.sections);
    const reply = this.#replies(this.exchanges.length, usageOf(reading));
    if (!reply) throw new Error(`Request ${this.exchanges.length + 1} is one more than the model has replies to.`);
    this.exchanges.push({ ...reading, bytes: asked.bytes, sent: asked.sent, asked });
    return reply;
  }
}

/** The replies of a script in a form. */
export function repliesOf({ steps }: Script, form: Form): Replies {
  return (index, usage) => steps[index] && replyOf(steps[index], form, usage, `call_${index}`);
}

/** As the adapters have it: what is neither read from the cache nor written to it is `input`. Output is not measured here. */
function usageOf({ input, cached, written }: Reading): Usage {
  return { input: input - cached - written, output: 0, cacheRead: cached, cacheWrite: written, reasoning: 0 };
}
