export type { Bridge, BridgeOptions, BridgeStore, PostedByBridge, Visit } from "./bridge.ts";
export type { Change } from "./change.ts";
export { Changes } from "./changes.ts";
export { createBridge } from "./create-bridge.ts";
export { shownItem } from "./shown-item.ts";
export type { TurnEnding, TurnItem } from "./turn-item.ts";
