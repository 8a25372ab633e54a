import type { UserEvent } from "@cogency/protocol";
import { noticeSources } from "@cogency/protocol/host";
import { visible } from "../../base/terminal/text.ts";

/** What a person reads of a notice from outside; undefined for other words to the model. */
export function outsideNotice(event: UserEvent): string | undefined {
  return noticeSources(event).length > 0 ? visible(event.content) : undefined;
}
