import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseResults } from "@cogency/protocol";
import { sqliteStore } from "@cogency/storage-sqlite";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "cogency-approvals-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const store = join(folder, "store.db");
const effects = join(folder, "effects");

/** Runs the process, and kills it with SIGKILL as soon as it has printed `until`. Resolves to its output. */
function live(life: "start" | "recover", until?: string): Promise<string> {
  const script = fileURLToPath(new URL("fixtures/approvals-process.ts", import.meta.url));
  const child = spawn(process.execPath, [script, life, store, effects], { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
    if (until !== undefined && printed.includes(until)) child.kill("SIGKILL");
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve(printed));
  });
}

it("after a kill at an open question, approved calls have run once, refused ones and the open one never", async () => {
  expect(await live("start", "asked open")).toBe("asked yes\nasked no\nasked open\n");
  // Answered questions are not asked again.
  expect(await live("recover")).toMatch(/^asked open\ncompleted Done\.\n$/);

  expect(readFileSync(effects, "utf8").trim().split("\n").toSorted()).toEqual(["look auto", "pay yes"]);
  const opened = await sqliteStore({ path: store });
  const events = await opened.load({ conversation: "c" });
  await opened.close();
  const result = events.findLast((event) => event.type === "result");
  const results = result?.type === "result" ? parseResults(result.content) : undefined;
  expect(results?.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
    "pay success",
    "pay failure",
    "pay failure",
    "look success",
  ]);
  expect(results?.[1]?.content).toContain("not this one");
});
