import type { Usage } from "@cogency/protocol";
import { emptyView, type NumberedEvent, type Piece, type View, withEvent, withPieces } from "@cogency/protocol/parts";
import type { ServerEvent } from "../stream/event-parser.ts";

/** What the server says of a conversation as a whole. */
export interface ConversationHeader {
  readonly title: string;
  readonly state: string;
  /** The last number of its log when the server looked. */
  readonly events: number;
}

/** What the events and pieces of a conversation say so far. */
export class Transcript {
  view: View = emptyView;
  title = "";
  usage: Usage = noUsage;
  /** Whether a turn has begun that has not ended. */
  isOpenTurn = false;
  /** The number of the last event that came. */
  seq = 0;
  /** Whether pieces have come since the connection was made. */
  hasPieces = false;
  /** Messages that a run has read, by their ids. */
  readonly taken = new Set<string>();
  /** Words that a run has read, and whose `user` event comes next. */
  #nextWords: string[] = [];
  /** What the server knew when it was asked: of older events it has said what they mean. */
  #header: ConversationHeader | undefined;

  /**
   * Reads what came.
   *
   * @returns whether a message was refused by the run that took it: then only the server knows whether a turn goes on
   */
  read({ event, data }: ServerEvent): boolean {
    const value: unknown = JSON.parse(data);
    if (event === "pieces") {
      this.view = withPieces(this.view, value as Piece[]);
      this.hasPieces = true;
      return false;
    }
    return event === "message" && this.#take(value as NumberedEvent);
  }

  /** What the server says. It counts if it is as new as what came by itself. */
  know(header: ConversationHeader): void {
    this.#header = header;
    if (header.events < this.seq) return;
    this.title = header.title;
    this.isOpenTurn = header.state === "running" || header.state === "waiting";
    if (this.hasPieces || header.state === "running") return;
    // What a run was writing when its process died: no other one goes on with it.
    const { stored, open } = this.view;
    this.view = { ...this.view, parts: stored, open: { ...open, unit: undefined, calls: [] } };
  }

  #take(event: NumberedEvent): boolean {
    if (!(event?.seq > this.seq)) return false;
    this.seq = event.seq;
    this.view = withEvent(this.view, event);
    for (const id of this.#nextWords) this.taken.add(id);
    this.#nextWords = [];
    const isNews = event.seq > (this.#header?.events ?? 0);
    if (event.type !== "record") {
      if (isNews) this.isOpenTurn = event.type !== "cancelled";
      if (event.type === "user" && this.title === "") this.title = titleOf(event.content);
      return false;
    }
    const data = (event.data ?? {}) as Readonly<Record<string, unknown>>;
    switch (event.kind) {
      case "run":
        if (isNews) this.isOpenTurn = false;
        break;
      case "title":
        if (typeof data.text === "string" && isNews) this.title = data.text;
        break;
      case "usage":
        this.usage = sum(this.usage, data);
        break;
      case "message": {
        const { id, kind, refused } = data;
        if (typeof id !== "string") break;
        // Words stay where they are until they can stand in the conversation.
        if (refused === undefined && (kind === "prompt" || kind === "steer")) this.#nextWords.push(id);
        else this.taken.add(id);
        return refused !== undefined;
      }
    }
    return false;
  }
}

/** As stores begin the title of a conversation that nobody has named: without blocks that were added to the words. */
function titleOf(content: unknown): string {
  const [words = ""] = `${content ?? ""}`.split(/\n\n<[a-z][\w-]*(?: [^\n]*)?>\n/, 1);
  const line = words.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return Array.from(line.slice(0, 160)).slice(0, 80).join("").trimEnd();
}

const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

function sum(usage: Usage, more: Readonly<Record<string, unknown>>): Usage {
  const numberOf = (name: string) => (typeof more[name] === "number" ? more[name] : 0);
  return {
    input: usage.input + numberOf("input"),
    output: usage.output + numberOf("output"),
    cacheRead: usage.cacheRead + numberOf("cacheRead"),
    cacheWrite: usage.cacheWrite + numberOf("cacheWrite"),
    reasoning: usage.reasoning + numberOf("reasoning"),
    ...((usage.estimated || more.estimated === true) && { estimated: true }),
  };
}
