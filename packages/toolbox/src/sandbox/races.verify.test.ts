import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { call } from "../../test/call.ts";
import { describeSandbox } from "../../test/sandbox/describe-sandbox.ts";
import { freshFolder, inSandbox, projectAt } from "../../test/sandbox/in-sandbox.ts";
import { shellTool } from "../shell/shell-tool.ts";

/** The number of commands to start while names are swapped. */
const tries = 25;

describeSandbox("commands in a sandbox, while a folder of the root is swapped for a link to the outside", () => {
  const folder = freshFolder();
  let [root, home, victim] = ["", "", ""];
  beforeEach(async () => {
    [root, home] = [join(folder.path, "root"), join(folder.path, "home")];
    victim = join(home, "secret");
    await mkdir(root);
    await mkdir(home);
    await writeFile(victim, "CANARY");
    const before = process.env.HOME;
    process.env.HOME = home;
    onTestFinished(() => {
      process.env.HOME = before;
    });
  });

  /** Makes repositories, and swaps each for a link to the home folder, relative to the place where bubblewrap follows it. */
  const swap = (milliseconds: number) => `
    use Time::HiRes qw(time); my $end = time + ${milliseconds / 1000};
    my @names = map { "a$_" } 1..12;
    for (@names) { mkdir $_; open(F, ">$_/.git"); print F "gitdir: nowhere\\n"; close F; symlink("../home", "l$_"); }
    open(F, ">on"); close F;
    while (time < $end) { for (@names) { syscall(${process.arch === "x64" ? 316 : 276}, -100, $_, -100, "l$_", 2) } }`;

  async function attempt(): Promise<string> {
    const script = `cat ${victim}; echo W > ${home}/written; ls -A ${home}`;
    return inSandbox(await projectAt(root), script).catch((error: Error) => error.message);
  }

  it("start and see nothing of the outside if another command swaps it", async () => {
    await writeFile(join(root, "swap.pl"), swap(20_000));
    const stop = new AbortController();
    const tool = shellTool(await projectAt(root), { sandbox: "required" });
    const running = call(tool, { command: "perl swap.pl" }, stop.signal).catch(() => {});
    try {
      await expect.poll(() => existsSync(join(root, "on")), { timeout: 5000 }).toBe(true);
      for (let at = 0; at < tries; at++) {
        // The command sees its private home folder, and writes only there.
        expect(await attempt()).toMatch(/No such file or directory\nwritten\n$/);
        expect(await readdir(home)).toEqual(["secret"]);
      }
    } finally {
      stop.abort();
      await running;
    }
  });

  it("see nothing of the outside if a program without a sandbox swaps it", async () => {
    const swapper = spawn("perl", ["-e", swap(20_000)], { cwd: root, stdio: "ignore" });
    try {
      await expect.poll(() => existsSync(join(root, "on")), { timeout: 5000 }).toBe(true);
      for (let at = 0; at < tries; at++) {
        expect(await attempt()).not.toContain("CANARY");
        expect(await readdir(home)).not.toContain("written");
      }
    } finally {
      const gone = once(swapper, "exit");
      swapper.kill("SIGKILL");
      await gone;
    }
  });
});
