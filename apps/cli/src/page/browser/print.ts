import { reveal } from "./tag.ts";

/** On paper nothing can be opened, so calls are printed open; they are closed again afterwards. */
export function openForPrint(): void {
  let opened: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll<HTMLDetailsElement>(".call > details:not([open])")].slice(0, most);
    for (const details of opened) reveal(details);
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
  });
}

const most = 1000;
