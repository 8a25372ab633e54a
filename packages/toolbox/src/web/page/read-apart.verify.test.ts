import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readApart } from "./read-apart.ts";
import { readerFlags } from "./reader-flags.ts";

const { signal } = new AbortController();
const url = "https://example.com/";

describe("readApart", () => {
  it("reads a page", async () => {
    expect(await readApart("<title>T</title><p>text", url, { signal })).toEqual({ title: "T", text: "text" });
  });

  it.each([
    ["100,000 nested elements", "<div>".repeat(100_000)],
    ["elements that close wrongly", "<p><div></p>".repeat(60_000)],
    ["nested tables", "<table><tr><td>".repeat(30_000)],
    ["nested formatting", "<b><i>".repeat(60_000)],
    ["a million brackets", "<".repeat(1_000_000)],
    ["a million entities", "&amp;".repeat(400_000)],
    ["comments that never end", "<!--".repeat(400_000)],
  ])("refuses %s and says why", async (_what, html) => {
    await expect(readApart(html, url, { signal })).rejects.toMatchObject({
      code: "too_complex",
      url,
      message: expect.stringMatching(/nest|tags/),
    });
  });

  it.each([
    ["an attribute of two megabytes", `<p a="${"x".repeat(2_000_000)}">text</p>`],
    ["10,000 attributes", `<p ${Array.from({ length: 10_000 }, (_, at) => `a${at}=b`).join(" ")}>text</p>`],
    ["a million spaces", `<p>${" ".repeat(1_000_000)}text</p>`],
    ["a million spaces that do not break", `<p>${"\u00a0\n".repeat(500_000)}text</p>`],
    ["100,000 closing tags", `${"</x>".repeat(100_000)}<p>text</p>`],
    ["broken markup", `<p <p a=b">text</p></b></p`],
  ])("reads %s", async (_what, html) => {
    expect((await readApart(html, url, { signal })).text).toContain("text");
  });

  it("ends a page that takes too long", async () => {
    const slow = "<a href=/x>y</a>".repeat(120_000);
    await expect(readApart(slow, url, { signal, timeout: 500 })).rejects.toMatchObject({
      code: "too_complex",
      message: expect.stringContaining("too much time or memory"),
    });
  });

  it("reads at most four pages at a time", async () => {
    const children = () =>
      spawnSync("ps", ["-o", "args=", "--ppid", String(process.pid)], { encoding: "utf8" })
        .stdout.split("\n")
        .filter((line) => line.includes("readable-process")).length;
    const reading = Promise.all(Array.from({ length: 8 }, () => readApart("<p>text", url, { signal })));
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, children());
    }, 20);
    const pages = await reading;
    clearInterval(watch);
    expect(pages.map(({ text }) => text)).toEqual(pages.map(() => "text"));
    expect(most).toBeLessThanOrEqual(4);
  });

  it("runs in a process that can read no other file, write nothing and start nothing", async () => {
    const program = fileURLToPath(new URL("../../../test/web/reach-out.mjs", import.meta.url));
    const reader = fork(program, {
      execArgv: [...readerFlags(program)],
      env: {},
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const [tried] = await once(reader, "message");
    expect(tried).toEqual({
      "read /etc/passwd": "ERR_ACCESS_DENIED",
      "read package.json of the workspace": "ERR_ACCESS_DENIED",
      "write beside its program": "ERR_ACCESS_DENIED",
      "start a program": "ERR_ACCESS_DENIED",
      "start a thread": "ERR_ACCESS_DENIED",
      "use a library": "done",
    });
  });

  it("rejects with the signal's reason", async () => {
    const controller = new AbortController();
    const reading = readApart("<p>text", url, { signal: controller.signal });
    controller.abort(new Error("left"));
    await expect(reading).rejects.toThrow("left");
  });
});
