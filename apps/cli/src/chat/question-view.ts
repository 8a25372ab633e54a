import { styleText } from "node:util";
import type { ApprovalRequest } from "@cogency/tools";
import { matchesKey } from "@earendil-works/pi-tui";
import type { Asker, OfferedRule, PersonAnswer } from "../approval/asker.ts";
import { exact } from "../approval/exact-text.ts";
import { questionRows } from "../approval/question.ts";
import type { Page } from "./turn-view.ts";

interface OpenQuestion {
  request: ApprovalRequest;
  offered: readonly OfferedRule[];
  rows: readonly string[];
  shown: number;
  stage: "choice" | "reason";
  settle(answer: PersonAnswer): void;
}

/** Milliseconds without another key, after which a key is an answer: until then it may be a part of what somebody types. */
const quiet = 500;

/**
 * Puts questions for approval on the page, one after another, and reads the answers from keys. All that will run is on the page, in
 * pages that fit the screen, before a yes counts.
 */
export class QuestionView implements Asker {
  readonly #page: Page;
  readonly #size: () => { columns: number; rows: number };
  #open: OpenQuestion | undefined;
  #before: Promise<unknown> = Promise.resolve();
  #lastKeyAt = 0;

  constructor(page: Page, size: () => { columns: number; rows: number }) {
    this.#page = page;
    this.#size = size;
  }

  canAnswer(): boolean {
    return true;
  }

  /** Whether the reason of a refusal is asked for, which the editor takes. */
  get wantsReason(): boolean {
    return this.#open?.stage === "reason";
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  ask(request: ApprovalRequest, offered: readonly OfferedRule[]): Promise<PersonAnswer> {
    const answer = this.#before.then(() => this.#put(request, offered));
    this.#before = answer;
    return answer;
  }

  #put(request: ApprovalRequest, offered: readonly OfferedRule[]): Promise<PersonAnswer> {
    const { signal } = request;
    if (signal.aborted) return Promise.resolve({ approved: false });
    const { columns } = this.#size();
    const rows = questionRows(request, columns, this.#page.stream);
    return new Promise((resolve) => {
      const close = () => settle({ approved: false });
      const settle = (answer: PersonAnswer) => {
        signal.removeEventListener("abort", close);
        this.#open = undefined;
        this.#page.refresh();
        resolve(answer);
      };
      signal.addEventListener("abort", close, { once: true });
      this.#open = { request, offered, rows, shown: 0, stage: "choice", settle };
      this.#showMore(["", ...rows]);
    });
  }

  #showMore(rows: readonly string[], most = Math.max(4, this.#size().rows - 6)): void {
    if (!this.#open) return;
    const page = rows.slice(0, most);
    this.#open.rows = rows.slice(most);
    this.#open.shown += page.length;
    this.#lastKeyAt = performance.now();
    this.#page.add(() => page);
  }

  /** Reads a key as an answer. */
  key(data: string): void {
    const question = this.#open;
    if (!question || question.stage === "reason") return;
    const now = performance.now();
    const isQuiet = now - this.#lastKeyAt >= quiet;
    this.#lastKeyAt = now;
    if (!isQuiet) return;
    const { rows, offered, settle, request } = question;
    const rule = offered[["a", "b"].indexOf(data.toLowerCase())];
    if (data === "n" || data === "N" || matchesKey(data, "escape")) {
      question.stage = "reason";
      this.#page.refresh();
    } else if (rows.length > 0) {
      if (matchesKey(data, "enter") || data === " ") this.#showMore(rows);
      else if (data === "r") this.#showMore(rows, rows.length);
    } else if (data === "y" || data === "Y") {
      this.#said(`Allowed: ${exact(request.call.name)}`, "green");
      settle({ approved: true });
    } else if (rule) {
      this.#said(`Allowed always: ${exact(rule.text)}, a rule in ${exact(rule.file)}`, "green");
      settle({ approved: true, rule });
    }
  }

  /** Refuses, with what the person wrote, if anything. */
  refuse(reason: string): void {
    const question = this.#open;
    if (!question) return;
    const why = reason.trim();
    this.#said(`Denied: ${exact(question.request.call.name)}`, "red");
    question.settle({ approved: false, reason: why === "" ? "the user said no." : `the user said no: ${why}` });
  }

  #said(text: string, style: "green" | "red"): void {
    this.#page.add(() => [styleText(style, text, { stream: this.#page.stream })]);
  }

  /** What can be answered; empty without a question. */
  rows(): string[] {
    if (!this.#open) return [];
    const { rows, offered, stage } = this.#open;
    const bold = (text: string) => styleText("bold", text, { stream: this.#page.stream });
    if (stage === "reason") return [bold("Why not? The model reads it. Enter without a word leaves it out.")];
    if (rows.length > 0)
      return [bold(`… ${rows.length} more rows. Enter: next page, r: all the rest, n: no. y comes after that.`)];
    const always = offered.map(({ text }, index) => `, ${"ab"[index]}: always ${exact(text)}`).join("");
    return [bold(`Allow it? y: yes${always}, n: no`)];
  }
}
