import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import {
  chmod,
  chown,
  copyFile,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { page, serve } from "@tooling/loopback";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { call } from "../../test/call.ts";
import { describeSandbox } from "../../test/sandbox/describe-sandbox.ts";
import { freshFolder, inSandbox, projectAt } from "../../test/sandbox/in-sandbox.ts";
import { endingOf } from "../../test/shell/ending-of.ts";
import { expectNothingLeft, workingIn } from "../../test/shell/processes.ts";
import { openRoot } from "../files/confine/root.ts";
import { takeTurn } from "../sandbox/running/turns.ts";
import { shellIsolation } from "./shell-isolation.ts";
import type { ShellResult } from "./shell-result.ts";
import { shellTool } from "./shell-tool.ts";

/** Only root can run a test as another user. */
const isRoot = process.getuid?.() === 0;

describeSandbox("a command in a sandbox", () => {
  const folder = freshFolder();

  it("has no capabilities, gains no privileges, and sees no terminal and no device of the machine", async () => {
    const printed = await inSandbox(
      await projectAt(folder.path),
      "grep -E 'NoNewPrivs|Seccomp:|CapEff|CapBnd' /proc/self/status; find /dev -type b; ls /dev | wc -w; tty; hostname",
    );
    expect(printed.replace(/\s+/g, " ")).toMatch(
      /^CapEff: 0000000000000000 CapBnd: 0000000000000000 NoNewPrivs: 1 Seccomp: 2 1\d not a tty localhost $/,
    );
  });

  it("sees no process, address, key or memory image of the machine", async () => {
    const script =
      "ls -d /proc/[0-9]* | wc -l; cat /proc/net/tcp | wc -l; ls /sys /root/.ssh /etc/shadow; cat /proc/keys; grep core /proc/self/limits";
    const [processes, connections, ...rest] = (await inSandbox(await projectAt(folder.path), script)).split("\n");
    expect(Number(processes)).toBeLessThan(8);
    expect(Number(connections)).toBe(1);
    expect(rest.slice(0, 3)).toEqual([
      expect.stringContaining("cannot access '/sys'"),
      expect.stringContaining("cannot access '/root/.ssh'"),
      expect.stringContaining("cannot access '/etc/shadow'"),
    ]);
    // /proc/keys is covered by a device that cannot be opened. A core limit of one byte prevents memory images and their handler.
    expect(rest[3]).toContain("/proc/keys: Permission denied");
    expect(rest[4]).toMatch(/^Max core file size +1 +1 /);
  });

  it("inherits no descriptor that this process was started with", async () => {
    const program = fileURLToPath(new URL("../../test/sandbox/list-descriptors.mjs", import.meta.url));
    for (const sandbox of ["off", "required"]) {
      // Two files on high descriptors after a gap, as a shell or a supervisor leaves them.
      const script = `exec 40</etc/hostname 77</etc/hostname; exec "$0" "$@"`;
      const args = ["-c", script, process.execPath, program, folder.path, sandbox];
      const { stdout } = spawnSync("bash", args, { encoding: "utf8" });
      const leads = JSON.parse(stdout).stdout as string;
      expect(leads, sandbox).not.toContain("hostname");
      expect(leads, sandbox).toMatch(/77 -> \/dev\/null/);
    }
  });

  it("cannot make system calls that namespaces do not isolate", async () => {
    const family = (number: number) =>
      `socket(${number})=" . (syscall($socket, ${number}, 1, 0) >= 0 ? "open" : $! + 0)`;
    const numbers =
      process.arch === "x64" ? { socket: 41, keyctl: 250, uring: 425 } : { socket: 198, keyctl: 219, uring: 425 };
    const script = `perl -e '$socket = ${numbers.socket}; print "${family(40)} . " ${family(31)} . " ${family(2)};
      print " keyctl=" . (syscall(${numbers.keyctl}, 0, -3, 1) >= 0 ? "open" : $! + 0);
      print " io_uring=" . (syscall(${numbers.uring}, 1, 0) >= 0 ? "open" : $! + 0);
      print " tiocsti=" . (ioctl(STDOUT, 0x5412, $x = "x") ? "open" : $! + 0);
      print " tiocsti+=" . (syscall(${process.arch === "x64" ? 16 : 29}, 1, 0x100005412, $x) >= 0 ? "open" : $! + 0)'`;
    expect(await inSandbox(await projectAt(folder.path), script)).toBe(
      "socket(40)=97 socket(31)=97 socket(2)=open keyctl=1 io_uring=38 tiocsti=1 tiocsti+=1",
    );
  });

  it("cannot connect a datagram socket of a pair where unix sockets are refused", async () => {
    const address = join(folder.path, "log");
    const daemon = `use Socket; socket(S, AF_UNIX, SOCK_DGRAM, 0); bind(S, pack_sockaddr_un("${address}")); open(F, ">${folder.path}/on"); close F; recv(S, $b, 9, 0); print $b`;
    const listener = spawn("perl", ["-e", daemon]);
    onTestFinished(() => void listener.kill("SIGKILL"));
    let heard = "";
    listener.stdout.on("data", (data) => (heard += data));
    await expect.poll(() => existsSync(join(folder.path, "on"))).toBe(true);
    const script = `perl -MSocket -e 'sub pair { socketpair(A, B, AF_UNIX, $_[0], 0) ? "open " : $! + 0 . " " } print pair(SOCK_STREAM), pair(SOCK_STREAM | 02004000), pair(SOCK_SEQPACKET), pair(SOCK_DGRAM), pair(SOCK_DGRAM | 02000000);
      connect(A, pack_sockaddr_un("${address}")); send(A, "CANARY", 0)'`;
    const options = { network: "full" } as const;
    expect(await inSandbox(await projectAt(folder.path), script, options)).toBe("open open open 1 1 ");
    expect(heard).toBe("");
  });

  if (isRoot)
    it("is confined for an ordinary user as for root", async () => {
      // The other user may not be able to read this checkout, nor the Node in it.
      const readable = await mkdtemp(join(tmpdir(), "cogency-readable-"));
      onTestFinished(() => rm(readable, { recursive: true }));
      await chmod(readable, 0o755);
      const [node, program] = [join(readable, "node"), join(readable, "list-descriptors.mjs")];
      await copyFile(process.execPath, node);
      await build({
        entryPoints: [fileURLToPath(new URL("../../test/sandbox/list-descriptors.mjs", import.meta.url))],
        outfile: program,
        bundle: true,
        platform: "node",
        format: "esm",
        banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      });
      await chmod(folder.path, 0o755);
      await chown(folder.path, 65534, 65534);
      const args = ["--reuid=65534", "--regid=65534", "--clear-groups", node, program, folder.path, "required"];
      const { stdout, stderr } = spawnSync("setpriv", args, {
        encoding: "utf8",
        env: { PATH: process.env.PATH, HOME: "/nonexistent" },
      });
      expect(stderr).toBe("");
      expect(JSON.parse(stdout)).toMatchObject({ exitCode: 0 });
    });

  describe("with all processes that it started", () => {
    const daemon =
      "(setsid bash -c '(sleep 300 & exec 0<&- 1>&- 2>&-) & disown' &); (setsid setsid nohup sleep 300 &>/dev/null &)";

    it.each([
      ["its own end", daemon, 20_000],
      ["its time limit", `${daemon}; trap "" TERM; while :; do sleep 0.05; done`, 500],
      [
        "a time limit of a fork bomb that hears no signal",
        'trap "" TERM HUP; f() { [ $1 = 0 ] || { f $(($1 - 1)) & f $(($1 - 1)) & }; sleep 30; }; f 6',
        500,
      ],
    ])("ends at %s", async (_, script, timeout) => {
      const tool = shellTool(await projectAt(folder.path), { sandbox: "required", timeout, killAfter: 100 });
      await call(tool, { command: `bash -c '${script.replaceAll("'", "'\\''")}'` }).catch(() => {});
      // No waiting: all processes must be gone before the call returns.
      expect(workingIn(folder.path)).toEqual([]);
    });

    it("ends when it is cancelled", async () => {
      const controller = new AbortController();
      const tool = shellTool(await projectAt(folder.path), { sandbox: "required", killAfter: 100 });
      const command = `bash -c '${`${daemon}; echo on; sleep 60`.replaceAll("'", "'\\''")}'`;
      await call(tool, { command }, controller.signal, () => controller.abort()).catch(() => {});
      await expectNothingLeft(folder.path);
    });
  });

  describe("commits", () => {
    const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" });
    const commit =
      "echo x >> a; git add a && git -c user.name=A -c user.email=a@b commit -qm second && git log --format=%s";
    function repository(path: string): void {
      git("/", "init", "--quiet", path);
      git(path, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "-m", "first");
    }

    it("in a repository, with branches, stashes and garbage collection", async () => {
      repository(folder.path);
      const more =
        "git checkout -qb b; git branch --list b; echo y >> a; git stash -q; git stash list | wc -l; git gc -q; git fsck";
      expect(await inSandbox(await projectAt(folder.path), `${commit}; ${more}`)).toMatch(/^second\nfirst\n\* b\n1\n/);
      expect(git(folder.path, "log", "--format=%s", "b")).toBe("second\nfirst\n");
      expect((await readdir(join(folder.path, ".git"))).filter((name) => name === "commondir")).toEqual([]);
    });

    it("everything in a repository except the store in it", async () => {
      repository(folder.path);
      const store = join(folder.path, "data", "x #1.db");
      await mkdir(join(folder.path, "data"));
      await writeFile(store, "CANARY");
      const root = {
        ...(await openRoot(folder.path, { access: "project", guarded: [store, join(folder.path, "missing.db")] })),
      };
      const all =
        "echo x > a; echo x > data/b; git add -A && git -c user.name=A -c user.email=a@b commit -qm all; git status --short; git stash -u; git show --format= --name-only";
      expect(await inSandbox(root, all)).toBe("No local changes to save\na\ndata/b\n");
    });

    it("in a worktree of a repository elsewhere, whose settings it cannot change", async () => {
      const [main, worktree] = [join(folder.path, "main"), join(folder.path, "worktree")];
      repository(main);
      git(main, "worktree", "add", "--quiet", worktree);
      const attack = `echo x >> ${main}/.git/config; echo x > ${main}/.git/hooks/a; echo x > ${main}/.git/worktrees/worktree/commondir; echo y > .git; ls ${main}`;
      const printed = await inSandbox(await projectAt(worktree), `${commit}; ${attack}`);
      expect(printed).toMatch(/^second\nfirst\n/);
      expect(printed.match(/Read-only file system/g)).toHaveLength(4);
      expect(git(main, "log", "--format=%s", "worktree")).toBe("second\nfirst\n");
    });

    it("in a submodule", async () => {
      const [library, main] = [join(folder.path, "library"), join(folder.path, "main")];
      repository(library);
      repository(main);
      git(main, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "sub");
      const attack = "echo x >> .git; echo x >> ../.git/modules/sub/config; mv ../.git/modules/sub ../.git/modules/x";
      const printed = await inSandbox(await projectAt(main), `cd sub; ${commit}; ${attack}`);
      expect(printed).toMatch(/^second\nfirst\n/);
      expect(printed.match(/Read-only file system|Device or resource busy/g)).toHaveLength(3);
    });

    it("with the user's name and email", async () => {
      repository(folder.path);
      const printed = await inSandbox(await projectAt(folder.path), "git config user.name || echo none");
      const outside =
        spawnSync("git", ["config", "--global", "user.name"], { encoding: "utf8", cwd: "/" }).stdout || "none\n";
      expect(printed).toBe(outside);
    });

    it("but cannot change the folder of hooks that the settings name, nor included settings", async () => {
      repository(folder.path);
      await mkdir(join(folder.path, ".husky", "_"), { recursive: true });
      await writeFile(join(folder.path, "more"), "");
      git(folder.path, "config", "core.hooksPath", ".husky/_");
      git(folder.path, "config", "include.path", "../more");
      git(folder.path, "config", "includeIf.onbranch:x.path", "../none");
      const printed = await inSandbox(
        await projectAt(folder.path),
        "echo x > .husky/pre-commit; echo x > .husky/_/a; echo x > more; echo x > none; mv .husky h; mv more m; rm none",
      );
      expect(printed.match(/Read-only file system|Device or resource busy/g)).toHaveLength(7);
    });

    it.each([
      ["its HEAD is moved away", "mv .git/HEAD .git/OLD"],
      ["its HEAD is no branch", "echo x > .git/HEAD"],
      ["its HEAD is a folder", "rm .git/HEAD; mkdir .git/HEAD; echo x > .git/HEAD/x"],
      ["its HEAD is a link", "ln -sf /etc/passwd .git/HEAD"],
      ["its objects cannot be entered", "chmod 0 .git/objects"],
    ])("and gets its repository restored when %s, and the call says so", async (_, script) => {
      repository(folder.path);
      const bare = `mkdir objects refs; echo "ref: refs/heads/main" > HEAD; printf '[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ran; false"\n' > config`;
      await writeFile(join(folder.path, "script"), `${bare}\n${script}`);
      const run = call(shellTool(await projectAt(folder.path), { sandbox: "required" }), { command: "bash script" });
      await expect(run).rejects.toMatchObject({ message: expect.stringContaining(`${folder.path}/.git`) });
      git(folder.path, "status");
      expect(await readdir(folder.path)).not.toContain("ran");
      expect(git(folder.path, "rev-parse", "--absolute-git-dir")).toBe(`${folder.path}/.git\n`);
    });

    it("but cannot remove the folders that make it a repository", async () => {
      repository(folder.path);
      const printed = await inSandbox(
        await projectAt(folder.path),
        "mv .git/objects o; mv .git/refs r; rm -rf .git/refs",
      );
      expect(printed.match(/Device or resource busy/g)).toHaveLength(3);
    });

    it.each<[what: string, set: (root: string) => void, file: string]>([
      [
        "hooks in a folder whose parent is missing",
        (root) => git(root, "config", "core.hooksPath", "tools/hooks"),
        "tools/hooks/pre-commit",
      ],
      [
        "settings in a folder that is missing",
        (root) => git(root, "config", "include.path", "../conf/git/more"),
        "conf/git/more",
      ],
      [
        "hooks by the settings of the worktree",
        (root) => {
          git(root, "config", "extensions.worktreeConfig", "true");
          git(root, "config", "--worktree", "core.hooksPath", "tools");
        },
        "tools/pre-commit",
      ],
      [
        "a program that watches files",
        (root) => git(root, "config", "core.fsmonitor", "tools/watch.sh --fast"),
        "tools/watch.sh",
      ],
      ["a filter", (root) => git(root, "config", "filter.x.clean", "sh -c 'exec \"./tools/x.sh\"'"), "tools/x.sh"],
      ["an alias", (root) => git(root, "config", "alias.x", "!tools/alias"), "tools/alias"],
    ])("but cannot create what the settings name: %s", async (_, set, file) => {
      repository(folder.path);
      set(folder.path);
      const printed = await inSandbox(
        await projectAt(folder.path),
        `mkdir -p $(dirname ${file}); echo x > ${file}; echo made > other`,
      );
      expect(printed).toMatch(/Read-only file system|Permission denied|File exists/);
      expect(existsSync(join(folder.path, file))).toBe(false);
      expect(existsSync(join(folder.path, "other"))).toBe(true);
    });

    it("but cannot change hooks that the settings of the user or of a repository above name", async () => {
      const app = join(folder.path, "packages", "app");
      repository(folder.path);
      git(folder.path, "config", "core.hooksPath", "packages/app/.husky");
      await mkdir(join(app, ".husky"), { recursive: true });
      expect(await inSandbox(await projectAt(app), "echo x > .husky/pre-commit")).toContain("Read-only file system");

      const home = process.env.HOME;
      process.env.HOME = join(folder.path, "home");
      onTestFinished(() => {
        process.env.HOME = home;
      });
      await mkdir(process.env.HOME);
      await writeFile(join(process.env.HOME, ".gitconfig"), "[core]\n\thooksPath = tools/hooks\n");
      const own = join(folder.path, "own");
      repository(own);
      const printed = await inSandbox(await projectAt(own), "mkdir -p tools/hooks; echo x > tools/hooks/pre-commit");
      expect(printed).toContain("Read-only file system");
    });

    it("but cannot change the settings of a bare repository", async () => {
      git("/", "init", "--quiet", "--bare", join(folder.path, "origin.git"));
      const script = "echo x > origin.git/hooks/post-receive; echo x >> origin.git/config; mv origin.git o";
      const printed = await inSandbox(await projectAt(folder.path), script);
      expect(printed.match(/Read-only file system|Device or resource busy/g)).toHaveLength(3);
    });

    it("but cannot hide a repository behind many folders", async () => {
      repository(join(folder.path, "pkg", "lib"));
      const root = await projectAt(folder.path);
      await inSandbox(root, "mkdir pkg/d{1..900} d{1..900}");
      expect(await inSandbox(root, "echo x >> pkg/lib/.git/config")).toContain("Read-only file system");
    });

    it("and starts despite thousands of worktrees or submodules that a command made", async () => {
      repository(folder.path);
      const root = await projectAt(folder.path);
      const flood =
        "mkdir -p .git/worktrees/w{1..2000} .git/modules/m{1..2000}; for i in {1..2000}; do echo . > .git/worktrees/w$i/commondir; echo x > .git/modules/m$i/HEAD; done";
      await inSandbox(root, flood);
      const attack = `${commit}; echo x > .git/worktrees/w1/gitdir; echo x > .git/modules/m1/config`;
      const printed = await inSandbox(root, attack);
      expect(printed).toMatch(/^second\nfirst\n/);
      expect(printed.match(/Read-only file system/g)).toHaveLength(2);
    });

    it("and names what to remove if there are too many repositories", async () => {
      const root = await projectAt(folder.path);
      execFileSync("bash", ["-c", "mkdir -p r{1..400}/.git"], { cwd: folder.path });
      await expect(inSandbox(root, "true")).rejects.toMatchObject({
        code: "isolation_unavailable",
        message: expect.stringContaining("remove those that are not needed"),
      });
    });

    it.each<[what: string, make: (secret: string, root: string) => Promise<unknown>]>([
      ["a file that names it", (secret, root) => writeFile(join(root, ".git"), `gitdir: ${secret}\n`)],
      ["a link", (secret, root) => symlink(secret, join(root, ".git"))],
      [
        "a file that names the folder of a worktree elsewhere",
        async (secret, root) => {
          git(secret, "worktree", "add", "--quiet", join(root, "..", "elsewhere"));
          await writeFile(join(root, ".git"), `gitdir: ${secret}/worktrees/elsewhere\n`);
        },
      ],
      [
        "a folder of a worktree that says so itself",
        async (secret, root) => {
          await mkdir(join(root, "w", "own"), { recursive: true });
          await writeFile(join(root, "w", "own", "gitdir"), `${root}/.git\n`);
          await writeFile(join(root, "w", "own", "commondir"), `${secret}\n`);
          await writeFile(join(root, ".git"), `gitdir: ${root}/w/own\n`);
        },
      ],
      [
        "a repository of its own that has its settings there",
        async (secret, root) => {
          repository(root);
          await writeFile(join(root, ".git", "commondir"), `${secret}\n`);
        },
      ],
    ])("and shows no folder outside because of %s", async (_, make) => {
      const [secret, root] = [join(folder.path, "secret"), join(folder.path, "root")];
      await mkdir(root);
      repository(secret);
      await make(join(secret, ".git"), root);
      expect(await inSandbox(await projectAt(root), `cat ${secret}/.git/HEAD`)).toContain("No such file or directory");
    });
  });

  describe("beside hostile files in place of git's own", () => {
    it.each([".git", "s/.git", ".git/config", ".git/commondir", "s/.git/HEAD", ".git/worktrees/w/gitdir"])(
      "starts although %s is a pipe without a writer",
      async (name) => {
        if (name.startsWith(".git/")) execFileSync("git", ["init", "--quiet", folder.path]);
        const path = join(folder.path, name);
        await mkdir(join(path, ".."), { recursive: true });
        await rm(path, { force: true });
        execFileSync("mkfifo", [path]);
        expect(await inSandbox(await projectAt(folder.path), "echo on", { timeout: 10_000 })).toBe("on\n");
      },
    );

    it("does not start, and takes no memory, if settings are too large", async () => {
      execFileSync("git", ["init", "--quiet", folder.path]);
      await truncate(join(folder.path, ".git", "config"), 2 ** 31);
      const before = process.memoryUsage().rss;
      await expect(inSandbox(await projectAt(folder.path), "echo on")).rejects.toMatchObject({
        code: "isolation_unavailable",
        message: expect.stringContaining("too large"),
      });
      expect(process.memoryUsage().rss - before).toBeLessThan(2 ** 28);
    });

    it("ends if its call is cancelled or reaches its time limit before its turn", async () => {
      const endTurn = await takeTurn();
      try {
        const tool = shellTool(await projectAt(folder.path), { sandbox: "required", timeout: 200 });
        await expect(call(tool, { command: "true" })).rejects.toMatchObject({ code: "isolation_unavailable" });
        const patient = shellTool(await projectAt(folder.path), { sandbox: "required" });
        await expect(call(patient, { command: "true" }, AbortSignal.timeout(200))).rejects.toMatchObject({
          name: "TimeoutError",
        });
      } finally {
        await endTurn();
      }
    });
  });

  describe("with an unusual root", () => {
    it.each(["with  spaces", "with\nnewlines\t", "with'quotes\"$(id)", "-rf", "ä\u200b😀"])(
      "runs in a root called %j",
      async (name) => {
        const path = join(folder.path, name);
        await mkdir(path);
        await writeFile(join(path, "guarded"), "CANARY");
        const root = await projectAt(path, { guarded: [join(path, "guarded")] });
        expect(await inSandbox(root, "cat ./guarded; echo made > ./made; cat ./made; ls ..")).toMatch(/made\n.*$/s);
        expect(await readFile(join(path, "made"), "utf8")).toBe("made\n");
        expect(await inSandbox(root, "cat ./guarded")).not.toContain("CANARY");
      },
    );

    it("runs in a root named by a link", async () => {
      await mkdir(join(folder.path, "real"));
      await symlink(join(folder.path, "real"), join(folder.path, "link"));
      await inSandbox(await projectAt(join(folder.path, "link")), "echo x > made");
      expect(await readdir(join(folder.path, "real"))).toEqual(["made"]);
    });

    it("sees only the sandbox folder with sandbox access, and nothing else of the project", async () => {
      await writeFile(join(folder.path, "secret"), "CANARY");
      const root = await projectAt(folder.path, { access: "sandbox" });
      expect(await inSandbox(root, "cat ../../secret; echo x > made; ls")).toMatch(/No such file(?:.|\n)*\nmade\n$/);
    });

    it("sees a root that is the home folder, without guarded files, and reaches no socket of the user", async () => {
      const home = process.env.HOME;
      process.env.HOME = folder.path;
      onTestFinished(() => {
        process.env.HOME = home;
      });
      await mkdir(join(folder.path, ".cogency"));
      await writeFile(join(folder.path, ".cogency", "key"), "CANARY");
      const root = await projectAt(folder.path, { guarded: [join(folder.path, ".cogency")] });
      const script = `cat .cogency/key; ls -A .cogency; echo x > .cogency/new; mv .cogency c; echo $HOME;
        perl -e 'print socket(S, 1, 1, 0) ? "open" : "closed"'`;
      const printed = await inSandbox(root, script);
      expect(printed).not.toContain("CANARY");
      expect(printed).toMatch(/Read-only file system(?:.|\n)*busy\n\/run\/home\nclosed$/);
      expect(await readdir(join(folder.path, ".cogency"))).toEqual(["key"]);
    });

    it("sees a root that is the whole file system, without guarded files and other processes", async () => {
      const [base, guarded] = [join(homedir(), `.cogency-test-${process.pid}`), join(folder.path, "guarded")];
      await mkdir(base);
      onTestFinished(() => rm(base, { recursive: true }));
      await mkdir(join(base, "guarded"));
      await writeFile(join(base, "guarded", "key"), "CANARY");
      await mkdir(guarded);
      const root = await projectAt(base, { access: "system", guarded: [join(base, "guarded"), guarded] });
      const printed = await inSandbox(
        root,
        `pwd; cat guarded/key; ls /tmp /run; cat /etc/hostname; ls -d /proc/[0-9]* | wc -l; mv guarded g`,
      );
      expect(printed).not.toContain("CANARY");
      expect(printed).toContain(`${base}\n`);
      expect(printed).toMatch(/\/tmp:\n\n?\/?|busy/);
      expect(Number(/^(\d+)$/m.exec(printed)?.[1])).toBeLessThan(8);
    });

    it.each(["/proc/self", "/dev", "/run"])(
      "is refused in the root %s, of which every sandbox has its own",
      async (path) => {
        const root = await projectAt(path);
        expect(() => shellTool(root, { sandbox: "required" })).toThrow(
          expect.objectContaining({ code: "isolation_unavailable" }),
        );
      },
    );

    it("runs in a root that cannot be written to", async () => {
      await writeFile(join(folder.path, "a"), "text");
      await chmod(folder.path, 0o555);
      const root = await projectAt(folder.path, { guarded: [join(folder.path, "a")] });
      expect(await inSandbox(root, "cat a; pwd")).toContain(`${folder.path}\n`);
      await chmod(folder.path, 0o755);
    });
  });

  describe("cannot reach guarded paths", () => {
    it("by the name of a link, or when the path to it goes through one", async () => {
      await mkdir(join(folder.path, "store"));
      await writeFile(join(folder.path, "store", "db"), "CANARY");
      await symlink("store", join(folder.path, "link"));
      await symlink("store/db", join(folder.path, "file"));
      const root = await projectAt(folder.path, { guarded: [join(folder.path, "link", "db")] });
      const printed = await inSandbox(
        root,
        "cat store/db link/db file; ln store/db hard; cat hard; mv store s; cat s/db",
      );
      expect(printed).not.toContain("CANARY");
    });

    it("that do not exist yet, at any depth, and leaves no placeholder", async () => {
      const guarded = ["new.db", "new.db-journal", "a/b/c.db"].map((name) => join(folder.path, name));
      const root = await projectAt(folder.path, { guarded });
      const script =
        "for f in new.db new.db-journal a/b/c.db; do mkdir -p $(dirname $f); echo x > $f; done; mkdir b; mv b a; ln -s /etc a; ls -A";
      await inSandbox(root, script);
      expect(await readdir(folder.path)).toEqual(["b"]);
    });

    it("and keeps what the agent creates there meanwhile", async () => {
      const store = join(folder.path, "new.db");
      const root = await projectAt(folder.path, { guarded: [store] });
      const tool = shellTool(root, { sandbox: "required" });
      const command =
        "bash -c 'exec 2>/dev/null; echo on; while [ ! -e go ]; do sleep 0.01; done; cat new.db; echo read'";
      const running = call(tool, { command }, undefined, (update) => {
        if ((update as { text: string }).text === "on\n")
          void writeFile(store, "SECRET").then(() => writeFile(join(folder.path, "go"), ""));
      });
      expect(((await running) as ShellResult).stdout).toBe("on\nread\n");
      expect(await readFile(store, "utf8")).toBe("SECRET");
    });

    it("by the name of a hard link", async () => {
      const store = join(folder.path, "store.db");
      await writeFile(store, "CANARY");
      await mkdir(join(folder.path, "s", "t"), { recursive: true });
      for (const name of ["backup", "s/t/y"]) await link(store, join(folder.path, name));
      const printed = await inSandbox(
        await projectAt(folder.path, { guarded: [store] }),
        "cat backup s/t/y; echo x > s/t/y",
      );
      expect(printed).not.toContain("CANARY");
      expect(await readFile(store, "utf8")).toBe("CANARY");
    });

    it("through the folders of the PATH or of `readable`", async () => {
      const tools = join(folder.path, "tools", "bin");
      await mkdir(tools, { recursive: true });
      await mkdir(join(folder.path, "root"));
      for (const file of ["key", "bin/key"]) await writeFile(join(folder.path, "tools", file), "CANARY");
      const guarded = [join(folder.path, "tools", "key"), join(tools, "key")];
      const root = await projectAt(join(folder.path, "root"), { guarded });
      const readable = [join(folder.path, "tools")];
      expect(await inSandbox(root, `ls ${tools}; cat ${guarded.join(" ")}`, { readable })).not.toContain("CANARY");
    });
  });

  it("sees the programs of the PATH with their libraries, and nothing else of a home folder", async () => {
    const home = join(folder.path, "home");
    const bin = join(home, ".tool", "bin");
    await mkdir(bin, { recursive: true });
    await mkdir(join(home, ".tool", "lib"));
    // The same deeper in the home folder, where files beside the programs may be the user's own.
    const deep = join(home, "dev", "deep");
    for (const name of ["bin", "lib", "conf", "src", "share"]) {
      await mkdir(join(deep, name), { recursive: true });
      await writeFile(join(deep, name, "file"), `deep ${name}\n`);
    }
    await mkdir(join(folder.path, "root"));
    for (const file of [".tool/credentials", ".secret", ".tool/lib/part"]) await writeFile(join(home, file), "text");
    await writeFile(join(bin, "tool"), '#!/bin/sh\ncat "$(dirname "$0")/../lib/part"\n', { mode: 0o755 });
    const before = { HOME: process.env.HOME, PATH: process.env.PATH };
    Object.assign(process.env, { HOME: home, PATH: `${bin}:${deep}/bin:${before.PATH}` });
    onTestFinished(() => void Object.assign(process.env, before));
    const printed = await inSandbox(
      await projectAt(join(folder.path, "root")),
      "tool; echo; echo $HOME; ls -A ~ ~/.tool; touch ~/.tool/bin/x",
    );
    expect(printed).toMatch(/^text\n.*\/home\n(?:.|\n)*\.tool:\nbin\nlib\n.*Read-only file system\n$/);
    expect(printed).not.toMatch(/secret|credentials/);
    const inside = await inSandbox(await projectAt(join(folder.path, "root")), `cat ${deep}/*/file`);
    expect(inside).toBe("deep bin\ndeep lib\n");
  });

  it("runs a program that the PATH holds as a link, with its libraries", async () => {
    const [links, tool] = [join(folder.path, "links"), join(folder.path, "opt", "tool")];
    for (const path of [links, join(tool, "bin"), join(tool, "lib"), join(folder.path, "root")]) {
      await mkdir(path, { recursive: true });
    }
    await writeFile(join(tool, "lib", "part"), "text");
    await writeFile(join(tool, "secret"), "CANARY");
    await writeFile(join(tool, "bin", "tool"), `#!/bin/sh\ncat ${tool}/lib/part ${tool}/secret\n`, { mode: 0o755 });
    await symlink(join(tool, "bin", "tool"), join(links, "tool"));
    await symlink(process.execPath, join(links, "own-node"));
    const path = process.env.PATH;
    process.env.PATH = `${links}:${path}`;
    onTestFinished(() => {
      process.env.PATH = path;
    });
    const shell = shellTool(await projectAt(join(folder.path, "root")), { sandbox: "required" });
    expect(await endingOf(call(shell, { command: "tool" }))).toMatchObject({ exitCode: 1, stdout: "text" });
    expect(await call(shell, { command: "own-node -p 1" })).toMatchObject({ stdout: "1\n" });
    expect(await call(shell, { command: `${process.execPath} -p 1` })).toMatchObject({ stdout: "1\n" });
  });

  describe("with a network", () => {
    const get = (url: string) =>
      `${process.execPath} -e 'fetch("${url}").then(async (r) => console.log(r.status, await r.text()), (e) => console.log(e.cause.code))'`;
    const lookup = async () => ["127.0.0.1"];

    it("of hosts: reaches the hosts that the call names and the option lists, only through the proxy", async () => {
      const server = await serve(page("inside"));
      const root = await projectAt(folder.path);
      const network = { hosts: [`site.example:${server.port}`], allow: ["127.0.0.1"] };
      const options = { network, lookup };
      const url = `http://site.example:${server.port}/`;
      const script = `${get(url)}; ${get(url.replace("site", "other"))}; echo x > /dev/tcp/127.0.0.1/${server.port}`;
      const named = await inSandbox(root, script, options, { hosts: [`site.example:${server.port}`] });
      expect(named).toMatch(/^200 inside\n.*\nbash: connect: Connection refused\n/);
      expect(await inSandbox(root, get(url), options)).not.toContain("inside");
      expect(server.connections).toBe(1);
    });

    it("of hosts: reaches an unlisted host in the approved call, and only there", async () => {
      const server = await serve(page("inside"));
      const root = await projectAt(folder.path);
      const options = { network: { hosts: [] }, lookup };
      const hosts = [`127.0.0.1:${server.port}`];
      const viaProxy = `${process.execPath} -e 'require("http").get({ port: 3128, path: "${server.url}" }, (r) => r.on("data", (d) => console.log(String(d))))'`;
      expect(await inSandbox(root, viaProxy, options, { hosts })).toBe("inside\n");
      expect(await inSandbox(root, viaProxy, options, { hosts: ["other.example"] })).not.toContain("inside");
    });

    it("of hosts: does not apply `allow` to a host that the call added", async () => {
      const server = await serve(page("inside"));
      const root = await projectAt(folder.path);
      const listed = `site.example:${server.port}`;
      const options = { network: { hosts: [listed, "127.0.0.1:1"], allow: ["127.0.0.1"] }, lookup };
      const both = { hosts: [listed, `other.example:${server.port}`] };
      const script = ["site", "other"].map((name) => get(`http://${name}.example:${server.port}/`)).join("; ");
      const printed = await inSandbox(root, script, options, both);
      expect(printed).toMatch(/^200 inside\n(?!.*inside)/);
      expect(server.connections).toBe(1);
    });

    it("of hosts: passes many connections at once, complete in both directions", async () => {
      const text = "x".repeat(300_000);
      const server = await serve(page(text));
      const root = await projectAt(folder.path);
      const hosts = [`site.example:${server.port}`];
      const url = `http://site.example:${server.port}/`;
      const many = `Promise.all(Array.from({ length: 40 }, () => fetch("${url}").then((r) => r.text()))).then((all) => console.log(all.map((t) => t.length).join()))`;
      const options = { network: { hosts, allow: ["127.0.0.1"] }, lookup };
      const printed = await inSandbox(root, `${process.execPath} -e '${many}'`, options, { hosts });
      expect(printed).toBe(`${Array(40).fill(text.length).join()}\n`);
    });

    it("of hosts: has no unix sockets if the root holds those of other programs", async () => {
      const server = await serve(page("inside"));
      const home = process.env.HOME;
      process.env.HOME = folder.path;
      onTestFinished(() => {
        process.env.HOME = home;
      });
      const hosts = [`site.example:${server.port}`];
      const options = { network: { hosts, allow: ["127.0.0.1"] }, lookup };
      const script = `${get(`http://site.example:${server.port}/`)}; perl -e 'print socket(S, 1, 1, 0) ? "open" : "closed"'`;
      const printed = await inSandbox(await projectAt(folder.path), script, options, { hosts });
      expect(printed).toBe("200 inside\nclosed");
    });

    it("of hosts: reports exit codes and missing programs as without hosts", async () => {
      const tool = shellTool(await projectAt(folder.path), { sandbox: "required", network: { hosts: [] }, lookup });
      const hosts = ["site.example"];
      const run = (command: string) => endingOf(call(tool, { command, hosts }));
      expect(await run("bash -c 'exit 3'")).toMatchObject({ exitCode: 3 });
      expect(await run("bash -c 'kill -SEGV $$'")).toMatchObject({ exitCode: 139 });
      await expect(call(tool, { command: "no-such-program", hosts })).rejects.toMatchObject({
        code: "program_not_found",
      });
    });

    it("of the machine: reaches its servers, and no agent that listens on a unix socket", async () => {
      const server = await serve(page("inside"));
      const printed = await inSandbox(
        await projectAt(folder.path),
        `${get(server.url)}; perl -e 'print socket(S, 1, 1, 0) ? "open" : "closed"'`,
        { network: "full" },
      );
      expect(printed).toBe("200 inside\nclosed");
    });
  });

  it("leaves nothing outside the root", async () => {
    await inSandbox(
      await projectAt(folder.path),
      "echo x > /tmp/cogency-left; echo x > ~/cogency-left; echo x > /cogency-left; echo x > /var/tmp/cogency-left",
    );
    for (const path of ["/tmp", "/var/tmp", "/", homedir()]) expect(existsSync(join(path, "cogency-left"))).toBe(false);
  });

  it("fails instead of running unconfined when its sandbox cannot be made", async () => {
    const tool = shellTool(await projectAt(folder.path), { sandbox: "auto", readable: ["/etc/passwd/.."] });
    const broken = shellTool(await projectAt(folder.path), { sandbox: "auto", env: { "A\0--bind\0/\0/": "x" } });
    await expect(call(tool, { command: "true" })).resolves.toMatchObject({ exitCode: 0 });
    await expect(call(broken, { command: "touch made" })).rejects.toMatchObject({ code: "isolation_unavailable" });
    expect(await readdir(folder.path)).toEqual([]);
  });

  it("says that its outcome is unknown when its sandbox is killed from outside", async () => {
    const tool = shellTool(await projectAt(folder.path), { sandbox: "required" });
    const running = call(tool, { command: "bash -c 'echo printed; echo x > effect; sleep 20'" });
    await expect.poll(() => existsSync(join(folder.path, "effect")), { timeout: 5000 }).toBe(true);
    const own = spawnSync("pgrep", ["-P", `${process.pid}`], { encoding: "utf8" })
      .stdout.trim()
      .split("\n");
    for (const pid of own) {
      const commandLine = readFileSync(`/proc/${pid}/cmdline`, "latin1");
      if (commandLine.includes("bwrap")) process.kill(Number(pid), "SIGKILL");
    }
    await expect(running).rejects.toMatchObject({
      code: "command_failed",
      signal: "SIGKILL",
      message: expect.stringMatching(/had started(?:.|\n)*printed/),
    });
  });

  it("runs in a sandbox exactly if shellIsolation says so", async () => {
    const root = await projectAt(folder.path);
    expect(await shellIsolation(root)).toEqual({ isolated: true, confined: true });
    expect(await shellIsolation(root, { sandbox: "required" })).toEqual({ isolated: true, confined: true });
    expect(await shellIsolation(root, { sandbox: "off" })).toEqual({ isolated: false, confined: false });
  });

  it.each(["/dev", "/proc/self"])("runs without a sandbox in %s, and shellIsolation says so", async (path) => {
    const root = await projectAt(path);
    const warnings: string[] = [];
    const shell = shellTool(root, { warn: (message) => warnings.push(message) });
    expect(shell.annotations.openWorldHint).toBe(true);
    expect(warnings).toHaveLength(1);
    expect(await shellIsolation(root)).toEqual({
      isolated: false,
      confined: false,
      problem: expect.stringContaining("of which every sandbox has its own"),
      advice: "Choose another root.",
    });
  });
});
