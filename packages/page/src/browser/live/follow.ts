import type { Piece } from "@cogency/protocol/parts";
import type { PageEvent } from "../../page-source.ts";

export type Connection = "connecting" | "open" | "lost";

export interface Follower {
  onEvent(event: PageEvent): void;
  /** Pieces of what a run is writing. */
  onPieces?(pieces: readonly Piece[]): void;
  onConnection(connection: Connection): void;
}

/**
 * Follows the events of a conversation until it is stopped. A connection that breaks is made again: by the browser, which names
 * the last event that it has, or by us where the browser gives up, and then events come again that are known by their numbers.
 *
 * @returns stops it
 */
export function follow(address: string, { onEvent, onPieces, onConnection }: Follower): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delay = 500;
  const connect = () => {
    source = new EventSource(address);
    source.onopen = () => {
      delay = 500;
      onConnection("open");
    };
    source.onmessage = ({ data }) => onEvent(JSON.parse(data));
    if (onPieces) source.addEventListener("pieces", ({ data }) => onPieces(JSON.parse(data)));
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return onConnection("connecting");
      onConnection("lost");
      timer = setTimeout(connect, delay);
      delay = Math.min(15_000, delay * 2);
    };
  };
  connect();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
