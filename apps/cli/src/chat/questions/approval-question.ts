import { styleText } from "node:util";
import type { ApprovalRequest } from "@cogency/tools";
import { matchesKey } from "@earendil-works/pi-tui";
import type { OfferedRule, PersonAnswer } from "../../approval/asker.ts";
import { exact, exactPieces, rowsOf } from "../../approval/exact-text.ts";
import { questionRows } from "../../approval/question.ts";
import { counted } from "../../terminal/text.ts";
import type { Page } from "../page.ts";
import type { OpenQuestion } from "./open-question.ts";

/** What is pressed for each of the offered rules, as at a question of `run`. */
const ruleKeys = ["a", "b", "c"];

/** Rows of the foot that a page of a question leaves free. */
const footRows = 9;

/**
 * Whether a call may run. All that will run is on the page before a yes counts; what does not fit comes in pages.
 */
export class ApprovalQuestion implements OpenQuestion {
  readonly #request: ApprovalRequest;
  readonly #offered: readonly OfferedRule[];
  readonly #page: Page;
  readonly #size: () => { columns: number; rows: number };
  readonly #settle: (answer: PersonAnswer) => void;
  /** The rows that are not on the page yet. */
  #rest: readonly string[];
  #isRefused = false;

  constructor(
    request: ApprovalRequest,
    offered: readonly OfferedRule[],
    page: Page,
    size: () => { columns: number; rows: number },
    settle: (answer: PersonAnswer) => void,
  ) {
    this.#request = request;
    this.#offered = offered.slice(0, ruleKeys.length);
    this.#page = page;
    this.#size = size;
    this.#settle = settle;
    this.#rest = ["", ...questionRows(request, size().columns, page.stream)];
    this.#showPage();
  }

  get takesText(): boolean {
    return this.#isRefused;
  }

  key(data: string): void {
    const isNo = data === "n" || data === "N";
    if (isNo) this.escape();
    else if (this.#rest.length > 0) {
      if (matchesKey(data, "enter") || data === " ") this.#showPage();
      else if (data === "r" || data === "R") this.#show(this.#rest.length);
    } else if (data === "y" || data === "Y") {
      this.#said(`Allowed: ${exact(this.#request.call.name)}`, "green");
      this.#settle({ approved: true });
    } else {
      const rule = this.#offered[ruleKeys.indexOf(data.toLowerCase())];
      if (!rule) return;
      this.#said(`Allowed, from now on without a question: ${rule.text} (a rule in ${rule.file})`, "green");
      this.#settle({ approved: true, rule });
    }
  }

  /** Refuses, with what the person wrote, if anything. */
  submit(text: string): void {
    const why = text.trim();
    this.#said(`Denied: ${exact(this.#request.call.name)}${why === "" ? "" : `, ${why}`}`, "red");
    this.#settle({ approved: false, reason: why === "" ? "the user said no." : `the user said no: ${why}` });
  }

  escape(): void {
    if (this.#isRefused) this.submit("");
    else {
      this.#isRefused = true;
      this.#page.refresh();
    }
  }

  rows(columns: number): string[] {
    const bold = (text: string) => styleText("bold", text, { stream: this.#page.stream });
    const key = (name: string, meaning: string) =>
      rowsOf(exactPieces(meaning), columns - 6).map((row, at) => `  ${bold(at === 0 ? name : " ")} ${row}`);
    if (this.#isRefused) return [bold("Why not? The model reads it. Enter without a word gives no reason.")];
    if (this.#rest.length > 0)
      return [
        bold(`… ${counted(this.#rest.length, "more row")}. A yes counts when all was shown.`),
        ...key("Enter", "the next page"),
        ...key("r", "show all of the rest"),
        ...key("n", "no, and why"),
      ];
    return [
      bold("Allow it?"),
      ...key("y", "yes, this once"),
      ...this.#offered.flatMap(({ text, file }, at) => [
        ...key(ruleKeys[at] ?? "", `yes, and from now on without a question: ${text}`),
        ...rowsOf(exactPieces(`a rule in ${file}`), columns - 6).map((row) =>
          styleText("dim", `    ${row}`, { stream: this.#page.stream }),
        ),
      ]),
      ...key("n", "no, and why"),
    ];
  }

  #showPage(): void {
    this.#show(Math.max(4, this.#size().rows - footRows));
  }

  #show(count: number): void {
    const rows = this.#rest.slice(0, count);
    this.#rest = this.#rest.slice(count);
    this.#page.add(() => rows);
  }

  #said(text: string, style: "green" | "red"): void {
    const { stream } = this.#page;
    this.#page.add((columns) => rowsOf(exactPieces(text), columns - 1).map((row) => styleText(style, row, { stream })));
  }
}
