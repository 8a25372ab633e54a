import type { RunEvent } from "@cogency/protocol";
import type { Piece } from "@cogency/protocol/parts";
import type { StoredEvent } from "@cogency/storage";
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { PlanTracker } from "../../person/plan/plan-tracker.ts";
import type { ShownApproval } from "../../person/show/approvals-of.ts";
import { outsideNotice } from "../../person/show/outside-notice.ts";
import { remarkOf } from "../../person/show/remark-of.ts";
import type { Paper } from "../../person/turn/paper.ts";
import { StoredTurn } from "../../person/turn/stored-turn.ts";
import { TurnView } from "../../person/turn/turn-view.ts";
import type { WatchedPage } from "./watched-page.ts";

/** Shows a watched run as the chat shows its own, letter by letter. */
export class TurnPage implements WatchedPage {
  readonly stream: NodeJS.WriteStream;
  readonly #paper: Paper;
  readonly #view: TurnView;
  readonly #turn: StoredTurn;
  readonly #plan = new PlanTracker();
  readonly #rows: () => number;

  /** @param rows of the terminal */
  constructor(paper: Paper, rows: () => number) {
    this.#paper = paper;
    this.stream = paper.stream;
    this.#rows = rows;
    this.#view = new TurnView(paper);
    this.#turn = new StoredTurn({
      event: (event: RunEvent) => this.#view.event(event, false, this.#plan.event(event)),
      writing: (event) => this.#view.writing(event),
      settled: () => this.#view.settled(),
      brokenOff: () => this.#view.brokenOff(),
    });
  }

  /** What may still change, in rows of so many columns. */
  rows(columns: number): string[] {
    return this.#view.rows(columns);
  }

  event(event: StoredEvent, approval: ShownApproval | undefined): void {
    this.#turn.event(event);
    if (event.type === "user") this.#said(event);
    const remark = remarkOf(event, approval);
    if (remark) this.#view.remark(remark.text, remark.kind);
  }

  pieces(pieces: readonly Piece[]): void {
    this.#turn.pieces(pieces);
  }

  idle(): void {
    this.#turn.ended();
  }

  print(text: string): void {
    this.#view.interrupted();
    const lines = text.replace(/\n$/, "").split("\n");
    this.#paper.add((columns) => lines.flatMap((line) => wrapTextWithAnsi(line, columns)));
  }

  refresh(): void {
    this.#paper.refresh();
  }

  most(): number {
    return Math.max(4, this.#rows() - 6);
  }

  #said(event: StoredEvent & { type: "user" }): void {
    const { content, origin, attachments = [] } = event;
    const notice = outsideNotice(event);
    if (notice !== undefined) this.#view.remark(notice);
    else if (origin === undefined || origin === "untrusted") this.#view.said(content, attachments);
    else this.#view.remark(`(${origin}) ${content}`);
  }
}
