import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Call, Turn } from "./day.ts";
import { problemsOf, wordsIn } from "./laws.ts";
import type { StoredLogs } from "./stored-logs.ts";
import { answerOf, createdBy, effects, emptyLedger, ledger, nameOf } from "./words.ts";

/** What must be in the folder and in the logs by now. */
export class ExpectedState {
  /** The files that the agent's tools have written. */
  readonly files = new Map<string, string>([[ledger, emptyLedger]]);
  /** What commands have done, each once. */
  readonly effects: string[] = [];
  /** What persons have said, by conversation. */
  readonly said = new Map<string, readonly string[]>();
  /** The names of what was answered to the end, by conversation. */
  readonly #answered = new Map<string, readonly string[]>();
  readonly #folder: string;
  readonly #stored: StoredLogs;

  constructor(folder: string, stored: StoredLogs) {
    this.#folder = folder;
    this.#stored = stored;
  }

  hears(conversation: string, text: string): void {
    this.said.set(conversation, [...(this.said.get(conversation) ?? []), text]);
  }

  answers(conversation: string, ...names: string[]): void {
    this.#answered.set(conversation, [...(this.#answered.get(conversation) ?? []), ...names]);
  }

  writes(turn: Turn, does: Call["does"]): void {
    if (does === "create") this.files.set(createdBy(turn), `${turn.name}\n`);
    else this.files.set(ledger, String(this.files.get(ledger)).replace("end\n", `${turn.name}\nend\n`));
  }

  /** The files are again as they were. */
  undoes(before: ReadonlyMap<string, string>): void {
    this.files.clear();
    for (const [file, text] of before) this.files.set(file, text);
  }

  /** A fork begins with what was said, and with what was answered of it. */
  forks(conversation: string, fork: string, said: readonly string[]): void {
    const names = said.map(nameOf);
    const answered = this.#answered.get(conversation) ?? [];
    this.said.set(fork, said);
    this.#answered.set(
      fork,
      answered.filter((name) => names.includes(name)),
    );
  }

  read(file: string): string | undefined {
    const path = join(this.#folder, file);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }

  get effectsDone(): string[] {
    return this.read(effects)?.trimEnd().split("\n") ?? [];
  }

  /** Compares the folder and all logs with this. */
  check(): void {
    for (const [name, said] of this.said) {
      const log = this.#stored.whole(name);
      // Nothing that was there has changed.
      expect(log).toEqual(this.#stored.log(name));
      expect(problemsOf(log)).toEqual([]);
      expect(wordsIn(log)).toEqual(said);
      const answers = log.flatMap((event) => (event.type === "respond" ? event.content.split("\n\n") : []));
      const expected = (this.#answered.get(name) ?? []).flatMap(answerOf);
      expect(answers.filter((line) => expected.includes(line)).toSorted()).toEqual(expected.toSorted());
    }
    expect(this.effectsDone).toEqual(this.effects);
    for (const [file, text] of this.files) expect(this.read(file)).toBe(text);
    const made = join(this.#folder, "made");
    const files = existsSync(made) ? readdirSync(made).map((file) => `made/${file}`) : [];
    expect(files.toSorted()).toEqual([...this.files.keys()].filter((file) => file !== ledger).toSorted());
  }
}
