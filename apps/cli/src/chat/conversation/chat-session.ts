import type { Capability, LimitReached, Run } from "@cogency/agent";
import type { RunEvent } from "@cogency/protocol";
import type { Jobs } from "@cogency/toolbox/shell";
import type { Options } from "../../place/config/option-table.ts";
import type { TurnRules } from "../../place/rules/turn-rules.ts";
import { ChangingAgent, type ChangingChoice, noTurnRules } from "../../work/changing-agent.ts";
import type { chooseModel } from "../../work/choose-model.ts";
import { turnOfLog } from "../../work/commands/turn-of-log.ts";
import { CheckIn, type CheckInOptions } from "./check-in.ts";
import type { Prompt } from "./next-prompt.ts";
import type { Person } from "./person.ts";

/** What a chat is begun with; the model, the driver, the approval and the limits may change in the middle. */
export interface SessionChoice extends ChangingChoice, CheckInOptions, Options<"ephemeral" | "terminalClipboard"> {}

/** The agent of a chat, and the store of its conversations. */
export class ChatSession extends ChangingAgent<SessionChoice> {
  conversation: string;
  readonly #person: Person;
  #checkIn: CheckIn | undefined;
  /** The conversation whose last turn changed nothing. Such a turn goes on as it was. */
  #readOnly: { readonly conversation: string; readonly rules: TurnRules } | undefined;

  /** @param choose makes the model that the choice names */
  constructor(
    choice: SessionChoice,
    conversation: string,
    person: Person,
    capability: Capability,
    jobs: Jobs,
    choose?: typeof chooseModel,
  ) {
    super(choice, { jobs, asker: person, capability, choose });
    this.conversation = conversation;
    this.#person = person;
  }

  override get place(): string {
    return this.choice.ephemeral ? ":memory:" : this.choice.store;
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
      if (this.#readOnly?.conversation === conversation) this.turnRules = this.#readOnly.rules;
      else {
        const log = await (await this.store()).load({ conversation }, { types: ["user", "record"] });
        this.turnRules = (await turnOfLog(log, commands)) ?? noTurnRules;
      }
      return agent.recover(options);
    }
    const { content, untrusted, privateFrom, turn = noTurnRules } = prompt;
    this.turnRules = turn;
    this.#readOnly = turn.readOnlyBut && { conversation, rules: { ...turn, allow: [] } };
    return agent.run(content, { ...options, untrusted, private: privateFrom });
  }

  /** The person has said something that the turn which goes on will read. */
  heard(): void {
    this.#checkIn?.heard();
  }
}
