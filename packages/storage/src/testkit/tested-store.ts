import type { Json } from "@cogency/protocol";
import type { Store } from "../store.ts";

/** What a case works on. Every case asks for a new one. */
export interface StoreUnderTest {
  /** An empty store. */
  store: Store;
  /** Opens the same data again; the case closes the store before. */
  reopen?(): Promise<Store>;
  /** How another process opens the same data while the store is open. */
  elsewhere?: Elsewhere;
  /** Removes whatever the case left; called after every store was closed, also when the case failed. */
  dispose?(): Promise<void>;
  /** Milliseconds that a case waits for any one thing, such as an event to follow; 20,000 by default. */
  patience?: number;
}

export interface Elsewhere {
  /** A module, by a `file:` URL or an absolute path, whose default export is an `OpenElsewhere`. */
  module: string | URL;
  /** What it is called with: a path, say, or the address of a server. */
  options: Json;
}

export type OpenElsewhere = (options: Json) => Promise<Store>;

/** Names of cases that do not apply to a store, each with the reason. */
export type Declarations = Readonly<Record<string, string>>;
