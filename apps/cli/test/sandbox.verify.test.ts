import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { openRoot } from "@cogency/toolbox";
import { shellIsolation } from "@cogency/toolbox/shell";
import { describe, expect, it } from "vitest";
import { calling, outcomeOf, place } from "./support/command-line.ts";

const { isolated } = await shellIsolation(await openRoot(".", { access: "project" }));

describe.runIf(isolated)("a command in a sandbox", () => {
  const run = (first: string, ...more: string[]) => [
    ...["run", "go", "--access", "project", "--yes", ...more],
    ...calling([
      {
        name: "shell",
        args: { command: `bash -c 'trap "" TERM; ${first}; touch on; while [ -d "$PWD" ]; do sleep 0.05; done'` },
      },
    ]),
  ];

  it("leaves nothing in the root if the run is cancelled and the command ignores the signal", async () => {
    const { folder, start } = place();
    execFileSync("git", ["init", "--quiet", "--template=", folder]);
    const before = readdirSync(join(folder, ".git"));
    const child = start(run(":"));
    const outcome = outcomeOf(child);
    await expect.poll(() => existsSync(join(folder, "on")), { timeout: 10_000 }).toBe(true);
    expect(readdirSync(join(folder, ".git"))).toContain("commondir");
    child.kill("SIGINT");
    expect((await outcome).code).toBe(130);
    expect(readdirSync(join(folder, ".git"))).toEqual(before);
  });

  it("neither blocks the app's own folders for other runs nor writes there, if the root is the home folder", async () => {
    const { folder, start } = place();
    mkdirSync(join(folder, ".config"));
    const forge = "mv .cache moved; mkdir -p .cache/cogency/compiled; echo x > .cache/cogency/compiled/forged";
    const env = { HOME: folder, XDG_CONFIG_HOME: "", XDG_CACHE_HOME: "" };
    const child = start(run(forge, "--store", ":memory:"), { env });
    const outcome = outcomeOf(child);
    await expect.poll(() => existsSync(join(folder, "on")), { timeout: 10_000 }).toBe(true);
    expect(statSync(join(folder, ".config", "cogency")).isDirectory()).toBe(true);
    child.kill("SIGINT");
    await outcome;
    expect(readdirSync(join(folder, ".config"))).toEqual(["cogency"]);
    expect(existsSync(join(folder, "moved"))).toBe(false);
    expect(readdirSync(join(folder, ".cache", "cogency", "compiled"))).toEqual([expect.stringMatching(/^v\d/)]);
  });
});
