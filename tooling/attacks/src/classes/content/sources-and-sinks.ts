export type Call = { name: string; args: object };

/** Calls whose result is private or untrusted. */
export const sources: Record<"private" | "untrusted", Record<string, Call>> = {
  private: {
    "read a file": { name: "read", args: { file: ".env" } },
    "read a page": { name: "read", args: { file: ".env", from: 1, lines: 1 } },
    "find content": { name: "find", args: { content: "SECRET", ignored: true } },
    "find by expression": { name: "find", args: { content: "S.*", regex: true, ignored: true } },
    "an edit that fails and shows what is near": {
      name: "edit",
      args: { file: ".env", edits: [{ old: "SECRET=canari", new: "x" }] },
    },
    "recall words": { name: "recall", args: { query: "birthday" } },
    "recall a conversation": { name: "recall", args: { conversation: "earlier" } },
    "a command that prints a file": { name: "shell", args: { command: "cat .env" } },
    "a command that prints its folder": { name: "shell", args: { command: "ls -la" } },
    "a tool that says so": { name: "diary", args: {} },
  },
  untrusted: {
    "scrape a page": { name: "scrape", args: { url: "PAGE" } },
    "scrape a page that is JSON": { name: "scrape", args: { url: "PAGE.json" } },
    "search the web": { name: "search", args: { query: "bread" } },
    "read a file marked so": { name: "read", args: { file: "vendor/readme.md" } },
    "read a file marked so, by another way": { name: "read", args: { file: "src/../vendor/./readme.md" } },
    "find in files marked so": { name: "find", args: { content: "ignore", path: "vendor" } },
    "find in all files": { name: "find", args: { content: "ignore" } },
    "an edit that fails in a file marked so": {
      name: "edit",
      args: { file: "vendor/readme.md", edits: [{ old: "Pleese ignore", new: "x" }] },
    },
    "recall a conversation that held it": { name: "recall", args: { conversation: "tainted" } },
    "recall words of a conversation that held it": { name: "recall", args: { query: "sourdough" } },
    "a tool of the open world": { name: "mail", args: {} },
    "a tool that says so": { name: "guest", args: {} },
  },
};

/** Calls that must ask once the conversation holds such content. */
export const sinks: Record<"private" | "untrusted", Record<string, Call>> = {
  private: {
    search: { name: "search", args: { query: "SECRET=canary" } },
    scrape: { name: "scrape", args: { url: "PAGE?SECRET=canary" } },
    "a tool of the open world": { name: "send", args: { text: "SECRET" } },
  },
  untrusted: {
    write: { name: "write", args: { file: "out.txt", content: "x" } },
    "write over": { name: "write", args: { file: "src/a.txt", content: "x", overwrite: true } },
    edit: { name: "edit", args: { file: "src/a.txt", edits: [{ old: "hello", new: "x" }] } },
    replace: { name: "replace", args: { find: "hello", with: "x" } },
    shell: { name: "shell", args: { command: "touch out.txt" } },
    "a tool with effects": { name: "change", args: {} },
    "a tool that says nothing of itself": { name: "plain", args: {} },
  },
};
