import type { Agent, Capability, History, Run, RunPrompt } from "@cogency/agent";
import type { RunEvent } from "@cogency/protocol";
import { redactingStore, type Store } from "@cogency/storage";
import type { Root } from "@cogency/toolbox";
import type { KeyRing, Tool } from "@cogency/tools";
import { type ApprovalOptions, createApproval } from "../approval/approval.ts";
import type { Asker } from "../approval/asker.ts";
import { type ChosenModel, chooseModel, type ModelChoice } from "../setup/choose-model.ts";
import { installationKeys, processKeys } from "../setup/installation-keys.ts";
import { type AgentChoice, openAgent } from "../setup/open-agent.ts";
import { openStore } from "../setup/store/open-store.ts";

/** What a chat is begun with; the model, the driver, the approval and the limits may change in the middle. */
export interface SessionChoice extends ModelChoice, AgentChoice, ApprovalOptions {
  store: string;
  ephemeral?: true;
  redact?: true;
}

/** What a turn needs, made when it is first used. */
export interface Opened {
  agent: Agent;
  root: Root;
  tools: readonly Tool[];
  model: ChosenModel;
  store: Store;
}

/** The agent of a chat, and the store of its conversations. */
export class Session {
  conversation: string;
  choice: SessionChoice;
  readonly #asker: Asker;
  readonly #capability: Capability;
  #keyRing: Promise<KeyRing> | undefined;
  #store: Promise<Store> | undefined;
  #opened: Promise<Opened> | undefined;
  #history: History | undefined;

  constructor(choice: SessionChoice, conversation: string, asker: Asker, capability: Capability) {
    this.choice = choice;
    this.conversation = conversation;
    this.#asker = asker;
    this.#capability = capability;
  }

  /** The store, or `:memory:`. */
  get place(): string {
    return this.choice.ephemeral ? ":memory:" : this.choice.store;
  }

  /** @throws StoreError */
  store(): Promise<Store> {
    this.#store ??= openStore(this.place).then((store) => (this.choice.redact ? redactingStore(store) : store));
    this.#store.catch(() => {
      this.#store = undefined;
    });
    return this.#store;
  }

  /** @throws UsageError, StoreError */
  open(): Promise<Opened> {
    this.#opened ??= this.#open();
    this.#opened.catch(() => {
      this.#opened = undefined;
    });
    return this.#opened;
  }

  async #open(): Promise<Opened> {
    const { choice, place } = this;
    const model = await chooseModel(choice);
    this.#keyRing ??= place === ":memory:" ? Promise.resolve(processKeys()) : installationKeys();
    const parts = { ...model, place, keyRing: await this.#keyRing, store: await this.store(), history: this.#history };
    const { agent, root, tools } = await openAgent(choice, parts, (surroundings) =>
      createApproval(choice, surroundings, this.#asker),
    );
    return { agent: agent.use(this.#capability), root, tools, model, store: parts.store };
  }

  /**
   * Changes what the next turn works with. The one before stays if the new one cannot be used.
   *
   * @throws UsageError
   */
  async change(change: Partial<SessionChoice>): Promise<Opened> {
    const before = { choice: this.choice, opened: this.#opened };
    this.choice = { ...this.choice, ...change };
    this.#opened = undefined;
    try {
      return await this.open();
    } catch (error) {
      this.choice = before.choice;
      this.#opened = before.opened;
      throw error;
    }
  }

  /** Sums up the earlier part of the conversation before the next request; undefined ends that. */
  async sumUp(history: History | undefined): Promise<void> {
    this.#history = history;
    this.#opened = undefined;
    await this.open();
  }

  /** A turn: with a prompt, or where the last one broke off. */
  async run(
    prompt: RunPrompt | undefined,
    signal: AbortSignal,
    untrusted?: string,
    privateFrom?: string,
  ): Promise<Run<RunEvent>> {
    const { agent } = await this.open();
    const { conversation } = this;
    if (prompt === undefined) return agent.recover({ conversation, signal, stream: "token", events: "all" });
    const content = { untrusted, private: privateFrom };
    return agent.run(prompt, { conversation, signal, ...content, stream: "token", events: "all" });
  }

  async close(): Promise<void> {
    await (await this.#store?.catch(() => undefined))?.close();
  }
}
