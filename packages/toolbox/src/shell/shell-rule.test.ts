import { describe, expect, it } from "vitest";
import { hostileCommands } from "../../test/shell/hostile-commands.ts";
import { ShellError } from "./errors.ts";
import { shellRule } from "./shell-rule.ts";

const ask = (patterns: string[], command: string) => shellRule(patterns)({ name: "shell", args: { command } });

describe("shellRule", () => {
  const everyday = [
    "ls **",
    "cat *",
    "cat -n *",
    "git status",
    "git log **",
    "git log --oneline **",
    "echo **",
    "npm test",
  ];

  it.each([
    "ls",
    "ls -la src",
    "ls --color=never 'my folder'",
    "cat notes.md",
    "cat -n notes.md",
    "git status",
    "  git   status ",
    "'git' \"status\"",
    "git log",
    "git log HEAD~3 src",
    "git log --oneline src",
    "echo",
    "echo 'a && b | c > d'",
    "npm test",
  ])("allows %s", (command) => {
    expect(ask(everyday, command)).toBe("allow");
  });

  it.each([
    ...hostileCommands.map(([command]) => command),
    "ls && rm -rf x",
    "ls;rm -rf x",
    "ls\nrm -rf x",
    "ls | sh",
    "ls $(rm -rf x)",
    "ls `rm -rf x`",
    "ls > /etc/passwd",
    "cat a b",
    "cat",
    "cat -n a b",
    "cat <(id)",
    "/tmp/ls",
    "./ls",
    "../bin/ls",
    "~/ls",
    "/bin/ls",
    "LS",
    "ls.sh",
    "lsof",
    "'ls -la'",
    "'ls ; rm -rf x'",
    "git",
    "gits status",
    "git status --short",
    "git status .",
    "git -c core.pager=./x status",
    "git -c core.fsmonitor=./x status",
    "git --exec-path=. status",
    "git -C /tmp status",
    "git --git-dir=/tmp/x status",
    "git --paginate status",
    "git log --output=/etc/passwd",
    "git log -p --ext-diff",
    "git log '--output=x'",
    "git log \\--output=x",
    'git log "-p"',
    "git log --oneline --output=x",
    "git log --oneline -- src",
    "git 'log --output=x'",
    "git diff",
    "env ls",
    "env -i ls",
    "sh -c ls",
    "bash -c 'git status'",
    "xargs ls",
    "busybox ls",
    "sudo git status",
    "command ls",
    "exec ls",
    "eval ls",
    "nohup ls",
    "timeout 5 ls",
    "find . -exec ls {} +",
    "time ls",
    "node -e 1",
    "npm test -- --reporter=./x",
    "npm run test",
    "npx test",
    "A=b ls",
    "PATH=. ls",
    "echo\u00a0x",
    "\\\nls",
    "ls'",
    "tar --checkpoint-action=exec=sh -cf x y",
    "ssh -o ProxyCommand=x host",
  ])("asks for %j", (command) => {
    expect(ask(everyday, command)).toBe("ask");
  });

  it.each([
    "docker-compose **",
    "gh **",
    "git-submodule **",
    "/lib64/ld-linux-x86-64.so.2 **",
    "python.exe **",
    "pytest **",
    "jest *",
    "ipython3 *",
    "sg wheel *",
    "bwrap **",
    "linux64 **",
    "sshpass **",
    "runghc *",
    "zig run *",
    "dotenv **",
    "pre-commit **",
    "find **",
    "find . -name *",
    "tar -tf *",
    "env **",
    "sh -c *",
    "/bin/sh *",
    "./busybox **",
    "bash **",
    "python3 *",
    "python3.12 **",
    "/usr/bin/Python3 **",
    "node -e *",
    "xargs **",
    "sudo **",
    "npx *",
    "npm run *",
    "pnpm **",
    "make **",
    "gcc-13 *",
    "ssh host *",
    "docker **",
    "sed -n *",
    "vim *",
    "git **",
    "git *",
    "git submodule **",
    "git bisect run *",
    "git config *",
    "git -c * status",
    "git * status",
    "*",
    "**",
    "* --version",
    "l* x",
    "ls src/*",
    "ls ** src",
    "ls ***",
    "ls *.ts",
    "cat 'a b'",
    '"ls" **',
    "",
    " ",
  ])("takes no pattern %j", (pattern) => {
    expect(() => shellRule([pattern])).toThrow(ShellError);
    expect(() => shellRule([pattern])).toThrow(expect.objectContaining({ code: "rule_invalid", command: pattern }));
  });

  it("lets a wildcard stand for options only after programs whose options are harmless", () => {
    expect(ask(["ls *"], "ls --color")).toBe("allow");
    for (const command of ["sort -o x", "sort --compress-program=./x", "sort +1", "sort @file"]) {
      expect(ask(["sort **"], command)).toBe("ask");
    }
    expect(ask(["sort **"], "sort words.txt")).toBe("allow");
  });

  it("allows an option or an interpreter that the pattern spells out, and nothing beside it", () => {
    const patterns = ["sort -u *", "node --version", "python3 -m pytest"];
    expect(ask(patterns, "sort -u words.txt")).toBe("allow");
    expect(ask(patterns, "sort -u -o")).toBe("ask");
    expect(ask(patterns, "node --version")).toBe("allow");
    expect(ask(patterns, "python3 -m pytest")).toBe("allow");
    expect(ask(patterns, "python3 -m pytest x")).toBe("ask");
  });

  it("allows no call of another tool, and none without a command", () => {
    const rule = shellRule(["ls **"]);
    expect(rule({ name: "write", args: { command: "ls", file: "x", content: "y" } })).toBe("ask");
    expect(rule({ name: "shell", args: {} })).toBe("ask");
    expect(rule({ name: "shell", args: { command: ["ls"] } })).toBe("ask");
  });

  it("allows nothing without patterns", () => {
    expect(ask([], "ls")).toBe("ask");
  });
});
