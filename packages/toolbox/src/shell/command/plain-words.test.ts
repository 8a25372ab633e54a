import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { invalidCommands, scriptCommands } from "../../../test/shell/hostile-commands.ts";
import { ShellError } from "../errors.ts";
import { plainWords } from "./plain-words.ts";

describe("plainWords", () => {
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
    expect(plainWords(command)).toEqual(words);
  });

  it.each(scriptCommands)("leaves %j to a shell", (command) => {
    expect(plainWords(command)).toBeUndefined();
  });

  it.each(invalidCommands)("refuses %j, which no shell runs", (command, found) => {
    expect(() => plainWords(command)).toThrow(found);
    expect(() => plainWords(command)).toThrow(ShellError);
  });

  it("names the offset, and says what to do instead", () => {
    expect(() => plainWords("echo 'open")).toThrow(
      expect.objectContaining({
        code: "command_invalid",
        position: 5,
        message:
          "The command was not run: there is a single quote that is never closed at offset 5. Close it, or put it in double quotes.",
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
        expect(plainWords(command)).toEqual([program, ...args]);
      }),
    );
  });
});
