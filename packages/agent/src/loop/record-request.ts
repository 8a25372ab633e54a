import type { MessageForm } from "@cogency/protocol";
import type { ModelRequest } from "@cogency/provider";
import type { RunContext } from "../run-context.ts";

/**
 * Says in the log what the model is asked, in one append with the first event of the answer. A try of the same request, which the
 * provider makes again, leaves no record of its own.
 *
 * @param form the form in which the driver asked for the messages of the log; undefined if it made other messages
 * @throws TypeError if JSON cannot hold the request
 */
export function recordRequest({ log, requests }: RunContext, request: ModelRequest, form?: MessageForm): void {
  if (requests) log.appendWithNext(requests.recordOf(request, form));
}
