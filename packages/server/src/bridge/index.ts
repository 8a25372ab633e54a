export { type ConversationItems, readItems } from "../stream/read-items.ts";
export type { Bridge, BridgeOptions, BridgeStore, PostedByBridge, Visit } from "./bridge.ts";
export type { Change } from "./change.ts";
export { ChangeReader } from "./change-reader.ts";
export { createBridge } from "./create-bridge.ts";
export { shownItem } from "./shown-item.ts";
export type { TurnEnding, TurnItem } from "./turn-item.ts";
export { addUsage, noUsage } from "./usage.ts";
