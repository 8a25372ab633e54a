import type { Json } from "@cogency/protocol";
import type { Store } from "../store.ts";

/** A store to test. Every case gets a new one. */
export interface StoreUnderTest {
  /** An empty store. */
  store: Store;
  /** Opens the same data again, after the case has closed the store. */
  reopen?(): Promise<Store>;
  /** Lets another process open the same data while the store is open. */
  elsewhere?: Elsewhere;
  /** Removes the data of the case. Called after every store was closed, also if the case failed. */
  dispose?(): Promise<void>;
  /** Milliseconds that a case waits for any single step, such as the next event of `follow`. Defaults to 20,000. */
  patience?: number;
}

export interface Elsewhere {
  /** The `file:` URL or absolute path of a module whose default export is an `OpenElsewhere`. */
  module: string | URL;
  /** The argument of `OpenElsewhere`, such as a path or the address of a server. */
  options: Json;
}

export type OpenElsewhere = (options: Json) => Promise<Store>;
