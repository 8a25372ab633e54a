import type { Store } from "../store.ts";

/** A case before it is bound to a store. `reopen` closes the store it works on and gives the one to go on with. */
export interface Check {
  name: string;
  check(store: Store, reopen: () => Promise<Store>): Promise<void>;
}
