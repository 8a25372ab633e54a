import type { Store } from "@cogency/storage";

/**
 * A name that no other owner has. The store may find by it that this process has died, where it can.
 *
 * @param kind begins the name where it cannot
 */
export function ownerName({ owner }: Partial<Pick<Store, "owner">>, kind: string): string {
  const id = crypto.randomUUID();
  return owner === undefined ? `${kind}-${id}` : `${owner}#${id}`;
}
