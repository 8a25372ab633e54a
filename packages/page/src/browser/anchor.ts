import type { Entry } from "../conversation/step.ts";
import type { PageContext } from "./page-context.ts";
import { tag } from "./tag.ts";

/** The permalink of an entry. */
export function anchor({ seq }: Entry, context: PageContext): HTMLElement {
  return tag("a", { class: "anchor", href: context.hrefOf(seq), "aria-label": `Link to event ${seq}` }, `${seq}`);
}
