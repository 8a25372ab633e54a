import { describe, expect, it } from "vitest";
import type { Intent } from "./intent.ts";
import { readRequest } from "./read-request.ts";

describe("readRequest", () => {
  const understood: [string, ...Intent[]][] = [
    ["list", { kind: "list", path: "." }],
    ["list src", { kind: "list", path: "src" }],
    ["List `src`.", { kind: "list", path: "src" }],
    ["ls src/", { kind: "list", path: "src/" }],
    ["list .", { kind: "list", path: "." }],
    ["list ..", { kind: "list", path: ".." }],
    ["list this folder", { kind: "list", path: "." }],
    ["list the files", { kind: "list", path: "." }],
    ["list the files in src", { kind: "list", path: "src" }],
    ["show me all files in the folder src", { kind: "list", path: "src" }],
    ["what is in src?", { kind: "list", path: "src" }],
    ["What's in src?", { kind: "list", path: "src" }],
    ["what files are in src", { kind: "list", path: "src" }],
    ["what does package.json contain?", { kind: "read", file: "package.json" }],
    ["show src", { kind: "list", path: "src" }],
    [
      "list src, lib and test",
      { kind: "list", path: "src" },
      { kind: "list", path: "lib" },
      { kind: "list", path: "test" },
    ],
    ["read package.json", { kind: "read", file: "package.json" }],
    ["please read the file package.json for me", { kind: "read", file: "package.json" }],
    ["Can you open 'my notes.txt'?", { kind: "read", file: "my notes.txt" }],
    ["read src", { kind: "read", file: "src" }],
    ["show me README.md", { kind: "read", file: "README.md" }],
    ["show the contents of README", { kind: "read", file: "README" }],
    ["show me 'my notes.txt'", { kind: "read", file: "my notes.txt" }],
    ["cat .gitignore", { kind: "read", file: ".gitignore" }],
    ["what is in ../secrets.txt", { kind: "read", file: "../secrets.txt" }],
    ["read a.txt and b.txt", { kind: "read", file: "a.txt" }, { kind: "read", file: "b.txt" }],
    ['find "TODO"', { kind: "find", content: "TODO" }],
    ["find TODO in src", { kind: "find", content: "TODO", path: "src" }],
    ["search for hello world in the folder src", { kind: "find", content: "hello world", path: "src" }],
    ["search src for TODO", { kind: "find", content: "TODO", path: "src" }],
    ["grep 'a and read b' in src", { kind: "find", content: "a and read b", path: "src" }],
    ["find *.ts", { kind: "find", pattern: "*.ts" }],
    ["find all *.ts files in src", { kind: "find", pattern: "*.ts", path: "src" }],
    ['find "src/**/*.ts"', { kind: "find", pattern: "src/**/*.ts" }],
    ["find files named notes", { kind: "find", pattern: "notes" }],
    ["find package.json", { kind: "find", pattern: "package.json" }],
    ['find "package.json"', { kind: "find", content: "package.json" }],
    ["which files contain TODO?", { kind: "find", content: "TODO" }],
    ["find files containing TODO in src", { kind: "find", content: "TODO", path: "src" }],
    ["find TODO in src/index.ts", { kind: "find", content: "TODO", pattern: "src/index.ts" }],
    ["where is createAgent used in src?", { kind: "find", content: "createAgent", path: "src" }],
    ["count the lines in README.md", { kind: "read", file: "README.md", count: "lines" }],
    ["how many words does README.md have?", { kind: "read", file: "README.md", count: "words" }],
    ["count the characters of a.txt", { kind: "read", file: "a.txt", count: "characters" }],
    ["count the files in src", { kind: "list", path: "src", count: "files" }],
    ["how many folders are there?", { kind: "list", path: ".", count: "folders" }],
    ["count the entries in src", { kind: "list", path: "src", count: "entries" }],
    ["count TODO in src", { kind: "find", content: "TODO", path: "src", count: true }],
    ["how many times does TODO appear in src?", { kind: "find", content: "TODO", path: "src", count: true }],
    ["count the *.ts files in src", { kind: "find", pattern: "*.ts", path: "src", count: true }],
    ['write "hello" to notes.txt', { kind: "write", file: "notes.txt", content: "hello" }],
    ["write hello world to notes.txt", { kind: "write", file: "notes.txt", content: "hello world" }],
    ["write hello to all to notes.txt", { kind: "write", file: "notes.txt", content: "hello to all" }],
    ["write hello with love to notes.txt", { kind: "write", file: "notes.txt", content: "hello with love" }],
    ['write "hello" to notes', { kind: "write", file: "notes", content: "hello" }],
    ["write hello to `notes`", { kind: "write", file: "notes", content: "hello" }],
    ["save 'it is \"quoted\"' in a new file named q.txt", { kind: "write", file: "q.txt", content: 'it is "quoted"' }],
    ["create notes.txt with hello", { kind: "write", file: "notes.txt", content: "hello" }],
    [
      "create a file notes.txt with the text “read a.txt, then list”",
      { kind: "write", file: "notes.txt", content: "read a.txt, then list" },
    ],
    ["create notes.txt", { kind: "write", file: "notes.txt", content: "" }],
    ["write ```\none\n`two`\n``` to notes.txt", { kind: "write", file: "notes.txt", content: "one\n`two`" }],
    ["list . and read a.txt", { kind: "list", path: "." }, { kind: "read", file: "a.txt" }],
    ["list src and read package.json", { kind: "list", path: "src" }, { kind: "read", file: "package.json" }],
    [
      "list src, then read a.txt, b.txt, and find TODO",
      { kind: "list", path: "src" },
      { kind: "read", file: "a.txt" },
      { kind: "read", file: "b.txt" },
      { kind: "find", content: "TODO" },
    ],
    ["Please list src. Then read a.txt!", { kind: "list", path: "src" }, { kind: "read", file: "a.txt" }],
    [
      "- list src\n2. read a.txt;count the files",
      { kind: "list", path: "src" },
      { kind: "read", file: "a.txt" },
      { kind: "list", path: ".", count: "files" },
    ],
    [
      "write x to a.txt and read a.txt",
      { kind: "write", file: "a.txt", content: "x" },
      { kind: "read", file: "a.txt" },
    ],
  ];

  it.each(understood)("understands %j", (request, ...intents) => {
    expect(readRequest(request)).toEqual(intents);
  });

  it.each([
    "hello",
    "tell me a joke",
    "read the room, my friend of old",
    "write a poem",
    "write a letter to grandma",
    "write a poem in french",
    "make tea with milk",
    "how many people live in Paris?",
    "where are my other keys?",
    "look at me",
    "what is the meaning of life",
    "lists src",
    "x".repeat(30_000),
    `find ${"a ".repeat(3_000)}`,
  ])("says that %j is unclear", (request) => {
    expect(readRequest(request)).toEqual([{ kind: "unclear", text: expect.any(String) }]);
  });

  it.each(["", "  \n ", " ; "])("finds nothing in %j", (request) => {
    expect(readRequest(request)).toEqual([]);
  });

  it("keeps the parts it understands beside those it does not, in the words of the person", () => {
    expect(readRequest('read a.txt and tell me "why"')).toEqual([
      { kind: "read", file: "a.txt" },
      { kind: "unclear", text: 'tell me "why"' },
    ]);
  });
});
