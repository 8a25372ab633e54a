import type { Json } from "@cogency/protocol";
import type { Store } from "@cogency/storage";
import type { Dispatcher } from "../dispatcher.ts";

/** A dispatcher to test, with the store that it wakes workers of. Every case gets a new, empty one. */
export interface DispatcherUnderTest {
  /** Opens both once more, as another process does. A case opens them several times, and they share what is due. */
  open(): Promise<OpenedDispatcher>;
  /** Lets other processes open them. */
  elsewhere?: Elsewhere;
  /** Ends the engine, and the store's server if it has one, without warning, and starts them again with their data. */
  restart?(): Promise<void>;
  /** Removes the data of the case. Called after everything was closed, also if the case failed. */
  dispose?(): Promise<void>;
  /** Milliseconds that a case waits for any single step, such as the call of a handler. Defaults to 20,000. */
  patience?: number;
}

export interface OpenedDispatcher {
  dispatcher: Dispatcher;
  store: Store;
  /** Closes both. Every worker on them has ended. */
  close(): Promise<void>;
}

export interface Elsewhere {
  /** The `file:` URL or absolute path of a program that calls `serveWorker(open)`. */
  module: string | URL;
  /** The argument of `open`, such as the address of a server. */
  options: Json;
}

/** Opens the dispatcher and the store of a case in another process. */
export type OpenElsewhere<Options extends Json> = (options: Options) => Promise<OpenedDispatcher>;
