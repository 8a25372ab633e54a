import { chmod, mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Root } from "../../files/confine/root.ts";
import { commandEnvironment } from "./environment.ts";

const root = { base: "/srv/real/project", given: "/srv/project" } as Root;

describe("commandEnvironment", () => {
  const source = {
    PATH: "/usr/bin:/bin",
    HOME: "/home/u",
    LANG: "de_DE.UTF-8",
    LC_ALL: "C",
    TZ: "UTC",
    OPENAI_API_KEY: "canary",
    AWS_SECRET_ACCESS_KEY: "canary",
    NODE_OPTIONS: "--require ./canary.js",
    LD_PRELOAD: "./canary.so",
    LC_ALL_canary: "canary",
    GIT_EXTERNAL_DIFF: "canary",
  };

  it("passes on only listed variables", () => {
    expect(commandEnvironment(root, {}, source)).toEqual({
      PATH: "/usr/bin:/bin",
      HOME: "/home/u",
      LANG: "de_DE.UTF-8",
      LC_ALL: "C",
      TZ: "UTC",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.bareRepository",
      GIT_CONFIG_VALUE_0: "explicit",
    });
  });

  it("adds the host's variables, and removes those that are undefined", () => {
    const environment = commandEnvironment(root, { CI: "1", TZ: undefined, PATH: "./bin" }, source);
    expect(environment).toMatchObject({ CI: "1", PATH: "./bin" });
    expect(environment.TZ).toBeUndefined();
  });

  it.each([
    ["/usr/bin:/srv/project/node_modules/.bin:/bin", "/usr/bin:/bin"],
    ["/srv/real/project:/usr/bin", "/usr/bin"],
    ["/srv/real/project/../project/bin:/usr/bin", "/usr/bin"],
    [".:/usr/bin::bin:./node_modules/.bin:", "/usr/bin"],
    ["/srv/real/project-tools/bin:/usr/bin", "/srv/real/project-tools/bin:/usr/bin"],
    ["", "/usr/local/bin:/usr/bin:/bin"],
    [".", "/usr/local/bin:/usr/bin:/bin"],
  ])("keeps of the PATH %j only folders that no file tool can write to", (path, left) => {
    expect(commandEnvironment(root, {}, { PATH: path }).PATH).toBe(left);
  });

  it("drops a folder of the PATH that is a link into the root", async () => {
    const base = await realpath(await mkdtemp(join(tmpdir(), "cogency-path-")));
    onTestFinished(() => rm(base, { recursive: true }));
    await mkdir(join(base, "project", "bin"), { recursive: true });
    await symlink(join(base, "project", "bin"), join(base, "tools"));
    const own = { base: join(base, "project"), given: join(base, "project") } as Root;
    expect(commandEnvironment(own, {}, { PATH: `${join(base, "tools")}:/usr/bin` }).PATH).toBe("/usr/bin");
  });

  it("drops a folder of the PATH that this user may not search, as a shell skips it", async () => {
    const closed = await mkdtemp(join(tmpdir(), "cogency-path-"));
    await chmod(closed, 0);
    // Modes mean nothing to root.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    onTestFinished(async () => {
      if (isRoot) process.seteuid?.(0);
      await rm(closed, { recursive: true });
    });
    expect(commandEnvironment(root, {}, { PATH: `${closed}:/usr/bin` }).PATH).toBe("/usr/bin");
  });
});
