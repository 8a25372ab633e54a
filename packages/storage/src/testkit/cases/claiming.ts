import { assertEqual, eventually } from "@cogency/protocol/testkit";
import type { Store } from "../../store.ts";
import type { Claim, ClaimOptions } from "../../wakes.ts";
import { hour } from "../samples/times.ts";

/** Claims all that is due, for an hour, unless the options say otherwise. */
export function claimAll(store: Pick<Store, "claim">, options: Partial<ClaimOptions> = {}): Promise<Claim[]> {
  return store.claim({ owner: "worker", limit: 1_000, ttl: hour, ...options });
}

/** Claims one conversation that is due now. */
export async function claimOne(store: Pick<Store, "claim">, options: Partial<ClaimOptions> = {}): Promise<Claim> {
  const claims = await claimAll(store, { limit: 1, ...options });
  const [claim] = claims;
  if (!claim) throw new Error("A conversation is due, but it could not be claimed.");
  assertEqual(claims.length, 1, "the number of claims with a limit of 1");
  return claim;
}

/** Asks again until a conversation is due, and claims it. */
export function whenDue(
  store: Pick<Store, "claim">,
  patience: number,
  options: Partial<ClaimOptions> = {},
): Promise<Claim> {
  const look = async () => (await claimAll(store, { limit: 1, ...options }))[0];
  return eventually(look, patience, "No conversation became due");
}

/** Asserts that nothing can be claimed now. */
export async function assertNothingDue(
  store: Pick<Store, "claim">,
  what: string,
  options: Partial<ClaimOptions> = {},
): Promise<void> {
  assertEqual(await claimAll(store, options), [], `what can be claimed ${what}`);
}
