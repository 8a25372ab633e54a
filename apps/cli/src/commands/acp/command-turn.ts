import type { Agent, RunPrompt } from "@cogency/agent";
import type { AgentHook } from "@cogency/agent/hooks";
import type { Attachment, LogEvent } from "@cogency/protocol";
import { UsageError } from "../../base/errors/usage-error.ts";
import type { TurnRules } from "../../place/rules/turn-rules.ts";
import { type ChangingAgent, type ChangingChoice, noTurnRules, type Opened } from "../../work/changing-agent.ts";
import { commandFiles, heldIn } from "../../work/commands/command-files.ts";
import type { CommandPrompt } from "../../work/commands/command-prompt.ts";
import { turnOfLog } from "../../work/commands/turn-of-log.ts";
import { namesOf } from "../../work/mcp/mentioned-resources.ts";
import { checkTaken, contentOf, privateIn, sourceOf } from "../../work/prompt/read-prompt.ts";

/** What a prompt brings that stands for a command. */
interface Brought {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly untrusted: string | undefined;
  readonly private: string | undefined;
  readonly turn: TurnRules;
}

/** The agent of a session whose turns may begin with a command: what the command brings counts until its turn ends. */
export class CommandTurn {
  readonly #changing: () => ChangingAgent<ChangingChoice>;
  #brought: Brought | undefined;

  constructor(changing: () => ChangingAgent<ChangingChoice>) {
    this.#changing = changing;
  }

  /** Says which rules count in the turn of a run. */
  readonly hook: AgentHook = {
    name: "turn",
    beforeRun: async ({ mode, state, root }) => {
      // An agent that a call has started is in the turn of that call.
      if (root !== undefined) return undefined;
      const changing = this.#changing();
      const { events } = state;
      const isOurs = this.#brought !== undefined && promptOf(events)?.startsWith(this.#brought.text) === true;
      if (isOurs) changing.turnRules = this.#brought?.turn ?? noTurnRules;
      else if (mode === "run") changing.turnRules = noTurnRules;
      else changing.turnRules = (await turnOfLog(events, (await changing.open()).commands)) ?? noTurnRules;
      return undefined;
    },
    afterRun: ({ result, root }) => {
      if (root !== undefined || result.status === "waiting") return undefined;
      this.#changing().turnEnded();
      this.forget();
      return undefined;
    },
  };

  /** The next prompt stands for no command. */
  forget(): void {
    this.#brought = undefined;
  }

  /**
   * The next prompt stands for a command.
   *
   * @returns what is said to the model
   * @throws UsageError for a file that is missing, or that the model does not take
   */
  async begin(typed: string, command: CommandPrompt, { root, mcp, model }: Opened): Promise<string> {
    const files = await commandFiles(typed, command, root.given, namesOf(mcp.found));
    const prompt = { text: command.text, isPiped: false, files };
    checkTaken(prompt, model.provider);
    const { text, attachments } = contentOf(prompt);
    this.#brought = {
      text,
      attachments,
      untrusted: heldIn(command, "untrusted", sourceOf(prompt, root)),
      private: heldIn(command, "private", privateIn(prompt)),
      turn: command.turn,
    };
    return text;
  }

  /** The agent as it is now. */
  async agent(): Promise<Pick<Agent, "run" | "recover" | "send">> {
    const { agent } = await this.#changing().open();
    const run = (prompt: RunPrompt, options: Parameters<Agent["run"]>[1] = {}) => {
      const brought = this.#broughtBy(prompt);
      if (brought === undefined) return agent.run(prompt, options);
      const given = typeof prompt === "string" ? { text: prompt } : prompt;
      return agent.run(
        { ...given, attachments: [...brought.attachments, ...(given.attachments ?? [])] },
        {
          ...options,
          untrusted: joined(options.untrusted, brought.untrusted),
          private: joined(options.private, brought.private),
        },
      );
    };
    return {
      run: run as Agent["run"],
      recover: agent.recover.bind(agent),
      send: async (to, message, options) => {
        const isPrompt = message.kind === "prompt" || message.kind === "steer";
        const brought = isPrompt ? this.#broughtBy(message.content) : undefined;
        if (brought && !isPlain(brought)) throw new UsageError(notNow);
        return agent.send(to, message, options);
      },
    };
  }

  #broughtBy(prompt: RunPrompt): Brought | undefined {
    const text = typeof prompt === "string" ? prompt : prompt.text;
    return this.#brought !== undefined && text.startsWith(this.#brought.text) ? this.#brought : undefined;
  }
}

const notNow =
  "Another process is at work on this conversation, and a message to it has no place for what this command brings. Send it again when that turn has ended.";

/** Whether a message may stand for the command: what it allows without a question asks there. */
function isPlain({ attachments, untrusted, private: from, turn }: Brought): boolean {
  return attachments.length === 0 && untrusted === undefined && from === undefined && turn.readOnlyBut === undefined;
}

/** What the person said last. */
function promptOf(log: readonly LogEvent[]): string | undefined {
  const said = log.findLast(
    (event) => event.type === "user" && (event.origin === undefined || event.origin === "untrusted"),
  );
  return said?.type === "user" ? said.content : undefined;
}

function joined(...sources: readonly (string | undefined)[]): string | undefined {
  const all = sources.filter((source) => source !== undefined);
  return all.length === 0 ? undefined : all.join(", ");
}
