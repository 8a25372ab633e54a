import { type Agent, type AgentOptions, createAgent } from "@cogency/agent";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { type Key, memoryStore, type Store, type StoredEvent } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { slowly } from "./model.ts";

/** Where one scene is played: a store of its own, and a clock that goes on a little each time that somebody looks at it. */
export class Stage {
  readonly store: Store = memoryStore();
  readonly key: Key & { user: string };
  readonly #keyRing = createKeyRing(["the recorded conversations are signed with this"]);
  readonly #defaults: Partial<AgentOptions>;
  #time = 1_790_000_000;

  /** @param defaults options of all its agents, unless their scene gives others */
  constructor(conversation: string, defaults: Partial<AgentOptions> = {}) {
    this.key = { conversation, user: "ada" };
    this.#defaults = defaults;
  }

  /** An agent whose model writes these answers one after another, a few letters at a time. */
  agent(answers: readonly ScriptedStep[], options: Partial<AgentOptions> = {}, capabilities = {}): Agent {
    const provider = scripted(answers.map(slowly), { chunkSize: 6, capabilities });
    return this.agentOf({ provider, ...options });
  }

  agentOf(options: AgentOptions): Agent {
    const clock = () => {
      this.#time = Math.round((this.#time + 0.05) * 100) / 100;
      return this.#time;
    };
    return createAgent({
      store: this.store,
      keyRing: this.#keyRing,
      clock,
      warn: () => {},
      ...this.#defaults,
      ...options,
    });
  }

  /** Goes on with the conversation in a run without a person at hand. */
  async recover(agent: Agent): Promise<void> {
    await agent.recover({ ...this.key, stream: "token" }).result;
  }

  /** Sends a prompt, and waits until the run ends. */
  async ask(agent: Agent, prompt: Parameters<Agent["ask"]>[0], options: Parameters<Agent["ask"]>[1] = {}) {
    return agent.ask(prompt, { ...this.key, stream: "token", ...options });
  }

  load(key: Key = this.key): Promise<StoredEvent[]> {
    return this.store.load(key);
  }

  /** Resolves with the first stored event that fits, once it is there. */
  async stored(fits: (event: StoredEvent) => boolean): Promise<StoredEvent> {
    for await (const event of this.store.follow(this.key)) if (fits(event)) return event;
    throw new Error(`The log of ${this.key.conversation} has ended without an event that was waited for.`);
  }

  /** Resolves once followers have got these words in a piece of text that is not stored. */
  async wrote(words: string): Promise<void> {
    let text = "";
    for await (const pieces of this.store.live.follow(this.key)) {
      for (const piece of pieces) if (piece.type === "text") text = text.slice(0, piece.offset) + piece.text;
      if (text.includes(words)) return;
    }
  }

  /** The id of the last question. */
  async question(): Promise<string> {
    const question = (await this.load()).findLast((event) => event.type === "record" && event.kind === "question");
    if (question?.type !== "record" || question.kind !== "question") throw new Error("Nothing was asked.");
    return question.data.id;
  }
}
