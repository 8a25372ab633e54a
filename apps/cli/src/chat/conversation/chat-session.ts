import type { Capability, LimitReached, Run } from "@cogency/agent";
import type { RunEvent } from "@cogency/protocol";
import type { ThinkingLevel } from "@cogency/provider";
import { redactingStore, type Store } from "@cogency/storage";
import type { Jobs } from "@cogency/toolbox/shell";
import type { KeyRing } from "@cogency/tools";
import { type ApprovalOptions, createApproval } from "../../person/approval/approval.ts";
import type { Options } from "../../place/config/option-table.ts";
import { installationKeys, processKeys } from "../../place/installation-keys.ts";
import { type Mode, modeOf, withMode } from "../../place/rules/mode.ts";
import { sessionRules } from "../../place/rules/session-rules.ts";
import type { TurnRules } from "../../place/rules/turn-rules.ts";
import { openStore } from "../../place/store/open-store.ts";
import { checkMode } from "../../work/check-mode.ts";
import { type ChosenModel, chooseModel, type ModelChoice } from "../../work/choose-model.ts";
import { turnOfLog } from "../../work/commands/turn-of-log.ts";
import type { Servers } from "../../work/mcp/servers.ts";
import { type AgentChoice, type OpenAgent, openAgent } from "../../work/open-agent.ts";
import { thinkingHook } from "../../work/thinking.ts";
import { CheckIn, type CheckInOptions } from "./check-in.ts";
import type { Prompt } from "./next-prompt.ts";
import type { Person } from "./person.ts";

/** What a chat is begun with; the model, the driver, the approval and the limits may change in the middle. */
export interface SessionChoice
  extends ModelChoice,
    AgentChoice,
    ApprovalOptions,
    CheckInOptions,
    Required<Options<"store">>,
    Options<"ephemeral" | "redact" | "terminalClipboard"> {}

/** Changes of the choice; an option that is undefined is left out from then on. */
export type SessionChange = { [Option in keyof SessionChoice]?: SessionChoice[Option] | undefined };

/** What a turn needs, made when it is first used. */
export interface Opened extends OpenAgent {
  model: ChosenModel;
  store: Store;
}

/** The agent of a chat, and the store of its conversations. */
export class ChatSession {
  conversation: string;
  choice: SessionChoice;
  /** The commands in the background, which go on when the choice changes. */
  readonly jobs: Jobs;
  /** What the person has allowed in this conversation. They count until it is left. */
  readonly rules = sessionRules();
  /** Called with the servers once they are known. What it returns ends that. */
  onServers: ((servers: Servers) => () => void) | undefined;
  #servers: Servers | undefined;
  #stopNews = () => {};
  readonly #person: Person;
  readonly #capability: Capability;
  readonly #choose: typeof chooseModel;
  #keyRing: Promise<KeyRing> | undefined;
  #store: Promise<Store> | undefined;
  #opened: Promise<Opened> | undefined;
  /** Of each agent that was made. One that was replaced may still work in the background. */
  readonly #closing: (() => Promise<void>)[] = [];
  /** The same for what their memory still learns. */
  readonly #leaving: (() => Promise<void>)[] = [];
  #checkIn: CheckIn | undefined;
  #turnRules: TurnRules = noTurnRules;
  /** The conversation whose last turn changed nothing. Such a turn goes on as it was. */
  #readOnly: { readonly conversation: string; readonly rules: TurnRules } | undefined;

  /** @param choose makes the model that the choice names */
  constructor(
    choice: SessionChoice,
    conversation: string,
    person: Person,
    capability: Capability,
    jobs: Jobs,
    choose: typeof chooseModel = chooseModel,
  ) {
    this.jobs = jobs;
    this.choice = choice;
    this.conversation = conversation;
    this.#person = person;
    this.#capability = capability;
    this.#choose = choose;
  }

  /** Where the store is; `:memory:` keeps nothing. */
  get place(): string {
    return this.choice.ephemeral ? ":memory:" : this.choice.store;
  }

