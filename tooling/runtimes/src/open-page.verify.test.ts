import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type OpenPageOptions, openPage } from "./open-page.ts";

const site = mkdtempSync(join(tmpdir(), "site-"));
afterAll(() => rmSync(site, { recursive: true, force: true }));
writeFileSync(join(site, "page.html"), "<!doctype html>");
writeFileSync(join(site, "page.js"), "export {};");
writeFileSync(join(site, "secret.txt"), "");

const report = { name: "Chromium", version: "1.2.3.4", how: "page", passed: 1, failures: [] };

describe("a page that is opened", () => {
  it("is served with its modules, and nothing else", async () => {
    const found = await open(`
      const types = [];
      for (const path of ["page.html", "page.js", "secret.txt", "../page.html", "gone.js"]) {
        const { status, headers } = await fetch(new URL("/" + path, url));
        types.push(status + " " + headers.get("content-type"));
      }
      await send({ ...${JSON.stringify(report)}, failures: types });`);
    expect(found).toEqual({
      ...report,
      failures: ["200 text/html", "200 text/javascript", "404 null", "200 text/html", "404 null"],
    });
  });

  it("has the name of this machine in its address that it is given", async () => {
    const found = await open(`await send({ ...${JSON.stringify(report)}, failures: [new URL(url).hostname] });`, {
      host: "page.localhost",
    });
    expect(found.failures).toEqual(["page.localhost"]);
  });

  it("fails with the error that it sends", async () => {
    await expect(open('await send({ error: "SyntaxError: no" });')).rejects.toThrow("SyntaxError: no");
  });

  it("fails when it sends something else than a report", async () => {
    await expect(open("await send(1);")).rejects.toThrow('The program sent no report, but "1".');
  });

  it("fails with the browser's output if the browser exits", async () => {
    await expect(open('console.error("no display"); process.exit(3);')).rejects.toThrow(
      /ended with exit code 3 before it sent a report\.\n.*no display/s,
    );
  });

  it("fails when the browser does not answer in time, and ends it", async () => {
    await expect(open("", { limit: 2000 })).rejects.toThrow("sent no report within 2 s.");
  });

  it("fails when the browser cannot be started", async () => {
    const browser = { file: join(site, "gone"), env: {} };
    await expect(openPage(browser, "page.html", site)).rejects.toThrow(/gone cannot be started: .*ENOENT/);
  });
});

/** Opens the page in a program that replaces the browser and does not exit by itself. */
function open(program: string, options?: OpenPageOptions) {
  const file = join(mkdtempSync(join(site, "browser-")), "browser.mjs");
  writeFileSync(
    file,
    `#!/usr/bin/env node
    const url = process.argv.at(-1);
    const send = (value) => fetch("http://127.0.0.1:" + new URL(url).port + "/report", { method: "POST", body: JSON.stringify(value) });
    setInterval(() => {}, 1000);
    ${program}`,
    { mode: 0o755 },
  );
  return openPage({ file, env: {} }, "page.html", site, options);
}
