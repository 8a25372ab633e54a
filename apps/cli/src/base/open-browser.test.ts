import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { browserCommand, openBrowser } from "./open-browser.ts";

it("the browser's program gets the name of a private file, and never the link", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cogency-browser-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [program, seen] = [join(folder, "opener"), join(folder, "seen")];
  writeFileSync(
    program,
    `#!/bin/sh\n{ echo "$@"; stat -c %a "$1" "$(dirname "$1")"; cat "$1"; } > ${seen}.part; mv ${seen}.part ${seen}\n`,
    { mode: 0o755 },
  );
  const remove = await openBrowser(program, 'http://127.0.0.1:1/#token=abc&conversation="x"');
  await expect.poll(() => existsSync(seen)).toBe(true);
  const [args = "", ...rest] = readFileSync(seen, "utf8").split("\n");
  expect(args).toMatch(/open\.html$/);
  expect(args).not.toContain("abc");
  expect(rest.slice(0, 2)).toEqual(["600", "700"]);
  expect(rest.join("\n")).toContain("0; url=http://127.0.0.1:1/#token=abc&amp;conversation=&quot;x&quot;");
  await remove();
  expect(existsSync(dirname(args))).toBe(false);
});

it("a program that cannot be started is no failure, and without a desktop there is none", async () => {
  const remove = await openBrowser("/nonexistent/browser", "http://127.0.0.1:1/");
  await remove();
  expect(browserCommand("linux", {})).toBeUndefined();
  expect(browserCommand("linux", { DISPLAY: ":0" })).toBe("xdg-open");
  expect(browserCommand("linux", { WAYLAND_DISPLAY: "wayland-0" })).toBe("xdg-open");
  expect(browserCommand("darwin", {})).toBe("open");
});
