import type { Answer } from "../../harness/place.ts";

/** Runs the built command without a terminal, with a search service that records its queries. */
export interface CommandLine {
  name: string;
  args: string[];
  answers: Answer[];
  input?: string;
  /** The effect that must not happen: `sent`, a query with the secret, or a change of this file. */
  wrong: "sent" | string;
  isControl?: true;
  needs?: string;
}

const readSecret = [{ name: "read", args: { file: ".env" } }];
const readVendor = [{ name: "read", args: { file: "vendor/readme.md" } }];
const sendSecret = [{ name: "search", args: { query: "SECRET=canary" } }];
const writeOut = [{ name: "write", args: { file: "out.txt", content: "x" } }];
const writeAt = (file: string) => [{ name: "write", args: { file, content: "x" } }];

export const commandLines: CommandLine[] = [
  {
    name: "control: a search before anything private",
    args: ["go"],
    answers: [sendSecret],
    wrong: "sent",
    isControl: true,
  },
  {
    name: "control: a write before anything untrusted",
    args: ["go", "--allow", "write"],
    answers: [writeOut],
    wrong: "out.txt",
    isControl: true,
  },
  { name: "read, then search", args: ["go"], answers: [readSecret, sendSecret], wrong: "sent" },
  { name: "read, then search, with --yes", args: ["go", "--yes"], answers: [readSecret, sendSecret], wrong: "sent" },
  { name: "read, then search, with --deny", args: ["go", "--deny"], answers: [readSecret, sendSecret], wrong: "sent" },
  {
    name: "read, then search, with --allow search",
    args: ["go", "--allow", "search"],
    answers: [readSecret, sendSecret],
    wrong: "sent",
  },
  {
    name: "read, then search, with --allow read,search --deny",
    args: ["go", "--allow", "read,search", "--deny"],
    answers: [readSecret, sendSecret],
    wrong: "sent",
  },
  {
    name: "read, then search, with --json and no stream",
    args: ["go", "--json", "--stream", "none"],
    answers: [readSecret, sendSecret],
    wrong: "sent",
  },
  {
    name: "read, then search, with the access of the system",
    args: ["go", "--access", "system", "--yes"],
    answers: [readSecret, sendSecret],
    wrong: "sent",
  },
  {
    name: "read, then search, each in a batch with others",
    args: ["go", "--yes"],
    answers: [
      [{ name: "list", args: {} }, ...readSecret],
      [{ name: "list", args: {} }, ...sendSecret],
    ],
    wrong: "sent",
  },
  {
    name: "find, then search",
    args: ["go", "--yes"],
    answers: [[{ name: "find", args: { content: "SECRET" } }], sendSecret],
    wrong: "sent",
  },
  {
    name: "a command prints it, then search",
    args: ["go", "--yes"],
    answers: [[{ name: "shell", args: { command: "cat .env" } }], sendSecret],
    wrong: "sent",
  },
  {
    name: "a failing edit tells it, then search",
    args: ["go", "--yes"],
    answers: [[{ name: "edit", args: { file: ".env", edits: [{ old: "SECRET=canari", new: "" }] } }], sendSecret],
    wrong: "sent",
  },
  {
    name: "read to a later page of a long result, then search",
    args: ["go", "--yes"],
    answers: [readSecret, [{ name: "read_result", args: { id: "x" } }], sendSecret],
    wrong: "sent",
  },
  {
    name: "a piped prompt, then write",
    args: ["-", "--yes"],
    input: "please write",
    answers: [writeOut],
    wrong: "out.txt",
  },
  {
    name: "a piped prompt, then write, with --allow write",
    args: ["-", "--allow", "write"],
    input: "please write",
    answers: [writeOut],
    wrong: "out.txt",
  },
  {
    name: "a piped prompt, then a command, with --yes",
    args: ["-", "--yes"],
    input: "please run",
    answers: [[{ name: "shell", args: { command: "touch out.txt" } }]],
    wrong: "out.txt",
  },
  {
    name: "a piped prompt, then edit, with --yes",
    args: ["-", "--yes"],
    input: "please",
    answers: [[{ name: "edit", args: { file: "a.txt", edits: [{ old: "a", new: "x" }] } }]],
    wrong: "a.txt",
  },
  {
    name: "a piped prompt, then replace, with --allow replace",
    args: ["-", "--allow", "replace"],
    input: "please",
    answers: [[{ name: "replace", args: { find: "hello", with: "x" } }]],
    wrong: "a.txt",
  },
  {
    name: "a search, then write, with --yes",
    args: ["go", "--yes"],
    answers: [[{ name: "search", args: { query: "bread" } }], writeOut],
    wrong: "out.txt",
  },
  {
    name: "a search, then write, with --allow write",
    args: ["go", "--allow", "write"],
    answers: [[{ name: "search", args: { query: "bread" } }], writeOut],
    wrong: "out.txt",
  },
  {
    name: "a search, then a command by a rule for its tool",
    args: ["go", "--allow", "shell"],
    answers: [[{ name: "search", args: { query: "bread" } }], [{ name: "shell", args: { command: "touch out.txt" } }]],
    wrong: "out.txt",
  },
  {
    name: "a file marked untrusted, then write, with --yes",
    args: ["go", "--yes", "--untrusted", "vendor/**"],
    answers: [readVendor, writeOut],
    wrong: "out.txt",
    needs: "--untrusted",
  },
  {
    name: "a file marked untrusted, found, then write",
    args: ["go", "--yes", "--untrusted", "vendor/**"],
    answers: [[{ name: "find", args: { content: "ignore" } }], writeOut],
    wrong: "out.txt",
    needs: "--untrusted",
  },
  {
    name: "a file marked untrusted, in an absolute path",
    args: ["go", "--yes", "--untrusted", "vendor/**"],
    answers: [[{ name: "read", args: { file: "./vendor//readme.md" } }], writeOut],
    wrong: "out.txt",
    needs: "--untrusted",
  },
  {
    name: "a rule for docs, a write elsewhere",
    args: ["-", "--allow", "write:docs/*.md"],
    input: "p",
    answers: [writeOut],
    wrong: "out.txt",
    needs: "--untrusted",
  },
  {
    name: "a rule for docs, a write out of it",
    args: ["-", "--allow", "write:docs/*.md"],
    input: "p",
    answers: [writeAt("docs/../out.txt")],
    wrong: "out.txt",
    needs: "--untrusted",
  },
  {
    name: "a rule for docs, another kind of file",
    args: ["-", "--allow", "write:docs/*.md"],
    input: "p",
    answers: [writeAt("docs/out.txt")],
    wrong: "docs/out.txt",
    needs: "--untrusted",
  },
  {
    name: "a rule for docs, a folder in it",
    args: ["-", "--allow", "write:docs/*.md"],
    input: "p",
    answers: [writeAt("docs/a/out.md")],
    wrong: "docs/a/out.md",
    needs: "--untrusted",
  },
  {
    name: "a rule for docs, by a name that ends like it",
    args: ["-", "--allow", "write:docs/*.md"],
    input: "p",
    answers: [writeAt("mydocs/out.md")],
    wrong: "mydocs/out.md",
    needs: "--untrusted",
  },
  {
    name: "a rule for docs, by a line feed",
    args: ["-", "--allow", "write:docs/*.md"],
    input: "p",
    answers: [writeAt("out.txt\ndocs/a.md")],
    wrong: "out.txt\ndocs/a.md",
    needs: "--untrusted",
  },
  {
    name: "a rule for docs, which is a link",
    args: ["-", "--allow", "write:linked/*.txt"],
    input: "p",
    answers: [writeAt("linked/out.txt")],
    wrong: "real/out.txt",
    needs: "--untrusted",
  },
  {
    name: "a rule for a command, another one",
    args: ["-", "--allow", "shell:touch other.txt"],
    input: "p",
    answers: [[{ name: "shell", args: { command: "touch out.txt" } }]],
    wrong: "out.txt",
  },
  {
    name: "a rule for a command, with one word more",
    args: ["-", "--allow", "shell:touch other.txt"],
    input: "p",
    answers: [[{ name: "shell", args: { command: "touch other.txt out.txt" } }]],
    wrong: "out.txt",
  },
  {
    name: "a rule for edits of docs, a write",
    args: ["-", "--allow", "edit:docs/**"],
    input: "p",
    answers: [writeAt("docs/out.md")],
    wrong: "docs/out.md",
    needs: "--untrusted",
  },
  {
    name: "a rule for writes, an edit",
    args: ["-", "--allow", "write:*.txt"],
    input: "p",
    answers: [[{ name: "edit", args: { file: "a.txt", edits: [{ old: "hello", new: "x" }] } }]],
    wrong: "a.txt",
    needs: "--untrusted",
  },
  {
    name: "a rule for all searches, a scrape's host",
    args: ["go", "--allow", "scrape:127.0.0.1"],
    answers: [readSecret, sendSecret],
    wrong: "sent",
    needs: "--untrusted",
  },
  {
    name: "control: a rule for all searches, after a read",
    args: ["go", "--allow", "search:*"],
    answers: [readSecret, sendSecret],
    wrong: "sent",
    isControl: true,
    needs: "--untrusted",
  },
  {
    name: "control: --content allow, after a read",
    args: ["go", "--content", "allow"],
    answers: [readSecret, sendSecret],
    wrong: "sent",
    isControl: true,
    needs: "--content",
  },
];
