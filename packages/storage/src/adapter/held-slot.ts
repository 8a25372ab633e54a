import type { Slot } from "../wakes.ts";
import { leaseTtl } from "./checked-numbers.ts";

/** How an adapter changes one place in its data. */
export interface SlotOperations {
  /**
   * Holds the place for `ttl` milliseconds from now, and returns the new end; undefined if the place has ended.
   *
   * @throws StoreError `closed`
   */
  renew(ttl: number): Promise<number | undefined> | number | undefined;
  /** Gives the place back. Does nothing if it has ended already, or if the store was closed. */
  release(): Promise<unknown> | unknown;
}

/**
 * Returns the slot that the data now contain.
 *
 * @param ttl of the grant, in milliseconds
 * @param end Unix time in milliseconds by the clock of the store
 */
export function heldSlot(ttl: number, end: number, operations: SlotOperations): Slot {
  let expiresAt = end;
  return {
    get expiresAt() {
      return expiresAt;
    },
    async renew(longer = ttl) {
      const renewed = await operations.renew(leaseTtl(longer));
      if (renewed === undefined) return false;
      expiresAt = renewed;
      return true;
    },
    async release() {
      await operations.release();
    },
  };
}
