import type { Point } from "@cogency/protocol/host";
import { counted, excerpt } from "../../conversation/format.ts";
import { visible } from "../../text.ts";
import type { Actions } from "../page-context.ts";
import { button, tag } from "../tag.ts";
import type { ListedFork } from "./server.ts";

interface Shown {
  readonly conversation: string;
  readonly points: readonly Point[];
  readonly forks: readonly ListedFork[];
  hrefOf(conversation: string, seq?: number): string;
  /** Absent where a person can do nothing. */
  readonly actions: Pick<Actions, "fork" | "name"> | undefined;
}

/** The named points of a conversation, and the tree of its forks. */
export class PointsView {
  readonly element = tag("section", { class: "points", "aria-label": "Points and forks", hidden: true });
  #drawn = "";

  draw(shown: Shown): void {
    const { conversation, points, forks, actions } = shown;
    const key = JSON.stringify([conversation, points, forks, actions !== undefined]);
    // What has the focus stays.
    if (key === this.#drawn) return;
    this.#drawn = key;
    const hasForks = forks.length > 1;
    this.element.hidden = points.length === 0 && !hasForks;
    this.element.replaceChildren(
      ...(points.length > 0
        ? [tag("h2", {}, "Points"), tag("ul", {}, ...points.map((point) => pointRow(point, shown)))]
        : []),
      ...(hasForks ? [tag("h2", {}, "Forks"), tag("ul", {}, ...forkRows(shown))] : []),
    );
  }
}

function pointRow({ name, at }: Point, { conversation, hrefOf, actions }: Shown): HTMLElement {
  return tag(
    "li",
    {},
    tag("a", { href: hrefOf(conversation, at + 1) }, visible(name)),
    " ",
    actions && button("Fork from here", () => actions.fork(at), { class: "quiet" }),
    actions && button("Take the name back", () => actions.name(name, 0), { class: "quiet" }),
  );
}

/** A row each, as far in as there are forks above it. */
function forkRows({ conversation, forks, hrefOf }: Shown): HTMLElement[] {
  const depths = new Map<string, number>();
  return forks.map(({ conversation: name, title, from, at, updatedAt }) => {
    const depth = from === undefined ? 0 : (depths.get(from) ?? 0) + 1;
    depths.set(name, depth);
    const text = visible(excerpt(title || name, 70));
    const isCurrent = name === conversation;
    // Most often a fork has the title of the one that it is from.
    const facts = [
      ...(isCurrent ? ["this one"] : []),
      ...(at === undefined ? [] : [`after ${counted(at, "event")}`]),
      ...(updatedAt === undefined ? ["deleted"] : [clock(updatedAt)]),
    ];
    const shown =
      title === undefined
        ? text
        : tag("a", { href: hrefOf(name), "aria-current": isCurrent ? "page" : undefined }, text);
    const lead = depth === 0 ? "" : "└ ";
    const row = tag("li", {}, lead, shown, " ", tag("span", { class: "fact" }, facts.join(" · ")));
    row.style.paddingInlineStart = `${Math.max(0, Math.min(depth, deepest) - 1)}rem`;
    return row;
  });
}

/** A day and a time, as the page tells them. */
function clock(seconds: number): string {
  return new Date(seconds * 1000).toLocaleString("sv-SE");
}

const deepest = 12;