  /** @throws StoreError; the next call tries again */
  store(): Promise<Store> {
    if (this.#store) return this.#store;
    const store = openStore(this.place).then((opened) => (this.choice.redact ? redactingStore(opened) : opened));
    this.#store = store;
    store.catch(() => {
      if (this.#store === store) this.#store = undefined;
    });
    return store;
  }

  /** @throws UsageError, StoreError; the next call tries again */
  open(): Promise<Opened> {
    if (this.#opened) return this.#opened;
    const opened = this.#open();
    this.#opened = opened;
    opened.catch(() => {
      if (this.#opened === opened) this.#opened = undefined;
    });
    return opened;
  }

  async #open(): Promise<Opened> {
    const { choice, place } = this;
    const model = await this.#choose(choice);
    this.#keyRing ??= place === ":memory:" ? Promise.resolve(processKeys()) : installationKeys();
    const { jobs } = this;
    const modes = { mode: () => modeOf(this.choice), setMode: (mode: Mode) => this.setMode(mode) };
    const kept = { place, keyRing: await this.#keyRing, store: await this.store(), jobs, modes };
    const parts = { ...model, ...kept };
    const { agent, ...opened } = await openAgent(choice, parts, (surroundings, rules, asked) =>
      createApproval(choice, surroundings, this.#person, rules, {
        mode: () => this.choice,
        turn: () => this.#turnRules,
        session: this.rules,
        asked,
      }),
    );
    this.#closing.push(opened.close);
    this.#leaving.push(() => opened.memory.leave());
    this.#follow(opened.mcp.servers);
    const thinking = { name: "thinking", hooks: [thinkingHook(choice.think, () => this.choice.think)] };
    return { ...opened, agent: agent.use(this.#capability).use(thinking), model, store: parts.store };
  }

  /** Servers begin to connect before the first prompt, so that their prompts and resources can be typed. */
  #follow(servers: Servers | undefined): void {
    if (servers === this.#servers) return;
    this.#servers = servers;
    this.#stopNews();
    this.#stopNews = (servers && this.onServers?.(servers)) ?? (() => {});
    void servers?.mcp?.connect();
  }

  /**
   * Changes what the next turn works with. The choice stays as it was if the new one cannot be used.
   *
   * @throws UsageError
   */
  async change(change: SessionChange): Promise<Opened> {
    const before = { choice: this.choice, opened: this.#opened };
    const changed = Object.entries({ ...this.choice, ...change }).filter(([, value]) => value !== undefined);
    this.choice = Object.fromEntries(changed) as unknown as SessionChoice;
    this.#opened = undefined;
    try {
      return await this.open();
    } catch (error) {
      const [mode, modeBefore] = [modeOf(this.choice), modeOf(before.choice)];
      this.choice = mode === modeBefore ? before.choice : withMode(before.choice, mode);
      this.#opened = before.opened;
      throw error;
    }
  }

  /**
   * Changes which calls run without a question, from now on, also in the turn that goes on. The model gets or loses its tools with the
   * next turn.
   *
   * @throws UsageError for a mode that cannot be used here
   */
  async setMode(mode: Mode): Promise<void> {
    const choice = withMode(this.choice, mode);
    await checkMode(choice);
    const isOfTools = [mode, modeOf(this.choice)].includes("read-only");
    this.choice = withMode(this.choice, mode);
    if (isOfTools) this.#opened = undefined;
  }

  /** Changes how much the model thinks, from its next request on; undefined for what it does by itself, from the next turn on. */
  setThinking(think: ThinkingLevel | undefined): void {
    const { think: _, ...rest } = this.choice;
    this.choice = { ...rest, ...(think !== undefined && { think }) };
    this.#opened = undefined;
  }

  /** A turn: with a prompt, or where the last one broke off. */
  async run(prompt: Prompt | undefined, signal: AbortSignal): Promise<Run<RunEvent>> {
    const { agent, commands } = await this.open();
    const { conversation } = this;
    const answer: Person["answer"] = (request) => this.#person.answer(request);
    const checkIn = new CheckIn(this.choice, (question) => this.#person.answer(question));
    this.#checkIn = checkIn;
    const { budget } = checkIn;
    const atLimit = (reached: LimitReached) => checkIn.atLimit(reached);
    const options = { conversation, signal, answer, budget, atLimit, stream: "token", events: "all" } as const;
    if (prompt === undefined) {
      if (this.#readOnly?.conversation === conversation) this.#turnRules = this.#readOnly.rules;
      else {
        const log = await (await this.store()).load({ conversation }, { types: ["user", "record"] });
        this.#turnRules = (await turnOfLog(log, commands)) ?? noTurnRules;
      }
      return agent.recover(options);
    }
    const { content, untrusted, privateFrom, turn = noTurnRules } = prompt;
    this.#turnRules = turn;
    this.#readOnly = turn.readOnlyBut && { conversation, rules: { ...turn, allow: [] } };
    return agent.run(content, { ...options, untrusted, private: privateFrom });
  }

  /** The person has said something that the turn which goes on will read. */
  heard(): void {
    this.#checkIn?.heard();
  }

  /** What counted for the calls of a turn counts no more. */
  turnEnded(): void {
    this.#turnRules = noTurnRules;
  }

  async close(): Promise<void> {
    this.#stopNews();
    await this.#opened?.catch(() => undefined);
    await Promise.all(this.#leaving.map((leave) => leave()));
    const closed = Promise.all(this.#closing.map((close) => close()));
    await (await this.#store?.catch(() => undefined))?.close();
    await closed;
  }
}

const noTurnRules: TurnRules = { allow: [] };
