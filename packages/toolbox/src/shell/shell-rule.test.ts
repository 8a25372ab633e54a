import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileCommands, plainToShells } from "../../test/shell/hostile-commands.ts";
import { isHarmless } from "./command/programs.ts";
import { ShellError } from "./errors.ts";
import { shellRule } from "./shell-rule.ts";

const ask = (patterns: string[], command: string, isolated = false) =>
  shellRule(patterns, { isolated })({ name: "shell", args: { command } });

describe("shellRule", () => {
  const everyday = ["ls **", "cat *", "cat -n *", "git status", "git log --oneline", "echo **", "npm test"];

  it.each([
    ["ls", "allow"],
    ["ls -la src", "allow"],
    ["ls --color=never 'my folder'", "allow"],
    ["cat notes.md", "allow"],
    ["cat -n notes.md", "allow"],
    ["cat ..hidden", "allow"],
    ["echo", "allow"],
    ["echo 'a && b | c > d'", "allow"],
    ["git status", "allow_anyway"],
    ["  git   status ", "allow_anyway"],
    ["'git' \"status\"", "allow_anyway"],
    ["git log --oneline", "allow_anyway"],
    ["npm test", "allow_anyway"],
  ])("answers without a sandbox to %s: %s", (command, decision) => {
    expect(ask(everyday, command)).toBe(decision);
    expect(ask(everyday, command, true)).toBe("allow_anyway");
  });

  it.each([
    ...hostileCommands.filter((command) => !plainToShells.includes(command)),
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
    "git log",
    "git log HEAD~3 src",
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
    "ls'",
    "tar --checkpoint-action=exec=sh -cf x y",
    "ssh -o ProxyCommand=x host",
  ])("asks for %j", (command) => {
    expect(ask(everyday, command)).toBe("ask");
    expect(ask(everyday, command, true)).toBe("ask");
  });

  it.each([
    "cat /proc/1/environ",
    "cat //etc/passwd",
    "cat ../secret",
    "cat src/../../secret",
    "cat ..",
    "cat src/..",
    "ls -la /root",
    "ls --file=/etc/passwd",
    "ls -I/etc",
    "ls -w..",
    "ls --width=../x",
    "ls -a ./..",
  ])("does not let a wildcard match a path that leads out, without a sandbox: %j", (command) => {
    expect(ask(["ls **", "cat **"], command)).toBe("ask");
    expect(ask(["ls **", "cat **"], command, true)).toBe("allow_anyway");
    expect(ask([command], command)).toBe("allow_anyway");
  });

  it.each([
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
  ])("rejects the pattern %j", (pattern) => {
    for (const isolated of [false, true]) {
      expect(() => shellRule([pattern], { isolated })).toThrow(ShellError);
      expect(() => shellRule([pattern], { isolated })).toThrow(
        expect.objectContaining({ code: "rule_invalid", command: pattern }),
      );
    }
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
    "git log **",
    "sort *",
    "uniq **",
    "rg --files *",
    "no-such-program **",
    "/bin/ls *",
    "LS **",
    "/lib64/ld-linux-x86-64.so.2 *",
    "fakeroot-tcp **",
    "tee *",
    "dd *",
    "cp **",
    "curl *",
  ])("accepts the pattern %j only in a sandbox", (pattern) => {
    expect(() => shellRule([pattern])).toThrow(expect.objectContaining({ code: "rule_invalid", command: pattern }));
    const command = pattern.replace(/\*+/g, "--x=/y");
    expect(ask([pattern], command, true)).toBe("allow_anyway");
  });

  it.each([...plainToShells, "\\\nls"])("reads %j as one command with its words", (command) => {
    expect(ask(everyday, command)).toBe("allow");
    expect(ask(everyday, command, true)).toBe("allow_anyway");
    expect(ask(everyday.slice(3), command.replace("echo", "ls"))).toBe("ask");
  });

  describe("of a script", () => {
    const patterns = [...everyday, "grep foo", "head -5"];

    it.each([
      ["git status && npm test", "allow_anyway"],
      ["git status; npm test\n# done", "allow_anyway"],
      ["npm test 2>&1 | grep foo", "allow_anyway"],
      ["npm test 2>/dev/null || git status", "allow_anyway"],
      ["! git status", "allow_anyway"],
      ["git status && ls src", "allow"],
      ["ls src | cat -n x", "allow"],
      ["ls ./*.ts src/[ab]?.ts", "allow"],
      ["cat notes.md <<'END'\n$(touch canary)\nEND\nnpm test", "allow"],
      ["CI=1 npm test", "allow_anyway"],
    ])("%j: %s without a sandbox", (command, decision) => {
      expect(ask(patterns, command)).toBe(decision);
      expect(ask(patterns, command, true)).toBe("allow_anyway");
    });

    it.each([
      "git status && rm -rf x",
      "rm -rf x || git status",
      "git status | rm -rf x",
      "npm test & git status",
      "npm test | npm test",
      "ls\u00a0&& npm test",
      "npm test; cd src",
      "cd src && npm test",
      "A=b npm test",
      "npm() { rm -rf x; }; npm test",
      "alias npm=rm; npm test",
      "cat a*",
      "ls *",
      "ls .*",
      "ls -*",
      "ls x=*",
      "ls src/.*",
      "l[s] src",
      "echo a=~/x | cat notes.md",
      "echo $'a' | cat notes.md",
      "echo [a-z]* | cat notes.md",
      "ls > out.txt",
      "npm test 2> out.txt",
      "cat -n x < /etc/passwd",
      "cat -n x < ../y",
      "ls 3> /dev/null",
      "npm test > /dev/tcp/127.0.0.1/80",
      "time npm test",
      "(npm test)",
      "if npm test; then ls; fi",
      "git status '",
      "git status && ls )",
      "#!/usr/bin/env node\nnpm test",
      "# nothing",
      "> /dev/null",
      "git status\r\nnpm test",
      "cat notes.md <<E\n$(npm test)\nE",
      "cat notes.md <<-E\nx\nE",
      "cat notes.md <<E\nx",
    ])("asks for %j", (command) => {
      expect(ask(patterns, command)).toBe("ask");
      expect(ask(patterns, command, true)).toBe("ask");
    });

    it("lets no more words in than the rule says, because a wildcard may become any number", () => {
      expect(ask(["cat *"], "cat a*", true)).toBe("ask");
      expect(ask(["cat *"], "cat 'a*' 2>&1", true)).toBe("allow_anyway");
      expect(ask(["cat **"], "cat a* b", true)).toBe("allow_anyway");
      expect(ask(["cat * **"], "cat a*", true)).toBe("ask");
    });

    it("asks `writes` for each file that a redirection writes, from the root", () => {
      const asked: string[] = [];
      const writes = (path: string) => asked.push(path) > 0 && path.startsWith("out/");
      const rule = shellRule(["ls", "npm test"], { isolated: true, writes });
      const decide = (command: string, cwd = ".") => rule({ name: "shell", args: { command, cwd } });
      expect(decide("npm test > out/a 2>>'out/b c' && ls &> out/d")).toBe("allow_anyway");
      expect(decide("ls > out/a; ls > other")).toBe("ask");
      expect(decide("ls > a", "out")).toBe("allow_anyway");
      expect(decide("ls > a", "x/../out")).toBe("ask");
      expect(decide("ls > a", "/out")).toBe("ask");
      expect(asked).toEqual(["out/a", "out/b c", "out/d", "out/a", "other", "out/a"]);
      for (const target of ["/out/a", "out/../a", "../out/a", "$x", "out/*", "~/out"]) {
        expect(decide(`ls > ${target}`), target).toBe("ask");
      }
    });
  });

  it("rejects wildcards after every program that is not known to be harmless", () => {
    const names = fc.stringMatching(/^[a-z./][a-z0-9._/-]{0,12}$/);
    fc.assert(
      fc.property(names, fc.constantFrom("*", "**", "x *", "-x **"), (name, rest) => {
        fc.pre(!isHarmless(name));
        expect(() => shellRule([`${name} ${rest}`])).toThrow(ShellError);
      }),
    );
  });

  it("allows exactly the command that the pattern spells out", () => {
    const patterns = ["sort -u words.txt", "node --version", "python3 -m pytest"];
    for (const command of patterns) expect(ask(patterns, command)).toBe("allow_anyway");
    for (const command of ["sort -u -o", "node", "python3 -m pytest x"]) expect(ask(patterns, command)).toBe("ask");
  });

  it.each(["", "a b", "http://x.example", "*"])("throws for the invalid host %j", (host) => {
    expect(() => shellRule(["ls"], { hosts: [host] })).toThrow(expect.objectContaining({ code: "option_invalid" }));
  });

  it("asks for a command in another folder, whose files it may obey, unless it runs in a sandbox", () => {
    const call = { name: "shell", args: { command: "npm test", cwd: "vendor/x" } };
    expect(shellRule(["npm test"])(call)).toBe("ask");
    expect(shellRule(["npm test"])({ name: "shell", args: { command: "npm test", cwd: "." } })).toBe("allow_anyway");
    expect(shellRule(["npm test"], { isolated: true })(call)).toBe("allow_anyway");
  });

  it.each([
    [["registry.packages.example"], "allow_anyway"],
    [["registry.packages.example:443"], "allow_anyway"],
    [["registry.packages.example", "evil.example"], "ask"],
    [["registry.packages.example:22"], "ask"],
    [["*.packages.example"], "ask"],
    [["no host"], "ask"],
    ["registry.packages.example", "ask"],
    [[1], "ask"],
    [[], "allow_anyway"],
  ])("answers to a call with the hosts %j: %s", (hosts, decision) => {
    const rule = shellRule(["npm **"], { isolated: true, hosts: ["registry.packages.example"] });
    expect(rule({ name: "shell", args: { command: "npm install", hosts } })).toBe(decision);
  });

  it("asks for calls of other tools, and for calls without a command", () => {
    const rule = shellRule(["ls **"]);
    expect(rule({ name: "write", args: { command: "ls", file: "x", content: "y" } })).toBe("ask");
    expect(rule({ name: "shell", args: {} })).toBe("ask");
    expect(rule({ name: "shell", args: { command: ["ls"] } })).toBe("ask");
  });

  it("asks for every call without patterns", () => {
    expect(ask([], "ls")).toBe("ask");
  });
});
