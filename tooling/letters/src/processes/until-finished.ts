import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Reader, type Shown, startReader } from "./start-reader.ts";
import { type Site, type SiteOptions, startSite } from "./start-site.ts";

/** As `startSite`, until the test has finished. */
export async function start(options: SiteOptions): Promise<Site> {
  const site = await startSite(options);
  onTestFinished(() => site.kill());
  return site;
}

/** A reader of the conversation `c` of Ada, until the test has finished. */
export function follow(...urls: string[]): Reader {
  const reader = startReader(urls, "c");
  onTestFinished(() => reader.kill());
  return reader;
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cogency-letters-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The turn has ended, and the reader shows it. */
export function isOver({ status, parts }: Shown): boolean {
  return status === "idle" && parts.at(-1)?.type === "end";
}
