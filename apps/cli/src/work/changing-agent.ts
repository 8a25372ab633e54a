import type { Capability } from "@cogency/agent";
import type { ThinkingLevel } from "@cogency/provider";
import { redactingStore, type Store } from "@cogency/storage";
import type { Jobs } from "@cogency/toolbox/shell";
import type { KeyRing } from "@cogency/tools";
import { type ApprovalOptions, createApproval } from "../person/approval/approval.ts";
import type { Asker } from "../person/approval/asker.ts";
import { type StandingRules, standingRules } from "../person/approval/standing-rules.ts";
import type { Options } from "../place/config/option-table.ts";
import { installationKeys, processKeys } from "../place/installation-keys.ts";
import { type Mode, modeOf, withMode } from "../place/rules/mode.ts";
import { sessionRules } from "../place/rules/session-rules.ts";
import type { TurnRules } from "../place/rules/turn-rules.ts";
import { openStore } from "../place/store/open-store.ts";
import { checkMode } from "./check-mode.ts";
import { type ChosenModel, chooseModel, type ModelChoice } from "./choose-model.ts";
import type { Servers } from "./mcp/servers.ts";
import { type AgentChoice, type AgentParts, type OpenAgent, openAgent } from "./open-agent.ts";
import { thinkingHook } from "./thinking.ts";

/** What an agent is made with whose model, driver, approval and limits may change in the middle of a conversation. */
export interface ChangingChoice
  extends ModelChoice,
    AgentChoice,
    ApprovalOptions,
    Required<Options<"store">>,
    Options<"redact"> {}

/** What a turn needs, made when it is first used. */
export interface Opened extends OpenAgent {
  model: ChosenModel;
  store: Store;
  /** The rules that count, and those that may be kept instead of a yes. */
  standing(): StandingRules;
}

/** What an agent works with that stays when its choice changes. */
export interface ChangingParts extends Pick<AgentParts, "jobs" | "servers" | "editor"> {
  /** Stays open when the agent is closed. Without it, that of the place is opened, and closed with the agent. */
  store?: Store | undefined;
  /** Who is asked about calls. Without it, questions wait or are denied, as the options say. */
  asker?: Asker | undefined;
  capability?: Capability | undefined;
  /** Makes the model that the choice names. */
  choose?: typeof chooseModel | undefined;
}

/** An agent that is made anew when what it was chosen with changes, while its store, its commands in the background and its rules stay. */
export class ChangingAgent<Choice extends ChangingChoice> {
  choice: Choice;
  /** The commands in the background, which go on when the choice changes. */
  readonly jobs: Jobs;
  /** What the person has allowed in this conversation. They count until it is left. */
  readonly rules = sessionRules();
  /** Called with the servers once they are known. What it returns ends that. */
  onServers: ((servers: Servers) => () => void) | undefined;
  /** Called when the mode, or another part of the choice, was changed. */
  onChange: () => void = () => {};
  /** What counts until the turn ends. */
  turnRules: TurnRules = noTurnRules;
  readonly #parts: ChangingParts;
  #servers: Servers | undefined;
  #stopNews = () => {};
  #keyRing: Promise<KeyRing> | undefined;
  #store: Promise<Store> | undefined;
  #opened: Promise<Opened> | undefined;
  /** Of each agent that was made. One that was replaced may still work in the background. */
  readonly #closing: (() => Promise<void>)[] = [];
  /** The same for what their memory still learns. */
  readonly #leaving: (() => Promise<void>)[] = [];

  constructor(choice: Choice, parts: ChangingParts) {
    this.choice = choice;
    this.jobs = parts.jobs;
    this.#parts = parts;
  }

  /** Where the store is; `:memory:` keeps nothing. */
  get place(): string {
    return this.choice.store;
  }

  /** @throws StoreError; the next call tries again */
  store(): Promise<Store> {
    if (this.#store) return this.#store;
    const given = this.#parts.store ?? openStore(this.place);
    const store = Promise.resolve(given).then((opened) => (this.choice.redact ? redactingStore(opened) : opened));
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
    const { choose = chooseModel, asker, capability, jobs, servers, editor } = this.#parts;
    const model = await choose(choice);
    this.#keyRing ??= place === ":memory:" ? Promise.resolve(processKeys()) : installationKeys();
    const modes = { mode: () => modeOf(this.choice), setMode: (mode: Mode) => this.setMode(mode) };
    const kept = { place, keyRing: await this.#keyRing, store: await this.store(), jobs, modes, servers, editor };
    const { agent, ...opened } = await openAgent(choice, { ...model, ...kept }, (surroundings, rules, asked) => {
      const now = { mode: () => this.choice, turn: () => this.turnRules, session: this.rules, asked };
      return createApproval(choice, surroundings, asker, rules, now);
    });
    this.#closing.push(opened.close);
    this.#leaving.push(() => opened.memory.leave());
    this.#follow(opened.mcp.servers);
    const thinking = { name: "thinking", hooks: [thinkingHook(choice.think, () => this.choice.think)] };
    const whole = (capability ? agent.use(capability) : agent).use(thinking);
    const standing = () => standingRules(choice.allow ?? [], opened.surroundings, opened.kept, this.rules);
    return { ...opened, agent: whole, model, store: kept.store, standing };
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
  async change(change: { [Option in keyof Choice]?: Choice[Option] | undefined }): Promise<Opened> {
    const before = { choice: this.choice, opened: this.#opened };
    const changed = Object.entries({ ...this.choice, ...change }).filter(([, value]) => value !== undefined);
    this.choice = Object.fromEntries(changed) as unknown as Choice;
    this.#opened = undefined;
    try {
      const opened = await this.open();
      this.onChange();
      return opened;
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
    this.onChange();
  }

  /** Changes how much the model thinks, from its next request on; undefined for what it does by itself, from the next turn on. */
  setThinking(think: ThinkingLevel | undefined): void {
    const { think: _, ...rest } = this.choice;
    this.choice = { ...rest, ...(think !== undefined && { think }) } as Choice;
    this.#opened = undefined;
    this.onChange();
  }

  /** What counted for the calls of a turn counts no more. */
  turnEnded(): void {
    this.turnRules = noTurnRules;
  }

  async close(): Promise<void> {
    this.#stopNews();
    await this.#opened?.catch(() => undefined);
    await Promise.all(this.#leaving.map((leave) => leave()));
    const closed = Promise.all(this.#closing.map((close) => close()));
    if (this.#parts.store === undefined) await (await this.#store?.catch(() => undefined))?.close();
    await closed;
  }
}

export const noTurnRules: TurnRules = { allow: [] };
