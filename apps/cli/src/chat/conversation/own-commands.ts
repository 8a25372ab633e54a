import { setTimeout } from "node:timers/promises";
import { counted } from "../../base/terminal/text.ts";
import type { ConversationView } from "./conversation-view.ts";
import { type OwnCommand, runOwnCommand } from "./own-command.ts";

interface OwnCommandsOptions {
  /** Where they run. */
  folder: () => string;
  view: ConversationView;
  /** Called with what the model shall read. */
  onOutput(line: string, output: string, ended: string): void;
}

/** Milliseconds that programs get to end by themselves. */
const patience = 1000;

/** The commands that the person runs, one after another. */
export class OwnCommands {
  readonly #options: OwnCommandsOptions;
  #current: OwnCommand | undefined;
  /** Those whose shell has ended and left programs running. */
  #left: OwnCommand[] = [];
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

  /** Ends all, also the programs that shells have left running. Resolves with how many there were. */
  async close(): Promise<number> {
    const all = this.#current ? [...this.#left, this.#current] : this.#left;
    const count = all.reduce((sum, own) => sum + own.left(), 0);
    for (const own of all) own.stop();
    const until = performance.now() + patience;
    while (performance.now() < until && all.some((own) => own.left() > 0)) await setTimeout(20);
    for (const own of all) if (own.left() > 0) own.kill();
    this.#left = [];
    return count;
  }

  async #run(line: string, isPrivate: boolean): Promise<void> {
    const { folder, view, onOutput } = this.#options;
    const own = runOwnCommand(line, folder(), () => view.changed());
    this.#current = own;
    view.changed();
    const ended = await own.ended;
    const { output } = own;
    this.#current = undefined;
    const left = own.left();
    if (left > 0) this.#left.push(own);
    view.remark(`${isPrivate ? "!!" : "!"} ${line}`);
    if (output !== "") view.text(output);
    if (ended !== "exit code 0") view.remark(ended, "warning");
    if (left > 0)
      view.remark(`${counted(left, "program")} of it ${left === 1 ? "goes" : "go"} on until the chat ends.`);
    if (!isPrivate) onOutput(line, output, ended);
    view.changed();
  }
}
