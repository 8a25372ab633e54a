import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeSandbox } from "../../test/sandbox/describe-sandbox.ts";
import { openRoot } from "../files/confine/root.ts";
import { findIsolation } from "./bubblewrap.ts";

const helpText =
  "--unshare-all --unshare-user --die-with-parent --new-session --cap-drop --remount-ro --perms --args --seccomp --json-status-fd --block-fd";

describe("findIsolation", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "cogency-bwrap-")));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** A program in place of bubblewrap that fails as bubblewrap would. */
  async function fake(body: string): Promise<void> {
    const help = `if [ "$1" = --help ]; then echo "${helpText}"; exit; fi`;
    await writeFile(join(folder, "bwrap"), `#!/bin/sh\necho tried >> ${folder}/log\n${help}\n${body}\n`, {
      mode: 0o755,
    });
  }
  const found = () => findIsolation({ platform: "linux", architecture: "x64", path: folder });

  it("takes no program in the root, where a command may have put it", async () => {
    await fake("exit 1");
    const { PATH } = process.env;
    process.env.PATH = `${folder}:${PATH}`;
    try {
      findIsolation({}, await openRoot(folder, { access: "project" }));
      expect(await readdir(folder)).toEqual(["bwrap"]);
      const isolation = findIsolation();
      if (isolation.isolated) expect(isolation.program.startsWith(folder)).toBe(false);
    } finally {
      process.env.PATH = PATH;
    }
  });

  it("says what is missing and how to get it", () => {
    expect(found()).toMatchObject({
      isolated: false,
      problem: expect.stringContaining("not found"),
      advice: expect.stringContaining("apt-get install bubblewrap"),
    });
    expect(findIsolation({ platform: "darwin" })).toMatchObject({
      isolated: false,
      problem: expect.stringContaining("only for Linux"),
    });
    expect(findIsolation({ platform: "linux", architecture: "riscv64" })).toMatchObject({
      problem: expect.stringContaining("riscv64"),
    });
  });

  it.each([
    [
      "bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.",
      /unprivileged_userns_clone/,
    ],
    ["bwrap: setting up uid map: Permission denied", /apparmor_restrict_unprivileged_userns/],
    ["bwrap: Creating new namespace failed: Operation not permitted", /In a container/],
    ["bwrap: Creating new namespace failed: No space left on device", /max_user_namespaces/],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", /systempaths=unconfined/],
    ["bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", /AppArmor/],
    ["bwrap: something new", /bwrap --unshare-all --ro-bind/],
  ])("reports the reason %j, and what to do about it", async (message, advice) => {
    await fake(`echo "${message}" >&2; exit 1`);
    expect(found()).toMatchObject({
      isolated: false,
      problem: expect.stringContaining(message),
      advice: expect.stringMatching(advice),
    });
  });

  it.each([
    ["one that is ended by a signal", "kill -KILL $$"],
    ["one that says nothing", "exit 1"],
  ])("does not accept %s as bubblewrap", async (_, body) => {
    await fake(body);
    expect(found()).toMatchObject({ isolated: false, problem: expect.stringContaining("cannot isolate") });
  });

  it("drops the flag that a setuid bubblewrap refuses", async () => {
    await fake('case "$*" in *--disable-userns*) exit 1;; esac; exit 0');
    const isolation = found();
    expect(isolation.isolated && isolation.flags).not.toContain("--disable-userns");
  });

  it("calls a bubblewrap without a needed flag too old", async () => {
    await writeFile(join(folder, "bwrap"), "#!/bin/sh\necho --unshare-all\n", { mode: 0o755 });
    expect(found()).toMatchObject({ isolated: false, problem: expect.stringContaining("too old") });
  });

  it("tries a bubblewrap once, with one process if it has the newest flag", async () => {
    await fake("cat /proc/self/mountinfo");
    expect(found()).toMatchObject({ isolated: true, flags: expect.arrayContaining(["--disable-userns"]) });
    expect(found()).toMatchObject({ isolated: true });
    expect(await readFile(join(folder, "log"), "utf8")).toBe("tried\n");
  });

  it("does not take a program for bubblewrap that prints no mounts and knows no flag", async () => {
    await writeFile(join(folder, "bwrap"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    expect(found()).toMatchObject({ isolated: false, problem: expect.stringContaining("no bubblewrap") });
  });
});

describeSandbox("findIsolation where the kernel refuses user namespaces", () => {
  it("reports the problem", () => {
    const isolation = findIsolation();
    if (!isolation.isolated) return expect.unreachable();
    const source = fileURLToPath(new URL("bubblewrap.ts", import.meta.url));
    const script = `import { findIsolation } from ${JSON.stringify(source)}; console.log(JSON.stringify(findIsolation()));`;
    const flags = ["--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--"];
    const node = [process.execPath, "--input-type=module", "--eval", script];
    const { stdout } = spawnSync(isolation.program, [...flags, ...node], { encoding: "utf8" });
    expect(JSON.parse(stdout)).toMatchObject({ isolated: false, advice: expect.stringContaining("user namespaces") });
  });
});
