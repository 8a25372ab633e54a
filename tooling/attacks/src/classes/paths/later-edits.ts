import type { FileCall } from "../../harness/file-calls.ts";

/** Changes of ordinary files that make a program run later. */
export type LaterEdit = [name: string, before: string, path: string, calls: FileCall[]];

export const laterEdits: readonly LaterEdit[] = [
  [
    "a script by edit",
    '{"scripts":{"test":"vitest"}}',
    "package.json",
    [{ name: "edit", args: { file: "package.json", edits: [{ old: '"test"', new: '"postinstall":"evil","test"' }] } }],
  ],
  [
    "a script by replace in all files",
    '{"scripts":{"test":"vitest"}}',
    "package.json",
    [{ name: "replace", args: { find: "vitest", with: "evil && vitest" } }],
  ],
  [
    "a script of a package inside",
    '{"scripts":{"test":"vitest"}}',
    "packages/app/package.json",
    [{ name: "edit", args: { file: "packages/app/package.json", edits: [{ old: "vitest", new: "evil" }] } }],
  ],
  [
    "a script whose key is escaped",
    '{"name":"a"}',
    "package.json",
    [
      {
        name: "write",
        args: { file: "package.json", content: '{"\\u0073cripts":{"prepare":"evil"}}', overwrite: true },
      },
    ],
  ],
  [
    "a script by overwriting",
    '{"name":"a"}',
    "package.json",
    [
      {
        name: "write",
        args: { file: "./src/../package.json", content: '{"scripts":{"prepare":"evil"}}', overwrite: true },
      },
    ],
  ],
  [
    "a workflow by replace",
    "run: make\n",
    ".github/workflows/ci.yml",
    [{ name: "replace", args: { find: "make", with: "evil", pattern: "**/*.yml" } }],
  ],
  [
    "a hook through a link to its folder",
    "true\n",
    ".husky/pre-commit",
    [{ name: "write", args: { file: "docs/pre-commit", content: "evil\n", overwrite: true } }],
  ],
];
