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

/** The model behind a server: answers the requests one after another by the script, and keeps what each of them was. */
export class ScriptedModel {
  readonly exchanges: Exchange[] = [];
  readonly #script: Script;
  readonly #form: Form;
  readonly #cache: Cache;

  constructor(script: Script, form: Form, cache: Cache) {
    this.#script = script;
    this.#form = form;
    this.#cache = cache;
  }

  /** @throws Error if the script has no answer to this request */
  answer(asked: Asked): ModelReply {
    const step = this.#script.steps[this.exchanges.length];
    if (!step) throw new Error(`Request ${this.exchanges.length + 1} is one more than the script has.`);
    const reading = this.#cache.read(asked.sections);
    this.exchanges.push({ ...reading, bytes: asked.bytes, sent: asked.sent, asked });
    return replyOf(step, this.#form, usageOf(reading), `call_${this.exchanges.length}`);
  }
}

/** As the adapters have it: what is neither read from the cache nor written to it is `input`. Output is not measured here. */
function usageOf({ input, cached, written }: Reading): Usage {
  return { input: input - cached - written, output: 0, cacheRead: cached, cacheWrite: written, reasoning: 0 };
}
