import type { Place } from "../support/command-line.ts";
import { pseudoTerminal, type TestTerminal } from "../support/pseudo-terminal.ts";
import { tmuxTerminal } from "../support/tmux-terminal.ts";
import { until } from "./until.ts";

/** A chat in a terminal of its own, and the lines that it has to show. */
export class ChatWindow {
  readonly terminal: TestTerminal;
  /** Lines that were added since the chat began or went to another conversation, in their order. */
  readonly sections: string[][] = [[]];
  #final: readonly string[] | undefined;

  constructor(place: Place, args: readonly string[], kind: "xterm" | "tmux") {
    const open = kind === "tmux" ? tmuxTerminal : pseudoTerminal;
    this.terminal = open(place, args);
  }

  /** Types a line, and Enter. */
  say(text: string): void {
    this.terminal.type(`${text}\r`);
  }

  async shows(pattern: RegExp): Promise<void> {
    await until(
      `the chat shows ${pattern}`,
      () => pattern.test(this.text),
      () => this.text,
    );
  }

  /** Nothing is at work, and what is typed is a prompt. */
  isReady(): Promise<void> {
    return this.shows(/^ready/m);
  }

  /** From here on the chat shows another conversation. */
  turnTo(): void {
    this.sections.push([]);
  }

  /** These lines stand on the page now, each once. */
  expect(...lines: string[]): void {
    this.sections.at(-1)?.push(...lines);
  }

  get text(): string {
    return this.lines().join("\n");
  }

  lines(): readonly string[] {
    return this.#final ?? this.terminal.lines();
  }

  async leave(): Promise<number | null> {
    this.say("/quit");
    const code = await this.terminal.ended;
    this.#final = this.terminal.lines();
    return code;
  }

  async kill(): Promise<void> {
    this.terminal.kill("SIGKILL");
    await this.terminal.ended;
    this.#final = this.terminal.lines();
  }

  /** What is wrong with the lines of the screen and its scrollback: of those that are given, each one may stand once in a section. */
  problems(known: readonly string[]): string[] {
    const problems: string[] = [];
    const starts = this.lines().flatMap((line, at) => (line.startsWith("Going on with ") ? [at] : []));
    const cuts = this.sections.length > starts.length ? [0, ...starts] : starts;
    for (const [at, expected] of this.sections.entries()) {
      const shown = this.lines().slice(cuts[at], cuts[at + 1]);
      for (const line of known) {
        const times = shown.filter((other) => other === line).length;
        if (times > 1) problems.push(`section ${at} shows ${JSON.stringify(line)} ${times} times`);
      }
      const found = expected.map((line) => shown.indexOf(line));
      for (const [index, row] of found.entries()) {
        if (row < 0) problems.push(`section ${at} lacks ${JSON.stringify(expected[index])}`);
        else if (index > 0 && row < (found[index - 1] ?? 0))
          problems.push(`section ${at} shows ${JSON.stringify(expected[index])} too early`);
      }
    }
    return problems.length > 0 ? [...problems, this.text] : [];
  }
}
