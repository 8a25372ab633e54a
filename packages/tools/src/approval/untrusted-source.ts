import type { UserEvent } from "@cogency/protocol";
import { noticeSources } from "@cogency/protocol/host";

/** Where words to the model came from that no person vouched for, as a person reads it; undefined for other words. */
export function untrustedSource(event: UserEvent): string | undefined {
  if (event.origin === "untrusted") return "untrusted input";
  const found = noticeSources(event).find(({ holds }) => holds === "untrusted");
  return found && `a notice of ${found.source}`;
}
