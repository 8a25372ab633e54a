import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { outcomeOf, place } from "./support/command-line.ts";
import { models, read, recorded, write } from "./support/compared.ts";
import { isolation } from "./support/isolation.ts";

it("sums up a set of conversations, writes them as a page without scripts, and keeps the forks if it shall", async () => {
  const { cogency, folder } = place();
  const key = `sk-ant-${"a1B2c3".repeat(8)}`;
  const prompts = ["read notes.txt", "list .", `<script>alert(1)</script> & ${key}`];
  for (const prompt of prompts) await cogency([prompt]);
  const args = ["compare", "--all", "--page", "out.html", "--repeat", "2", "--keep"];
  const { code, stdout, stderr } = await cogency(args);
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(
    /^ +completed +steps +calls .*\nrecorded +3\/3 .*\noffline-1 +6\/6 .*\nSums over 3 conversations/,
  );
  const html = readFileSync(join(folder, "out.html"), "utf8");
  expect(statSync(join(folder, "out.html")).mode & 0o777).toBe(0o600);
  expect(html.includes("<script")).toBe(false);
  expect(html.includes(key)).toBe(false);
  expect(html).toContain("&#60;script&#62;alert(1)&#60;/script&#62; &#38;");
  expect(html).toContain("default-src 'none'");
  const list = (await cogency(["history", "list", "--json"])).stdout;
  expect(list.trim().split("\n")).toHaveLength(3 + 6);
  expect(list).toContain("offline-1: list .");
  expect(await cogency(args)).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") });
});

const { isolated } = await isolation();

/** A place with a conversation, and a folder of its own for copies. */
async function copying() {
  const at = await recorded();
  const temporary = mkdtempSync(join(tmpdir(), "cogency-copies-"));
  onTestFinished(() => rmSync(temporary, { recursive: true }));
  const copies = () => readdirSync(temporary).filter((name) => name.startsWith("cogency-compare-"));
  return { ...at, temporary, copies, env: { TMPDIR: temporary, COGENCY_PROVIDER: "offline" } };
}

const run = ["--calls", "run", "--allow", "write,shell", "--json"];

describe.runIf(isolated)("compare --calls run", () => {
  it("really runs tools in a copy of the folder, which is gone afterwards, and writes nothing to the folder itself", async () => {
    const { cogency, folder, copies, env } = await copying();
    const outside = mkdtempSync(join(tmpdir(), "cogency-outside-"));
    onTestFinished(() => rmSync(outside, { recursive: true }));
    writeFileSync(join(outside, "far.txt"), "far");
    symlinkSync(join(folder, "notes.txt"), join(folder, "link.txt"));
    symlinkSync(outside, join(folder, "away"));
    const before = [readdirSync(folder), readFileSync(join(folder, "notes.txt"), "utf8")];
    const files = ["notes.txt", "new.txt", "link.txt", "away/far.txt", join(folder, "notes.txt"), "../escaped.txt"];
    const command = `echo from a command > made.txt; echo x > ${join(folder, "made.txt")}; echo x > ${join(outside, "far.txt")}`;
    const calls = [
      files.flatMap((file) => write(file)),
      [{ name: "shell", args: { command: `sh -c '${command}'` } }],
      [...read("notes.txt"), ...read("made.txt")],
    ];
    const { code, stdout, stderr } = await cogency(["compare", "c", ...models(calls), ...run], { env });
    expect(code, stderr).toBe(0);
    const [{ variants }] = JSON.parse(stdout).conversations;
    expect(variants[0].uses).toBeUndefined();
    const results = JSON.stringify(variants[0].differences);
    expect(results).toContain("written again");
    expect(results).toContain("from a command");
    expect([readdirSync(folder), readFileSync(join(folder, "notes.txt"), "utf8")]).toEqual(before);
    expect(readFileSync(join(outside, "far.txt"), "utf8")).toBe("far");
    expect(copies()).toEqual([]);
  });

  it("removes the copy after SIGINT while a command runs in it", async () => {
    const { start, folder, temporary, copies, env } = await copying();
    const before = readdirSync(folder);
    const command = "sh -c 'touch on; while true; do sleep 0.05; done'";
    const child = start(["compare", "c", ...models([[{ name: "shell", args: { command } }]]), ...run], { env });
    const outcome = outcomeOf(child);
    const isOn = () => copies().some((name) => existsSync(join(temporary, name, "folder", "on")));
    await expect.poll(isOn, { timeout: 30_000 }).toBe(true);
    child.kill("SIGINT");
    expect((await outcome).code).toBe(130);
    expect(copies()).toEqual([]);
    expect(readdirSync(folder)).toEqual(before);
  });

  it("refuses a folder that is too large before a model is asked, and leaves nothing", async () => {
    const { cogency, folder, copies, env } = await copying();
    mkdirSync(join(folder, "build"));
    writeFileSync(join(folder, "build", "large"), "");
    truncateSync(join(folder, "build", "large"), 600 * 1024 * 1024);
    expect(await cogency(["compare", "c", ...models([read("notes.txt")]), ...run], { env })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("holds more than 512 MB. Name a smaller one with --root"),
    });
    expect(copies()).toEqual([]);
  });
});
