import { duration } from "../conversation/format.ts";
import { tag } from "./tag.ts";

/** The times under which the rows of a run stand. As many of them are shown as there is room for, which is measured. */
export function axisView(whole: number): HTMLElement {
  const labels = quarters.map((quarter) => {
    const label = tag("span", {}, duration(whole * quarter));
    label.style.left = `${100 * quarter}%`;
    // The outer ones end with the track, the others stand over their line.
    label.style.translate = `${quarter === 0 || quarter === 1 ? -100 * quarter : -50}%`;
    return label;
  });
  const track = tag("div", { class: "axis-track" }, ...labels);
  new ResizeObserver(() => showThoseThatFit(labels)).observe(track);
  return tag("div", { class: "axis", "aria-hidden": "true" }, track);
}

const quarters = [0, 0.25, 0.5, 0.75, 1];

/** Which labels are shown, the more the better. */
const choices = [[0, 1, 2, 3, 4], [0, 2, 4], [0, 4], [4]];

function showThoseThatFit(labels: readonly HTMLElement[]): void {
  const boxes = labels.map((label) => label.getBoundingClientRect());
  const fits = (shown: readonly number[]) =>
    shown.every((at, i) => i === 0 || (boxes[at]?.left ?? 0) - (boxes[shown[i - 1] ?? 0]?.right ?? 0) >= leastGap);
  const shown = new Set(choices.find(fits));
  // A hidden label keeps its place, so that it can be measured again.
  for (const [i, label] of labels.entries()) label.classList.toggle("left-out", !shown.has(i));
}

/** Pixels between two labels. */
const leastGap = 8;
