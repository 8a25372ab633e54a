import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calling, place, resultsOf } from "./support/command-line.ts";

/** The work of a coding agent in an afternoon: looks around, writes, edits, runs, and looks again. */
const steps: { name: string; args: object }[][] = [
  [{ name: "list", args: { path: "." } }],
  [
    { name: "read", args: { file: "notes.txt" } },
    { name: "read", args: { file: "src/sum.js" } },
  ],
  [{ name: "find", args: { content: "sum" } }],
  [{ name: "write", args: { file: "src/product.js", content: "exports.product = (a, b) => a + b;\n" } }],
  [{ name: "write", args: { file: "test/product.js", content: testOf("product", 6) } }],
  [{ name: "shell", args: { command: "node test/product.js" } }],
  [{ name: "read", args: { file: "src/product.js" } }],
  [{ name: "edit", args: { file: "src/product.js", edits: [{ old: "a + b", new: "a * b" }] } }],
  [{ name: "shell", args: { command: "node test/product.js" } }],
  [{ name: "write", args: { file: "test/sum.js", content: testOf("sum", 5) } }],
  [{ name: "shell", args: { command: "node test/sum.js" } }],
  [{ name: "read", args: { file: "src/sum.js" } }],
  [{ name: "edit", args: { file: "src/sum.js", edits: [{ old: "a - b", new: "a + b" }] } }],
  [{ name: "shell", args: { command: "node test/sum.js" } }],
  [{ name: "find", args: { content: "exports" } }],
  [{ name: "replace", args: { find: "exports.", with: "module.exports.", path: "src" } }],
  [
    { name: "shell", args: { command: "node test/sum.js" } },
    { name: "shell", args: { command: "node test/product.js" } },
  ],
  [{ name: "write", args: { file: "README.md", content: "# Arithmetic\n" } }],
  [
    {
      name: "edit",
      args: { file: "README.md", edits: [{ old: "# Arithmetic", new: "# Arithmetic\n\nsum, product" }] },
    },
  ],
];

describe("a coding task of twenty steps", () => {
  it("asks nothing if the user allowed its tools and no untrusted text was read", async () => {
    const { folder, cogency } = place();
    const project = join(folder, "project");
    await mkdir(join(project, "src"), { recursive: true });
    await mkdir(join(project, "test"));
    await writeFile(join(project, "notes.txt"), "Write product; mend sum.\n");
    await writeFile(join(project, "src", "sum.js"), "exports.sum = (a, b) => a - b;\n");

    const allowed = ["write", "edit", "replace", "shell:node test/sum.js", "shell:node test/product.js"];
    const { code, stdout, stderr } = await cogency([
      ...["run", "Write product; mend sum.", "--json", "--root", project, "--conversation", "task"],
      ...allowed.flatMap((rule) => ["--allow", rule]),
      ...calling(...steps),
    ]);

    const results = resultsOf(stdout);
    const failures = results.filter(({ status }) => status === "failure").map(({ content }) => content);
    expect(failures).toEqual([expect.stringContaining("Error: product"), expect.stringContaining("Error: sum")]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(results).toHaveLength(21);
    const { stdout: history } = await cogency(["history", "export", "task"]);
    expect(history).not.toContain('"kind":"approval"');
    expect(readFileSync(join(project, "src", "sum.js"), "utf8")).toBe("module.exports.sum = (a, b) => a + b;\n");
    expect(readFileSync(join(project, "README.md"), "utf8")).toBe("# Arithmetic\n\nsum, product\n");
  });
});

function testOf(name: string, expected: number): string {
  return `const { ${name} } = require("../src/${name}.js");\nif (${name}(2, 3) !== ${expected}) throw new Error("${name}");\nconsole.log("ok");\n`;
}
