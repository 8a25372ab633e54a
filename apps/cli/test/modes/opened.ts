import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { protocolDriver } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { openJobs } from "@cogency/toolbox/shell";
import type { Approval } from "@cogency/tools";
import { onTestFinished } from "vitest";
import { createApproval } from "../../src/person/approval/approval.ts";
import type { Options } from "../../src/place/config/option-table.ts";
import { processKeys } from "../../src/place/installation-keys.ts";
import type { Rules } from "../../src/place/rules/rules.ts";
import { openAgent } from "../../src/work/open-agent.ts";

/** The tools of the app and what decides about them, in a small repository. */
export async function opened(mode: NonNullable<Options<"mode">["mode"]>, rules?: Rules, jobs = openJobs()) {
  const folder = mkdtempSync(join(tmpdir(), "cogency-modes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "root");
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(root, "package.json"), '{ "scripts": { "test": "node --test" } }');
  writeFileSync(join(root, "src", "index.js"), "export const foo = 1;\n");
  writeFileSync(join(root, "server.js"), "setInterval(() => {}, 1000);\n");
  const git = (...args: string[]) => execFileSync("git", ["-C", root, ...args], { stdio: "ignore" });
  git("init", "--quiet");
  git("add", "-A");
  for (const text of ["one", "two"])
    git("-c", "user.name=ada", "-c", "user.email=a@b.c", "commit", "--allow-empty", "-m", text);
  git("config", "user.name", "ada");
  git("config", "user.email", "a@b.c");
  writeFileSync(join(root, "src", "index.js"), "export const foo = 2;\n");
  const asked: string[] = [];
  const choice = { root, access: "project", mode } as const;
  let approval: Approval | undefined;
  onTestFinished(async () => void (await jobs.endAll()));
  const parts = {
    provider: scripted([]),
    driver: protocolDriver(),
    prices: undefined,
    store: memoryStore(),
    place: ":memory:",
    keyRing: processKeys(),
    jobs,
  };
  const asker = {
    canAnswer: () => true,
    ask: async ({ call }: { call: { args: object } }) => {
      asked.push(JSON.stringify(call.args));
      return { approved: false };
    },
  };
  const { tools } = await openAgent(choice, parts, (surroundings, kept) => {
    approval = createApproval(choice, surroundings, asker, { ...kept, now: () => rules ?? kept.now() });
    return approval;
  });
  if (!approval) throw new Error("Nothing was opened.");
  return { tools, approval, asked, root };
}
