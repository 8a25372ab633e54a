import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";

async function talked() {
  const told: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => told.push(String(text)) > 0);
  onTestFinished(() => void vi.restoreAllMocks());
  const talk = conversationWith(["The key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD."]);
  talk.conversation.submit("What is the key?");
  await vi.waitFor(() => expect(talk.provider.requests).toHaveLength(1), { timeout: 60_000 });
  await talk.idle();
  return { ...talk, told };
}

const pagesIn = (root: string) => readdirSync(root).filter((name) => name.endsWith(".html"));

it("writes the conversation as a page without secrets, also one in memory, and says where", async () => {
  const { conversation, root, told } = await talked();
  await conversation.command("export", "--html");
  const file = join(root, "cogency-c.html");
  const page = readFileSync(file, "utf8");
  expect(page).toMatch(/^<!doctype html>/i);
  expect(page).toContain("What is the key?");
  expect(page).not.toContain("sk-proj-abcdefghijklmnopqrstuvwxyz");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(told.join("")).toContain(`wrote the page to ${file}: what looks like a secret is redacted`);
});

it("never overwrites a page: it takes another name, and refuses the name that a person gives", async () => {
  const { conversation, root, shown } = await talked();
  await conversation.command("export", "--html");
  await conversation.command("export", "--html");
  expect(pagesIn(root)).toEqual(["cogency-c-2.html", "cogency-c.html"]);
  const mine = join(root, "mine.html");
  writeFileSync(mine, "mine");
  await conversation.command("export", `--html ${mine}`);
  expect(shown.at(-1)).toMatch(/mine\.html exists\. Name another file: nothing was written\.$/);
  expect(readFileSync(mine, "utf8")).toBe("mine");
});

it("refuses an empty conversation, and a folder that is not there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cogency-export-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const empty = conversationWith([]);
  await empty.conversation.command("export", "--html");
  expect(empty.shown.at(-1)).toBe("The conversation is empty. Say something first.");
  const { conversation, shown } = await talked();
  await conversation.command("export", `--html ${join(folder, "none/page.html")}`);
  expect(shown.at(-1)).toMatch(/ENOENT|no such file/);
  expect(existsSync(join(folder, "none"))).toBe(false);
});
