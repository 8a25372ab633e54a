import { reveal, tag } from "./tag.ts";

/** The keys of the page, for its help and for the listener. */
const keys: readonly [key: string, what: string][] = [
  ["j, k", "next and previous entry"],
  ["o, Enter", "open or close the entry"],
  ["r", "request and reply of its step"],
  ["/", "search; Enter goes on, Shift+Enter back"],
  ["a, c, p", "show all, only calls, only problems"],
  ["t", "theme"],
  ["?", "this help"],
];

/** Listens for the keys of the page, and returns the dialog that explains them. Keys in a field are left to the field. */
export function listenForKeys(setFilter: (filter: string) => void): HTMLDialogElement {
  const rows = keys.flatMap(([key, what]) => [tag("dt", {}, tag("kbd", {}, key)), tag("dd", {}, what)]);
  const close = tag("form", { method: "dialog" }, tag("button", {}, "Close"));
  const help = tag(
    "dialog",
    { "aria-labelledby": "help-title" },
    tag("h2", { id: "help-title" }, "Keys"),
    tag("dl", { class: "keys" }, ...rows),
    close,
  );
  addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
    if (target.closest("input, textarea, select, dialog")) return;
    const act = actions[key];
    if (!act || (key === "Enter" && !target.matches(".entry"))) return;
    act();
    event.preventDefault();
  });
  const actions: Readonly<Record<string, () => void>> = {
    j: () => move(1),
    k: () => move(-1),
    o: toggle,
    Enter: toggle,
    r: openRequest,
    "/": () => document.getElementById("search")?.focus(),
    a: () => setFilter("all"),
    c: () => setFilter("calls"),
    p: () => setFilter("problems"),
    t: () => document.getElementById("theme")?.click(),
    "?": () => help.showModal(),
  };
  return help;
}

function move(way: 1 | -1): void {
  const log = document.querySelector<HTMLElement>(".blocks");
  if (!log) return;
  // Asking each entry whether it is visible would lay out all that is not on the screen.
  const entries = [...log.querySelectorAll<HTMLElement>(shownEntries[log.dataset.filter ?? ""] ?? ".entry")];
  const current = document.activeElement?.closest<HTMLElement>(".entry");
  const at = current ? entries.indexOf(current) : -1;
  const next = at === -1 ? firstOnScreen(log, entries) : entries[at + way];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: "nearest" });
}

/** The entries that each filter leaves. */
const shownEntries: Readonly<Record<string, string>> = {
  calls: ".entry.call",
  problems: ".entry:is(.failed, .error)",
};

function firstOnScreen(log: HTMLElement, entries: readonly HTMLElement[]): HTMLElement | undefined {
  const block = [...log.children].find((child) => child.getBoundingClientRect().bottom > 120);
  return entries.find((entry) => !block || block.compareDocumentPosition(entry) !== Node.DOCUMENT_POSITION_PRECEDING);
}

function toggle(): void {
  const details = document.activeElement?.closest(".entry")?.querySelector("details");
  if (!details) return;
  if (details.open) details.open = false;
  else reveal(details);
}

function openRequest(): void {
  const details = document.activeElement?.closest(".step")?.querySelector<HTMLDetailsElement>("details.request");
  if (!details) return;
  if (details.open) details.open = false;
  else reveal(details);
  details.scrollIntoView({ block: "nearest" });
}
