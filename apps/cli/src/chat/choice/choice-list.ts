import { styleText } from "node:util";
import { matchesKey } from "@earendil-works/pi-tui";
import { fitted, oneLine, visible } from "../../base/terminal/text.ts";
import type { Choice } from "../conversation/conversation-view.ts";

/** Rows that are shown at once. */
const mostRows = 12;

/** A list at the foot of the chat, of which the person chooses a row with keys. */
export class ChoiceList {
  readonly #choice: Choice;
  readonly #settle: (chosen: number | undefined) => void;
  #at: number;

  /** @param settle called once, with the index of the chosen row; undefined for none */
  constructor(choice: Choice, settle: (chosen: number | undefined) => void) {
    this.#choice = choice;
    this.#settle = settle;
    this.#at = choice.at ?? 0;
  }

  key(data: string): void {
    if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) this.#settle(undefined);
    else if (matchesKey(data, "enter")) this.#settle(this.#at);
    else if (matchesKey(data, "up") || matchesKey(data, "ctrl+p")) this.#move(-1);
    else if (matchesKey(data, "down") || matchesKey(data, "ctrl+n")) this.#move(1);
    else if (matchesKey(data, "pageUp")) this.#move(-mostRows);
    else if (matchesKey(data, "pageDown")) this.#move(mostRows);
  }

  /** At most so many rows, with the chosen one among them. */
  rows(columns: number, most: number, stream: NodeJS.WriteStream): string[] {
    const { title, rows } = this.#choice;
    const count = Math.max(1, Math.min(mostRows, most - 2, rows.length));
    const first = Math.max(0, Math.min(this.#at - Math.floor(count / 2), rows.length - count));
    const more = rows.length > count ? ` · ${this.#at + 1} of ${rows.length}` : "";
    return [
      styleText("bold", oneLine(title, columns), { stream }),
      ...rows.slice(first, first + count).map((text, index) => {
        const isChosen = first + index === this.#at;
        // Spaces at the beginning show what belongs to what.
        const row = fitted(`${isChosen ? ">" : " "} ${visible(text).replace(/[\r\n\t]/g, " ")}`, columns);
        return isChosen ? styleText("bold", row, { stream }) : row;
      }),
      styleText("dim", oneLine(`Up, Down · Enter: take it · Esc: leave it${more}`, columns), { stream }),
    ];
  }

  /** Moves up or down, and stays at the ends. */
  #move(by: number): void {
    this.#at = Math.max(0, Math.min(this.#choice.rows.length - 1, this.#at + by));
  }
}
