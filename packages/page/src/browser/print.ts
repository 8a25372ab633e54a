import { reveal } from "./tag.ts";

/** On paper nothing can be opened, so what is closed is printed open; it is closed again afterwards. */
export function openForPrint(): void {
  let opened: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll<HTMLDetailsElement>(closed)].slice(0, most);
    for (const details of opened) reveal(details);
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
  });
}

/** Not what stands inside of a request: most of it was in the one before. */
const closed = ":is(.times, .overview, .thinking, .call) > details:not([open]), .request:not([open])";

const most = 1000;
