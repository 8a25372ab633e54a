import type { Page } from "./chromium.ts";

/** The value of an expression once it is truthy, also if the page goes on to another address meanwhile. */
export async function settled(page: Page, expression: string): Promise<unknown> {
  for (let tries = 20; ; tries--) {
    try {
      return await page.until(expression);
    } catch (error) {
      const isGone = error instanceof Error && /context|navigat/i.test(error.message);
      if (!isGone || tries === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
