import { ProcessTerminal } from "@earendil-works/pi-tui";
import { reflowOf } from "./reflow.ts";
import { type Block, type Foot, Screen } from "./screen.ts";

/** The terminal of the process as a page that grows above a foot, until it is closed. Takes the keys that are typed meanwhile. */
export class TerminalPage {
  readonly #terminal = new ProcessTerminal();
  readonly #screen: Screen;
  readonly #onExit = () => this.close();
  #isOpen = true;

  constructor(foot: Foot, key: (data: string) => void) {
    this.#screen = new Screen(this.#terminal, foot, reflowOf(process.env));
    process.on("exit", this.#onExit);
    this.#terminal.start(
      (data) => {
        key(data);
        this.#screen.refresh();
      },
      () => this.#screen.resized(),
    );
    this.#screen.open();
  }

  get rows(): number {
    return this.#terminal.rows;
  }

  add(block: Block): void {
    this.#screen.add(block);
  }

  refresh(): void {
    this.#screen.refresh();
  }

  /** Removes the foot, and gives the terminal back as it was. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    process.off("exit", this.#onExit);
    this.#screen.close();
    this.#terminal.stop();
  }
}

/** Whether such a page can be shown: both ends are a terminal that can move its cursor. */
export function canShowPage(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true && process.env.TERM !== "dumb";
}
