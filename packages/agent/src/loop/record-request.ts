import type { ModelRequest } from "@cogency/provider";
import type { RunContext } from "../run-context.ts";
import type { FromLog } from "./from-log.ts";

/**
 * Says in the log what the model is asked, in one append with the first event of the answer. A try of the same request, which the
 * provider makes again, leaves no record of its own.
 *
 * @param fromLog how assembly made its messages from the log; undefined if the driver made other messages
 * @throws TypeError if JSON cannot hold the request
 */
export function recordRequest({ log, requests }: RunContext, request: ModelRequest, fromLog?: FromLog): void {
  if (requests) log.appendWithNext(requests.recordOf(request, fromLog));
}
