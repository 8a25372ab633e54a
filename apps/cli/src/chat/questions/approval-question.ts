import { styleText } from "node:util";
import { matchesKey } from "@earendil-works/pi-tui";
import { exact, exactPieces, rowsOf } from "../../base/terminal/exact-text.ts";
import { counted, wordWrapped } from "../../base/terminal/text.ts";
import type { DoubtedRequest, OfferedRule, PersonAnswer } from "../../person/approval/asker.ts";
import {
  chosenRule,
  lettersOf,
  refusal,
  ruledText,
  ruleKeys,
  ruleWords,
  termWords,
  yesWords,
} from "../../person/approval/choices.ts";
import { questionRows } from "../../person/approval/question.ts";
import type { Paper } from "../../person/turn/paper.ts";
import type { OpenQuestion } from "./open-question.ts";

/** Rows of the foot that a page of a question leaves free. */
const footRows = 9;

/**
 * Whether a call may run. All that will run is on the paper before a yes counts; what does not fit comes in pages.
 */
export class ApprovalQuestion implements OpenQuestion {
  readonly #request: DoubtedRequest;
  readonly #offered: readonly OfferedRule[];
  readonly #paper: Paper;
  readonly #size: () => { columns: number; rows: number };
  readonly #settle: (answer: PersonAnswer) => void;
  /** The rows that are not on the paper yet. */
  #rest: readonly string[];
  #isRefused = false;

  constructor(
    request: DoubtedRequest,
    offered: readonly OfferedRule[],
    paper: Paper,
    size: () => { columns: number; rows: number },
    settle: (answer: PersonAnswer) => void,
  ) {
    this.#request = request;
    this.#offered = offered.slice(0, ruleKeys.length);
    this.#paper = paper;
    this.#size = size;
    this.#settle = settle;
    this.#rest = ["", ...questionRows(request, size().columns, paper.stream)];
    this.#showPage();
  }

  get takesText(): boolean {
    return this.#isRefused;
  }

  key(data: string): boolean {
    if (data === "n" || data === "N") this.escape();
    else if (this.#rest.length > 0) return this.#pageKey(data);
    else return this.#yesKey(data);
    return true;
  }

  #pageKey(data: string): boolean {
    if (matchesKey(data, "enter") || data === " ") this.#showPage();
    else if (data === "r" || data === "R") this.#show(this.#rest.length);
    else return false;
    return true;
  }

  #yesKey(data: string): boolean {
    const chosen = chosenRule(data, this.#offered);
    if (chosen) {
      this.#said(ruledText(chosen.rule, chosen.term), "green");
      this.#settle({ approved: true, ...chosen });
    } else if (data === "y" || data === "Y") {
      this.#said(`Allowed: ${exact(this.#request.call.name)}`, "green");
      this.#settle({ approved: true });
    } else return false;
    return true;
  }

  /** Refuses, with what the person wrote, if anything. */
  submit(text: string): void {
    const why = text.trim();
    this.#said(`Denied: ${exact(this.#request.call.name)}${why === "" ? "" : `, ${why}`}`, "red");
    this.#settle({ approved: false, reason: refusal(why) });
  }

  escape(): void {
    if (this.#isRefused) this.submit("");
    else {
      this.#isRefused = true;
      this.#paper.refresh();
    }
  }

  rows(columns: number): string[] {
    const bold = (text: string) => styleText("bold", text, { stream: this.#paper.stream });
    const key = (name: string, rows: readonly string[]) =>
      rows.map((row, at) => `  ${bold((at === 0 ? name : "").padEnd(margin))} ${row}`);
    const margin = this.#offered.length > 0 && this.#rest.length === 0 ? lettersOf(0).length : 1;
    const dim = (row: string) => styleText("dim", row, { stream: this.#paper.stream });
    if (this.#isRefused)
      return wordWrapped("Why not? The model reads it. Enter without a word gives no reason.", columns).map(bold);
    if (this.#rest.length > 0)
      return [
        ...wordWrapped(`… ${counted(this.#rest.length, "more row")}. A yes counts when all was shown.`, columns).map(
          bold,
        ),
        ...key("Enter", ["the next page"]),
        ...key("r", ["show all of the rest"]),
        ...key("n", ["no, and why"]),
      ];
    return [
      bold("Allow it?"),
      ...key("y", [yesWords]),
      ...this.#offered.flatMap(({ text }, at) => key(lettersOf(at), offerRows(text, columns - margin - 5))),
      ...this.#offered
        .slice(0, 1)
        .flatMap((rule) => key("", wordWrapped(termWords(rule), columns - margin - 5).map(dim))),
      ...key("n", ["no, and why"]),
    ];
  }

  #showPage(): void {
    this.#show(Math.max(4, this.#size().rows - footRows));
  }

  #show(count: number): void {
    const rows = this.#rest.slice(0, count);
    this.#rest = this.#rest.slice(count);
    this.#paper.add(() => rows);
  }

  #said(text: string, style: "green" | "red"): void {
    const { stream } = this.#paper;
    this.#paper.add((columns) => wordWrapped(exact(text), columns).map((row) => styleText(style, row, { stream })));
  }
}

/** What a rule allows is shown exactly; only the words before it break between words. */
function offerRows(rule: string, columns: number): string[] {
  const rows = rowsOf(exactPieces(`${ruleWords} ${rule}`), columns);
  return rows.length === 1 ? rows : [...wordWrapped(ruleWords, columns), ...rowsOf(exactPieces(rule), columns)];
}
