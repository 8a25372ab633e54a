export type { GraphileConnection, GraphileDispatcher, GraphileDispatcherOptions } from "./graphile-dispatcher.ts";
export { graphileDispatcher } from "./graphile-dispatcher.ts";
