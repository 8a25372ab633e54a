import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "./chromium.ts";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Looks at a page as it stands with axe-core, in both themes, on a phone and on a desk.
 *
 * @throws Error that lists what is wrong
 */
export async function checkWithAxe(page: Page): Promise<void> {
  const problems = new Map<string, string>();
  for (const theme of ["light", "dark"] as const) {
    for (const width of [400, 1200]) {
      await page.prefer(theme, "reduce");
      await page.resize(width, 800);
      const found = (await page.until(look)) as { all: string[] };
      for (const problem of found.all) problems.set(problem, `${theme}, ${width} pixels`);
    }
  }
  if (problems.size > 0) throw new Error([...problems].map((one) => one.join(" at ")).join("\n"));
}

/** After the next frame, when the change has been laid out. */
const look = `(async () => {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  if (!globalThis.axe) { ${source} }
  const { violations } = await axe.run();
  return { all: violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary].join(" "))) };
})()`;
