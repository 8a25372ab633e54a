import { type AbortScope, bounded, isPromise } from "@cogency/async";
import { breachOf, hookContractError, hookFailedError } from "@cogency/tools/host";
import { type LoopPoint, loopPoints } from "./hook-points.ts";

interface CallBounds {
  /** Ends the wait for the hook. */
  scope: AbortScope;
  /** Milliseconds that the hook may take. */
  timeout: number;
}

/**
 * Calls a hook, and checks what it returns; undefined if it returned nothing, or if the scope aborted first. One that does not return a
 * promise is not waited for.
 *
 * @throws ToolError `hook_failed` if it threw or took too long, `hook_contract` for what its point does not admit
 */
export function callHook<Effect extends object>(
  name: string,
  point: LoopPoint,
  call: () => Effect | undefined | Promise<Effect | undefined>,
  bounds: CallBounds,
): Effect | undefined | Promise<Effect | undefined> {
  let returned: Effect | undefined | Promise<Effect | undefined>;
  try {
    returned = call();
  } catch (error) {
    throw hookFailedError(name, point, error);
  }
  return isPromise(returned) ? settled(name, point, returned, bounds) : checked(name, point, returned);
}

async function settled<Effect extends object>(
  name: string,
  point: LoopPoint,
  returned: Promise<Effect | undefined>,
  { scope, timeout }: CallBounds,
): Promise<Effect | undefined> {
  const settlement = await bounded(() => returned, { scope, timeout, grace: 0 });
  if (settlement.end === "fulfilled") return checked(name, point, settlement.value);
  if (settlement.end === "rejected") throw hookFailedError(name, point, settlement.error);
  if (settlement.end === "timeout") throw hookFailedError(name, point, `it took longer than ${timeout} ms`);
  return undefined;
}

function checked<Effect extends object>(
  name: string,
  point: LoopPoint,
  effect: Effect | undefined,
): Effect | undefined {
  let breach: string | undefined;
  try {
    breach = breachOf(effect, loopPoints[point].effect) ?? stopWithoutReason(effect);
  } catch (error) {
    // A getter of the returned value threw.
    throw hookFailedError(name, point, error);
  }
  if (breach !== undefined) throw hookContractError(name, point, breach);
  return effect;
}

function stopWithoutReason(effect: { stop?: { reason?: unknown } | undefined } | undefined): string | undefined {
  return effect?.stop && effect.stop.reason === undefined ? "stop.reason" : undefined;
}
