import { readFile } from "node:fs/promises";

/** What a browser loads. */
export interface PageFiles {
  html: string;
  script: string;
}

/** Reads the page and its script, which `pnpm build` makes. */
export async function pageFiles(): Promise<PageFiles> {
  const [html, script] = await Promise.all(
    ["../page/page.html", "../dist/page.js"].map((path) => readFile(new URL(path, import.meta.url), "utf8")),
  );
  return { html: html ?? "", script: script ?? "" };
}
