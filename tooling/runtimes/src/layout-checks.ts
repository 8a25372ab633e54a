import type { Page } from "./chromium.ts";

const widths = [1400, 800, 640, 400, 360];

/** No word of a table is broken, and no cell is cut off: a table that is too wide scrolls in its box. */
export function checkTables(page: Page): Promise<void> {
  return atEachWidth(page, `${brokenWords}; return document.querySelector("td") ? broken : ["there is no table"];`);
}

/** The labels of each axis stand beside one another, within the page, and the last one is there. */
export function checkAxes(page: Page): Promise<void> {
  return atEachWidth(page, `${collisions}; return axes.length > 0 ? found : ["there is no axis"];`);
}

/** @throws Error with what the function body returns at a width */
async function atEachWidth(page: Page, body: string): Promise<void> {
  const problems: string[] = [];
  for (const width of widths) {
    await page.resize(width, 900);
    // What is measured is laid out again after the next frame.
    const frame = `new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))`;
    const { all } = (await page.until(`${frame}.then(() => ({ all: (() => { ${body} })() }))`)) as { all: string[] };
    problems.push(...all.map((problem) => `${problem} (at ${width} pixels)`));
  }
  await page.resize(1280, 800);
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

/** A word that stands on two lines has two boxes of different heights on the page. */
const brokenWords = `
  const broken = [];
  for (const cell of document.querySelectorAll("th, td")) {
    if (!cell.checkVisibility()) continue;
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) broken.push(word + " is broken");
      }
    }
    const box = cell.closest(".scrolls");
    if (!box) broken.push("a table stands in no box that scrolls");
    else if (box.getBoundingClientRect().right > innerWidth + 1) broken.push("a table is wider than the page");
  }`;

const collisions = `
  const found = [];
  const axes = [...document.querySelectorAll(".axis-track")].filter((one) => one.checkVisibility());
  for (const axis of axes) {
    const labels = [...axis.children].filter((one) => getComputedStyle(one).visibility !== "hidden");
    const boxes = labels.map((one) => one.getBoundingClientRect());
    boxes.forEach(({ left, right }, i) => {
      const name = labels[i].textContent;
      if (i > 0 && left < boxes[i - 1].right + 4) found.push(labels[i - 1].textContent + " touches " + name);
      if (right > innerWidth) found.push(name + " stands outside of the page");
    });
    if (labels.at(-1) !== axis.lastElementChild) found.push("the axis does not say how long the run took");
  }`;
