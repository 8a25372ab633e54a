import type { ConversationView } from "./conversation-view.ts";
import { type OwnCommand, runOwnCommand } from "./own-command.ts";

interface OwnCommandsOptions {
  /** Where they run. */
  folder: () => string;
  view: ConversationView;
  /** Called with what the model shall read. */
  onOutput(line: string, output: string, ended: string): void;
}

/** The commands that the person runs, one after another. */
export class OwnCommands {
  readonly #options: OwnCommandsOptions;
  #current: OwnCommand | undefined;
  #before: Promise<void> = Promise.resolve();
  /** How many have not ended. */
  #count = 0;

  constructor(options: OwnCommandsOptions) {
    this.#options = options;
  }

  /** The one that runs. */
  get current(): OwnCommand | undefined {
    return this.#current;
  }

  /** Whether one runs, or is about to. */
  get isBusy(): boolean {
    return this.#count > 0;
  }

  /** Runs what was typed: `!command`, or `!!command`, whose output the model does not read. Resolves when it has ended. */
  run(typed: string): Promise<void> {
    const isPrivate = typed.startsWith("!!");
    const line = typed.slice(isPrivate ? 2 : 1).trim();
    this.#count++;
    const ended = this.#before
      .then(() => (line === "" ? undefined : this.#run(line, isPrivate)))
      .finally(() => {
        this.#count--;
      });
    this.#before = ended.catch(() => {});
    return ended;
  }

  /** Ends the one that runs. Returns whether there was one. */
  stop(): boolean {
    this.#current?.stop();
    return this.#current !== undefined;
  }

  async #run(line: string, isPrivate: boolean): Promise<void> {
    const { folder, view, onOutput } = this.#options;
    const own = runOwnCommand(line, folder(), () => view.changed());
    this.#current = own;
    view.changed();
    const ended = await own.ended;
    const { output } = own;
    this.#current = undefined;
    view.remark(`${isPrivate ? "!!" : "!"} ${line}`);
    if (output !== "") view.text(output);
    if (ended !== "exit code 0") view.remark(ended, "warning");
    if (!isPrivate) onOutput(line, output, ended);
    view.changed();
  }
}
