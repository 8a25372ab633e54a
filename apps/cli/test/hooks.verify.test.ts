import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { calling, outcomeOf, place } from "./support/command-line.ts";
import { isolation } from "./support/isolation.ts";

const { isolated } = await isolation();

/** The processes whose words hold a mark. A zombie has none. */
function marked(mark: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(mark);
    } catch {
      return false;
    }
  });
}

describe("an app that is ended while a hook works", () => {
  const ends = ["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"] as const;
  const cases = ends.flatMap((end) => [[end, false] as const, ...(isolated ? [[end, true] as const] : [])]);
  it.each(cases)("by %s leaves nothing behind; in a sandbox: %s", async (end, sandbox) => {
    const at = place();
    const mark = `0.${process.pid}${ends.indexOf(end)}${Number(sandbox)}`;
    const command = `touch begun; sleep 600 ${mark} & sleep 600 ${mark}`;
    mkdirSync(join(at.folder, ".config/cogency"), { recursive: true });
    const hooks = [{ at: "beforeToolUse", command, timeout: 100, sandbox }];
    writeFileSync(join(at.folder, ".config/cogency/config.json"), JSON.stringify({ hooks }));
    const child = at.start(["run", "go on", ...calling([{ name: "list", args: { path: "." } }])]);
    const ended = outcomeOf(child);
    await vi.waitFor(() => expect(existsSync(join(at.folder, "begun"))).toBe(true), { timeout: 60_000 });
    await vi.waitFor(() => expect(marked(mark).length).toBeGreaterThan(1), { timeout: 60_000 });
    child.kill(end);
    await ended;
    await vi.waitFor(() => expect(marked(mark)).toEqual([]), { timeout: 60_000 });
  });
});
