import type { Change } from "./change.ts";
import type { TurnItem } from "./turn-item.ts";

/** Makes changes of the items of a conversation, from its first event on. */
export declare class Changes {
  /** The changes that an item brings. An `over` closes what is open, unless the turn waits. */
  read(item: TurnItem): Change[];
}
