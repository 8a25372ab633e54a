import { readFileSync } from "node:fs";
import type { Page } from "./chromium.ts";

/**
 * Measures a page as it stands, in both themes, wide, on a phone, at 200 % and with large text: contrast of each text (AA), names,
 * headings, landmarks, targets, and that nothing is cut off.
 *
 * @throws Error that lists what is wrong
 */
export async function auditPage(page: Page): Promise<void> {
  const audit = readFileSync(new URL("../program/audit-page.js", import.meta.url), "utf8").replace("export ", "");
  const found = new Map<string, string>();
  const measure = async (where: string) => {
    // After the next frame, when what the change brings has been laid out, and colours no longer change.
    const frame = `new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))`;
    const still = `Promise.all(document.getAnimations().map(({ finished }) => finished))`;
    const problems = await page.until(
      `${frame}.then(() => ${still}).then(() => { ${audit}; return auditPage(); }).then((all) => ({ all }))`,
    );
    for (const problem of (problems as { all: string[] }).all) if (!found.has(problem)) found.set(problem, where);
  };
  for (const theme of ["light", "dark"] as const) {
    await page.prefer(theme, "reduce");
    for (const [where, width] of widths) {
      await page.resize(width, 800);
      await measure(`${theme}, ${where}`);
    }
  }
  const root = "document.documentElement.style";
  await page.resize(1280, 800);
  await page.until(`(${root}.fontSize = "200%", true)`);
  await measure("with text of 200 %");
  await page.until(`(${root}.fontSize = "", true)`);
  if ((await page.until(`document.getAnimations().length === 0 ? "none" : "some"`)) === "some")
    found.set("something moves although the person wants less motion", "anywhere");
  if (found.size > 0) throw new Error([...found].map(([problem, where]) => `${problem} (${where})`).join("\n"));
}

const widths: readonly [where: string, width: number][] = [
  ["wide", 1440],
  ["200 % of 1280", 640],
  ["360 pixels", 360],
];
