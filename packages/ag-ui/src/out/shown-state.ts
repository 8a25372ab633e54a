import type { JsonPatchOperation } from "@ag-ui/core";
import type { Usage } from "@cogency/protocol";
import type { NoticePart, QuestionPart } from "@cogency/protocol/parts";
import { addUsage, type Change, noUsage, type TurnEnding } from "@cogency/server/bridge";
import type { AgUiState } from "../ag-ui-state.ts";
import { totalsOf } from "./usage.ts";

/** The state of a conversation, and how it differs from what was told of it. */
export class ShownState {
  #now: AgUiState = {
    title: null,
    status: "running",
    questions: [],
    usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    notice: null,
  };
  #told = this.#now;
  #usage: Usage = noUsage;
  /** The questions that are open, in order. */
  #open: readonly QuestionPart[] = [];

  get open(): readonly QuestionPart[] {
    return this.#open;
  }

  read(change: Change): void {
    switch (change.type) {
      case "title":
        this.#set({ title: change.text });
        break;
      case "notice":
        this.#set({ notice: noticeOf(change.part) });
        break;
      case "step":
        this.#usage = addUsage(this.#usage, change.usage);
        this.#set({ usage: totalsOf(this.#usage) });
        break;
      case "question":
        this.#ask([...this.#open, change.part]);
        break;
      case "question_end":
        this.#ask(this.#open.filter(({ id }) => id !== change.part.id));
        break;
      case "user":
      case "unit":
      case "call":
        // A notice holds until something comes after it.
        this.#set({ notice: null });
        break;
    }
  }

  end(status: TurnEnding["status"]): void {
    this.#set({ status: statuses[status] });
  }

  /** All of it. What is told later is the difference from it. */
  snapshot(): AgUiState {
    this.#told = this.#now;
    return this.#now;
  }

  /** What has changed since it was told; empty if nothing has. */
  delta(): JsonPatchOperation[] {
    const before = this.#told;
    const now = this.snapshot();
    return fields.flatMap((field) =>
      now[field] === before[field] ? [] : { op: "replace" as const, path: `/${field}`, value: now[field] },
    );
  }

  #ask(open: readonly QuestionPart[]): void {
    this.#open = open;
    const questions = open.map(({ id, call, name, asks, client }) => ({
      id,
      toolCallId: call,
      toolName: name,
      asks: client ? ("client" as const) : asks,
    }));
    this.#set({ questions });
  }

  #set(fields: Partial<AgUiState>): void {
    this.#now = { ...this.#now, ...fields };
  }
}

const fields = ["title", "status", "questions", "usage", "notice"] as const;

const statuses: Readonly<Record<TurnEnding["status"], AgUiState["status"]>> = {
  completed: "idle",
  cancelled: "idle",
  stopped: "idle",
  waiting: "waiting",
  failed: "failed",
  parked: "parked",
};

function noticeOf({ code, message, retryAt }: NoticePart): AgUiState["notice"] {
  return { code, message, retryAt: retryAt ?? null };
}
