import { stripVTControlCharacters } from "node:util";
import { ProcessTerminal } from "@earendil-works/pi-tui";

interface Hears {
  key(data: string): void;
  resized(): void;
  /** What the app, a library or a provider writes to stderr meanwhile: in the terminal it would stand in the middle of the foot. */
  written(text: string): void;
  /** Called before the terminal is given back, also when the process exits. */
  leaving(): void;
}

/** Holds the terminal in raw mode, with pastes marked, and gives it back as it was: on `give`, and when the process exits. */
export class TerminalHold {
  readonly terminal = new ProcessTerminal();
  readonly #hears: Hears;
  #restore: (() => void) | undefined;

  constructor(hears: Hears) {
    this.#hears = hears;
  }

  take(): void {
    if (this.#restore) return;
    const { key, resized, written } = this.#hears;
    const onExit = () => this.give();
    process.on("exit", onExit);
    const { stderr } = process;
    const write = stderr.write;
    stderr.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      // The chat has colours of its own.
      written(stripVTControlCharacters(typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk)));
      const done = rest.at(-1);
      if (typeof done === "function") done();
      return true;
    }) as typeof write;
    this.#restore = () => {
      process.off("exit", onExit);
      stderr.write = write;
    };
    this.terminal.start(key, resized);
  }

  give(): void {
    const restore = this.#restore;
    if (!restore) return;
    this.#restore = undefined;
    this.#hears.leaving();
    this.terminal.stop();
    restore();
  }

  /** Gives the terminal back while other work has it. */
  async lend(work: () => Promise<void>, again: () => void): Promise<void> {
    this.give();
    try {
      await work();
    } finally {
      again();
    }
  }

  /** Stops the process, as Ctrl-Z does elsewhere. `again` is called when it goes on. */
  suspend(again: () => void): void {
    this.give();
    process.once("SIGCONT", again);
    // The whole job, as the terminal would.
    process.kill(0, "SIGTSTP");
  }
}
