import { ClientError } from "../client-error.ts";

/** One server-sent event. */
export interface ServerEvent {
  /** `message` if the server does not name it. */
  readonly event: string;
  readonly data: string;
}

/**
 * Reads the text of a stream of server-sent events, cut anywhere. Ids are left to the events of a conversation, which hold their numbers;
 * a byte order mark to the decoder.
 */
export class EventParser {
  /** Milliseconds after which the server wants the next connection, if it says so. */
  retry: number | undefined;
  /** The beginning of a line, in the pieces in which it came. */
  #line: string[] = [];
  #size = 0;
  #data: string[] = [];
  #event = "";
  #endedByReturn = false;

  /**
   * Takes a piece of the text; returns the events that it completes.
   *
   * @throws ClientError `bad_response` for an event of more than 33,554,432 characters
   */
  write(text: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    let from = this.#endedByReturn && text.startsWith("\n") ? 1 : 0;
    if (text !== "") this.#endedByReturn = text.endsWith("\r");
    lineEnd.lastIndex = from;
    for (let found = lineEnd.exec(text); found; found = lineEnd.exec(text)) {
      this.#keep(text.slice(from, found.index));
      from = lineEnd.lastIndex;
      const event = this.#endLine();
      if (event) events.push(event);
    }
    this.#keep(text.slice(from));
    return events;
  }

  #keep(piece: string): void {
    this.#size += piece.length;
    if (this.#size > longestEvent)
      throw new ClientError("bad_response", "The server sent an event that is too long to be one of a conversation.");
    if (piece !== "") this.#line.push(piece);
  }

  #endLine(): ServerEvent | undefined {
    const line = this.#line.join("");
    this.#line = [];
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1));
    if (name === "data") this.#data.push(value);
    else this.#size -= line.length;
    if (name === "event") this.#event = value;
    if (name === "retry" && /^\d+$/.test(value)) this.retry = Number(value);
    return undefined;
  }

  #dispatch(): ServerEvent | undefined {
    const [data, event] = [this.#data, this.#event];
    this.#data = [];
    this.#event = "";
    this.#size = 0;
    return data.length > 0 ? { event: event || "message", data: data.join("\n") } : undefined;
  }
}

const lineEnd = /\r\n|\r|\n/g;

const longestEvent = 2 ** 25;
