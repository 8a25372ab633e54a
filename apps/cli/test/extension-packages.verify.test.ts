import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { calling, ownProcesses, resultsOf } from "./support/command-line.ts";

/** In processes of their own: Node itself reads the TypeScript, and resolves what it imports. */
describe("a package of one's own", () => {
  it.each([
    ["tool", "hello hello"],
    ["extension", "hello hello"],
  ])("that init %s has made is used at once, without an install and a build", async (kind, said) => {
    const at = ownProcesses();
    const made = await at.cogency(["init", kind, "sea-gull"]);
    const path = `./cogency-${kind}-sea-gull`;
    expect(made.stdout).toContain(`cogency tools list --tool ${path}\n`);
    const args = { text: "hello", ...(kind === "tool" && { times: 2 }) };
    const { code, stdout, stderr } = await at.cogency([
      ...["go", "--json", "--tool", path],
      ...calling([{ name: "seaGull", args }]),
    ]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(resultsOf(stdout)).toEqual([{ tool: "seaGull", status: "success", content: said }]);
  });

  it("brings its hook and its skill, and its options are checked", async () => {
    const at = ownProcesses();
    await at.cogency(["init", "extension", "sea-gull"]);
    const config = (times: unknown) => {
      const use = join(at.folder, "cogency-extension-sea-gull");
      mkdirSync(join(at.folder, ".config/cogency"), { recursive: true });
      const file = join(at.folder, ".config/cogency/config.json");
      writeFileSync(file, JSON.stringify({ tools: [{ use, options: { times } }] }));
    };
    const calls = [
      { name: "seaGull", args: { text: "hi" } },
      { name: "seaGull", args: { text: "crackers" } },
      { name: "skill", args: { name: "repeating" } },
    ];
    config(3);
    const right = await at.cogency(["go", "--json", ...calling(calls)]);
    expect(resultsOf(right.stdout)).toMatchObject([
      { status: "success", content: "hi hi hi" },
      { status: "failure", content: expect.stringContaining("has had enough crackers") },
      { status: "success", content: { instructions: expect.stringContaining("Ask the tool seaGull") } },
    ]);
    config(0);
    const wrong = await at.cogency(["tools", "list"]);
    expect(wrong.stderr).toMatch(/^The extension .*: its function failed: options\.times has to be a whole number/);
  });

  it("is found by its name in the node_modules of the configuration, where it is built", async () => {
    const at = ownProcesses();
    const modules = join(at.folder, ".config/cogency/node_modules");
    const folder = join(modules, "cogency-tool-gull");
    await at.cogency(["init", "tool", "gull", "--folder", folder]);
    writeFileSync(join(modules, "../config.json"), '{ "tools": ["cogency-tool-gull"] }');
    const unbuilt = await at.cogency(["tools", "list"]);
    expect(unbuilt.stderr).toMatch(/^The extension cogency-tool-gull: .*node_modules/m);
    mkdirSync(join(folder, "dist"));
    const text = readFileSync(join(folder, "src/gull.ts"), "utf8");
    writeFileSync(
      join(folder, "dist/gull.js"),
      text.replace(", type Tool", "").replace("(): Tool", "()").replace(": string[]", ""),
    );
    rmSync(join(folder, "src"), { recursive: true });
    const built = await at.cogency(["tools", "list"]);
    expect(built.stdout).toMatch(/^gull /m);
    expect(built.stderr).toBe("");
  });
});

describe("what is written on the page about extensions", () => {
  const page = readFileSync(fileURLToPath(new URL("../docs/extensions.md", import.meta.url)), "utf8");
  const examples = Array.from(page.matchAll(/```mts\n(.*?)```/gs), ([, code = ""]) => code);

  it("can be used as it stands", async () => {
    const at = ownProcesses();
    const [weather = "", deploy = "", checked = ""] = examples;
    writeFileSync(join(at.folder, "weather.mts"), weather);
    writeFileSync(join(at.folder, "deploy.mts"), deploy);
    writeFileSync(join(at.folder, "checked.mts"), checked);
    mkdirSync(join(at.folder, ".cogency"));
    const tools = ["../weather.mts", { use: "../deploy.mts", options: { stage: "live" } }];
    writeFileSync(join(at.folder, ".cogency/config.json"), JSON.stringify({ tools }));
    await at.cogency(["trust", "--yes"]);
    const list = await at.cogency(["tools", "list"]);
    expect(list.stderr).toBe("");
    expect(list.stdout).toMatch(
      /^weather +changes +Tells the weather.*\ndeploy +changes +Deploys the project to live\.$/m,
    );
    writeFileSync(join(at.folder, ".cogency/config.json"), JSON.stringify({ tools: [{ use: "../checked.mts" }] }));
    await at.cogency(["trust", "--yes"]);
    expect((await at.cogency(["tools", "list"])).stderr).toMatch(/it imports "zod", .*: npm install zod$/m);
    mkdirSync(join(at.folder, "node_modules"));
    symlinkSync(fileURLToPath(new URL("../node_modules/zod", import.meta.url)), join(at.folder, "node_modules/zod"));
    expect((await at.cogency(["tools", "list"])).stderr).toMatch(/its options are wrong: options\.stage: /);
  });
});
