import { button } from "./tag.ts";

/** A button that copies a text; undefined where the browser gives a page no clipboard. */
export function copyButton(text: () => string, what = "Copy"): HTMLButtonElement | undefined {
  // A page that is opened from a file has none in some browsers.
  if (!(navigator as { clipboard?: Clipboard }).clipboard) return undefined;
  const element = button(
    what,
    async () => {
      const wasCopied = await navigator.clipboard.writeText(text()).then(
        () => true,
        () => false,
      );
      element.textContent = wasCopied ? "Copied" : "Not copied";
      setTimeout(() => {
        element.textContent = what;
      }, 1500);
    },
    { class: "quiet" },
  );
  return element;
}
