import type { AcpCommands } from "@cogency/acp";
import { planOf } from "@cogency/plan/log";
import { nearestNames } from "@cogency/protocol/options";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine, visible } from "../../base/terminal/text.ts";
import type { ChangingAgent, ChangingChoice } from "../../work/changing-agent.ts";
import type { ChosenModel } from "../../work/choose-model.ts";
import { commandLine } from "../../work/commands/open-commands.ts";
import { knownWindow } from "../../work/compaction.ts";
import { compactCommand } from "../../work/slash/compact-command.ts";
import { markCommand } from "../../work/slash/mark-command.ts";
import { planCommand } from "../../work/slash/plan-command.ts";
import type { CommandDesk, SharedCommand } from "../../work/slash/shared-command.ts";
import { skillCommands } from "../../work/slash/skill-commands.ts";
import type { CommandTurn } from "./command-turn.ts";

/** Those of the chat that need no terminal. */
const shared: readonly SharedCommand[] = [compactCommand, planCommand, markCommand, ...skillCommands];

interface CommandsOf {
  readonly conversation: string;
  readonly changing: ChangingAgent<ChangingChoice>;
  readonly turn: CommandTurn;
  readonly model: () => ChosenModel | undefined;
}

/** The commands of a session: those of the chat that need no terminal, of files, extensions and MCP servers. */
export class SessionCommands implements AcpCommands {
  readonly #of: CommandsOf;
  #listed: ReturnType<AcpCommands["list"]> = [];

  constructor(of: CommandsOf) {
    this.#of = of;
  }

  list(): ReturnType<AcpCommands["list"]> {
    return this.#listed;
  }

  /** Reads anew which commands there are. Returns whether there are others than before. */
  async refresh(): Promise<boolean> {
    const { commands } = await (await this.#of.changing.open()).commands.list(shared.map(({ name }) => name));
    const before = JSON.stringify(this.#listed);
    this.#listed = [
      ...shared.map(({ name, help, argument }) => listed(name, help, argument)),
      ...commands.map(({ name, description, argumentHint }) => listed(name, description, argumentHint)),
    ];
    return JSON.stringify(this.#listed) !== before;
  }

  async expand(text: string, say: (text: string) => void): ReturnType<AcpCommands["expand"]> {
    this.#of.turn.forget();
    const { name, given } = commandLine(text) ?? {};
    if (name === undefined || given === undefined) return undefined;
    const command = shared.find((one) => one.name === name);
    if (command) return this.#carryOut(command, given, say);
    const opened = await this.#of.changing.open();
    const prompt = await opened.commands.expand(text);
    if (prompt === undefined) {
      await this.#refuseSlip(name);
      return undefined;
    }
    say(visible(prompt.told));
    return { type: "prompt", text: await this.#of.turn.begin(text, prompt, opened) };
  }

  async #carryOut(
    command: SharedCommand,
    given: string,
    say: (text: string) => void,
  ): ReturnType<AcpCommands["expand"]> {
    const { conversation, changing, model } = this.#of;
    const log = await (await changing.store()).load({ conversation });
    let said: string | undefined;
    const desk: CommandDesk = {
      session: {
        conversation,
        choice: changing.choice,
        open: () => changing.open(),
        store: () => changing.store(),
        setMode: (mode) => changing.setMode(mode),
      },
      view: {
        remark: (text) => say(visible(text)),
        list: (rows) => say(rows.map(([name, text]) => `- ${visible(name)}: ${visible(text)}`).join("\n")),
        text: (text) => say(visible(text)),
      },
      state: { plan: planOf(log), window: knownWindow(changing.choice, model()) },
      submit: (text) => {
        said = text;
      },
      countAgain: async () => {},
    };
    await command.run(desk, given);
    return said === undefined ? { type: "done" } : { type: "prompt", text: said };
  }

  /** A line with the name of no command is a prompt like any other, such as one about /tmp. */
  async #refuseSlip(name: string): Promise<void> {
    if (name.includes("/")) return;
    await this.refresh();
    const [nearest] = nearestNames(
      name,
      this.#listed.map((command) => command.name),
    );
    if (nearest !== undefined)
      throw new UsageError(`There is no command /${oneLine(name, 60)}. Did you mean /${nearest}?`);
  }
}

function listed(name: string, description: string, hint: string | undefined) {
  return { name, description: oneLine(description, 200) || name, ...(hint && { hint: oneLine(hint, 80) }) };
}
