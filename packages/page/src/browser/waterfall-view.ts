import { duration } from "../conversation/format.ts";
import type { ShownConversation } from "../conversation/shown-conversation.ts";
import { type RunTimes, type TimeRow, waterfall } from "../conversation/waterfall.ts";
import { visible } from "../text.ts";
import { axisView } from "./axis-view.ts";
import type { PageContext } from "./page-context.ts";
import { tag } from "./tag.ts";

/** The steps and calls of each run on an axis of time. Each row leads to what it stands for; the arrow keys go up and down. */
export function waterfallView(conversation: ShownConversation, context: PageContext): HTMLElement[] {
  const runs = waterfall(conversation);
  return runs.map((run, i) => runView(run, runs.length > 1 ? `Run ${i + 1}` : "Run", context));
}

function runView(run: RunTimes, title: string, context: PageContext): HTMLElement {
  const rows = run.rows.map((row) => tag("li", {}, rowView(row, run.duration, context)));
  const list = tag("ol", { class: "rows" }, ...rows);
  list.addEventListener("keydown", (event) => {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (way === undefined) return;
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    links[at + way]?.focus();
    event.preventDefault();
  });
  return tag(
    "div",
    { class: "run" },
    tag("h3", {}, title, " ", tag("span", { class: "fact" }, duration(run.duration))),
    axisView(run.duration),
    list,
  );
}

function rowView(row: TimeRow, whole: number, context: PageContext): HTMLElement {
  const { kind, seq, label, from, to, first, ran, isOpen, isFailed } = row;
  const track = tag("span", { class: "track", "aria-hidden": "true" });
  const bar = (begin: number, end: number, name: string) => {
    const element = tag("span", { class: `beam ${name}` });
    element.style.left = `${(100 * begin) / whole}%`;
    element.style.width = `max(2px, ${(100 * Math.max(0, end - begin)) / whole}%)`;
    track.append(element);
  };
  if (kind === "step") {
    bar(from, first ?? to, "asked");
    if (first !== undefined) bar(first, to, isFailed ? "written failed" : "written");
  } else {
    if (ran === undefined || ran - from > whole / 500) bar(from, ran ?? to, "waited");
    if (ran !== undefined) bar(ran, to, isFailed ? "ran failed" : "ran");
  }
  const took = isOpen ? "…" : duration(to - (ran ?? from));
  const words = `${kind === "step" ? "Step" : "Call"} ${visible(label)}, ${took}${isFailed ? ", failed" : ""}`;
  return tag(
    "a",
    { href: context.hrefOf(seq), class: `row-${kind}`, "aria-label": words, title: words },
    tag("span", { class: "row-label" }, visible(label)),
    track,
    tag("span", { class: "time" }, took),
  );
}
