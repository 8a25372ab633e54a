export { createWorker } from "./create-worker.ts";
export type { Dispatcher, Stop, WakeHandler, WakeOptions } from "./dispatcher.ts";
export { healthHandler } from "./health-handler.ts";
export { limitedProvider } from "./limited-provider.ts";
export type { SharedPlacesOptions } from "./shared-places.ts";
export type { StoreDispatcherOptions } from "./store-dispatcher.ts";
export { storeDispatcher } from "./store-dispatcher.ts";
export { troubleLog } from "./troubles.ts";
export type { Verdict } from "./verdict.ts";
export type { WakingStoreOptions } from "./waking-store.ts";
export { wakingStore } from "./waking-store.ts";
export type {
  FailingConversations,
  ParkedByWorker,
  Worker,
  WorkerEvent,
  WorkerHealth,
  WorkerOptions,
} from "./worker.ts";
