import type { Json } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import type { Intent } from "../request/intent.ts";
import { answer } from "./answer.ts";

const read: Intent = { kind: "read", file: "a.txt" };
const list: Intent = { kind: "list", path: "src" };
const find: Intent = { kind: "find", content: "TODO" };
const match = (file: string, line: number, text: string) => ({ file, line, text });

describe("answer", () => {
  const successes: [Intent, Json, string][] = [
    [read, "one\ntwo\n", "`a.txt`:\n\n```\none\ntwo\n```"],
    [read, "", "`a.txt` is empty."],
    [read, "```js\n1\n```\n", "`a.txt`:\n\n````\n```js\n1\n```\n````"],
    [{ ...read, count: "lines" }, "one\ntwo", "`a.txt` has 2 lines."],
    [{ ...read, count: "lines" }, "one\ntwo\n", "`a.txt` has 2 lines."],
    [{ ...read, count: "lines" }, "", "`a.txt` has no lines."],
    [{ ...read, count: "words" }, " one\n", "`a.txt` has 1 word."],
    [{ ...read, count: "characters" }, "a😀", "`a.txt` has 2 characters."],
    [
      list,
      { path: "src", entries: ["a.ts", "b.ts", "lib/"] },
      "`src` holds 2 files and 1 folder:\n\n- `a.ts`\n- `b.ts`\n- `lib/`",
    ],
    [list, { path: "src", entries: [] }, "`src` is empty."],
    [list, { entries: ["a"], truncated: 7 }, "`src` holds at least 1 file and no folders:\n\n- `a`\n- and 7 more"],
    [{ ...list, count: "files" }, { entries: ["a.ts", "lib/"] }, "`src` holds 1 file."],
    [{ ...list, count: "folders" }, { entries: ["a.ts", "lib/"], truncated: 2 }, "`src` holds at least 1 folder."],
    [{ ...list, count: "entries" }, { entries: ["a.ts"], truncated: 2 }, "`src` holds 3 entries."],
    [find, { matches: [] }, "No lines contain `TODO`."],
    [
      { ...find, path: "src" },
      { matches: [match("src/a.ts", 3, "  // TODO one"), match("src/b.ts", 1, "TODO `two`")], truncated: true },
      "At least 2 lines contain `TODO` in `src`:\n\n- `src/a.ts:3 // TODO one`\n- `` src/b.ts:1 TODO `two` ``",
    ],
    [
      { ...find, pattern: "a.ts", count: true },
      { matches: [match("a.ts", 3, "TODO"), match("a.ts", 9, "TODO")] },
      "2 lines contain `TODO` in `a.ts`, in 1 file.",
    ],
    [
      { ...find, count: true },
      { matches: [], skipped: { too_large: 2, not_text: 1 } },
      "No lines contain `TODO`.\n\n3 files could not be searched.",
    ],
    [{ kind: "find", pattern: "*.ts" }, { files: ["a.ts"] }, "1 file has a name like `*.ts`:\n\n- `a.ts`"],
    [
      { kind: "find", pattern: "*.ts", count: true, path: "src" },
      { files: ["a.ts", "b.ts"] },
      "2 files have a name like `*.ts` in `src`.",
    ],
    [{ kind: "find", pattern: "*.ts" }, { files: [] }, "No files have a name like `*.ts`."],
    [{ kind: "write", file: "a.txt", content: "x" }, { bytes: 1 }, "Wrote 1 byte to `a.txt`."],
    [read, { text: "x" }, '`tool` returned:\n\n```\n{\n  "text": "x"\n}\n```'],
    [list, ["a"], '`tool` returned:\n\n```\n[\n  "a"\n]\n```'],
    [find, { matches: [1] }, '`tool` returned:\n\n```\n{\n  "matches": [\n    1\n  ]\n}\n```'],
    [{ kind: "write", file: "a.txt", content: "x" }, null, "`tool` returned:\n\n```\nnull\n```"],
  ];

  it.each(successes)("to %j of %j is right", (intent, content, text) => {
    expect(answer(intent, { tool: "tool", status: "success", content })).toBe(text);
  });

  it("shows the beginning of a long text and says how long it is", () => {
    const text = answer(read, { tool: "read", status: "success", content: "line\n".repeat(100) });
    expect(text).toBe(`\`a.txt\` has 100 lines. It begins:\n\n\`\`\`\n${"line\n".repeat(40)}\`\`\``);
    expect(answer(read, { tool: "read", status: "success", content: "x".repeat(9_999) }).length).toBeLessThan(4_200);
  });

  it("shows the beginning of a long list and says how many are left", () => {
    const entries = Array.from({ length: 60 }, (_, index) => `file-${index}`);
    const text = answer(list, { tool: "list", status: "success", content: { entries, truncated: 5 } });
    expect(text.split("\n")).toHaveLength(53);
    expect(text).toMatch(/- `file-49`\n- and 15 more$/);
  });

  it.each<[Intent | undefined, string, string]>([
    [read, "No such file.", "Reading `a.txt` failed: `No such file.`"],
    [list, "No such folder.", "Listing `src` failed: `No such folder.`"],
    [find, "one\ntwo", "Searching for `TODO` failed:\n\n```\none\ntwo\n```"],
    [{ kind: "write", file: "a.txt", content: "x" }, "Refused.", "Writing `a.txt` failed: `Refused.`"],
    [undefined, "Broken.", "The tool `tool` failed: `Broken.`"],
  ])("to %j that failed with %j names the failure", (intent, content, text) => {
    expect(answer(intent, { tool: "tool", status: "failure", content })).toBe(text);
  });

  it("to a call that was not planned shows what came back", () => {
    expect(answer(undefined, { tool: "shell", status: "success", content: "ok" })).toBe(
      "`shell` returned:\n\n```\nok\n```",
    );
  });
});
