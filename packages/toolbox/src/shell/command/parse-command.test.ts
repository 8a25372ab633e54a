import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileCommands } from "../../../test/shell/hostile-commands.ts";
import { ShellError } from "../errors.ts";
import { parseCommand } from "./parse-command.ts";

describe("parseCommand", () => {
  it.each<[string, string[]]>([
    ["git log -3 --oneline", ["git", "log", "-3", "--oneline"]],
    ["  ls \t -la  ", ["ls", "-la"]],
    ["echo 'a && b | c > $HOME `x` *.ts # ~ {a,b}'", ["echo", "a && b | c > $HOME `x` *.ts # ~ {a,b}"]],
    ['echo "a && b; c | d > e (f) *.ts # ~ {a,b}"', ["echo", "a && b; c | d > e (f) *.ts # ~ {a,b}"]],
    ['git commit -m "it\'s done"', ["git", "commit", "-m", "it's done"]],
    ["git commit -m 'first\n\nsecond\tline'", ["git", "commit", "-m", "first\n\nsecond\tline"]],
    ['echo "a \\"b\\" \\\\ \\$c \\d"', ["echo", 'a "b" \\ $c \\d']],
    ["find . -name \\*.ts", ["find", ".", "-name", "*.ts"]],
    ["find . -name '*.ts' -exec grep x {} \\;", ["find", ".", "-name", "*.ts", "-exec", "grep", "x", "{}", ";"]],
    ["echo a\\ b \\' \\\" \\# \\$x \\~ \\{a,b}", ["echo", "a b", "'", '"', "#", "$x", "~", "{a,b}"]],
    ["git show HEAD~1 HEAD^ stash@{0} main@{u}", ["git", "show", "HEAD~1", "HEAD^", "stash@{0}", "main@{u}"]],
    ["echo ''", ["echo", ""]],
    ["a'b'\"c\"\\d", ["abcd"]],
    ["curl https://example.org/a=b%20c,d:e@f", ["curl", "https://example.org/a=b%20c,d:e@f"]],
    ["cmake -DA=b", ["cmake", "-DA=b"]],
    ["echo grüße 😀", ["echo", "grüße", "😀"]],
    ["echo hi!", ["echo", "hi!"]],
  ])("splits %j", (command, words) => {
    expect(parseCommand(command)).toEqual(words);
  });

  it.each(hostileCommands)("refuses %j", (command, found) => {
    expect(() => parseCommand(command)).toThrow(found);
    expect(() => parseCommand(command)).toThrow(ShellError);
  });

  it("names the offset, and says what to do instead", () => {
    expect(() => parseCommand("cat a | wc -l")).toThrow(
      expect.objectContaining({
        code: "syntax_refused",
        position: 6,
        message:
          "The command was not run: there is a pipe (|) at offset 6, and no shell reads it. Make one call for each " +
          "command; shell calls of one batch run in order. Put it in single quotes to have it literally.",
      }),
    );
  });

  it("returns any words in single quotes unchanged", () => {
    const word = fc.string({
      unit: fc.oneof(fc.constantFrom(..."'\"\\$`*?#~{},;|&<>() \t\na="), fc.string({ unit: "binary" })),
    });
    const harmless = word.filter(
      (text) => text.isWellFormed() && !/(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(text),
    );
    const words = fc.tuple(
      harmless.filter((text) => text !== ""),
      fc.array(harmless),
    );
    fc.assert(
      fc.property(words, ([program, args]) => {
        const command = [program, ...args].map((text) => `'${text.replaceAll("'", "'\\''")}'`).join(" ");
        expect(parseCommand(command)).toEqual([program, ...args]);
      }),
    );
  });
});
