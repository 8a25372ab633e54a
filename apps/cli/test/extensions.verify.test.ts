import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calling, jsonLines, type Place, place, resultsOf } from "./support/command-line.ts";

const toolText = (name: string, more = "") => `
  import { defineTool } from "@cogency/tools";
  export default defineTool({
    name: ${JSON.stringify(name)},
    description: "Does ${name}.",
    input: { type: "object", properties: { text: { type: "string" } } },
    ${more}
    execute: ({ text = "nothing" }: { text?: string }) => "${name} did " + text,
  });`;

/** Writes a file below the folder of a place. @returns its path */
function put({ folder }: Place, path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function configure(at: Place, path: string, content: object): void {
  put(at, path, JSON.stringify(content));
}

const mine = ".config/cogency/config.json";
const theirs = ".cogency/config.json";
const reading = "annotations: { readOnlyHint: true },";

describe("--tool", () => {
  it("gives the model a tool of one file, without an install", async () => {
    const at = place();
    put(at, "my-tool.mts", toolText("mine", reading));
    const model = calling([{ name: "mine", args: { text: "it" } }]);
    const { code, stdout, stderr } = await at.cogency(["go", "--json", "--tool", "./my-tool.mts", ...model]);
    expect(resultsOf(stdout)).toEqual([{ tool: "mine", status: "success", content: "mine did it" }]);
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("asks before a tool that does not say that it only reads, and --allow names it", async () => {
    const at = place();
    put(at, "my-tool.mts", toolText("mine"));
    const run = ["go", "--json", "--tool", "./my-tool.mts", ...calling([{ name: "mine", args: {} }])];
    const [denied, allowed] = [await at.cogency(run), await at.cogency([...run, "--allow", "mine"])];
    expect(resultsOf(denied.stdout)).toMatchObject([
      { status: "failure", content: expect.stringContaining("The user can allow it with --allow mine") },
    ]);
    expect(resultsOf(allowed.stdout)).toMatchObject([{ status: "success" }]);
    const unknown = await at.cogency(["go", "--allow", "mine"]);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no tool "mine"') });
  });

  it("obeys rules of files that name its tools", async () => {
    const at = place();
    put(at, "my-tool.mts", toolText("mine"));
    const run = ["go", "--json", "--tool", "./my-tool.mts", ...calling([{ name: "mine", args: {} }])];
    const rules = async (content: object) => {
      configure(at, ".config/cogency/rules.json", content);
      const { stdout, stderr } = await at.cogency(run);
      return [resultsOf(stdout)[0]?.status, stderr];
    };
    expect(await rules({ allow: ["mine"] })).toEqual(["success", ""]);
    expect(await rules({ allow: ["mine"], deny: ["mine"] })).toEqual(["failure", expect.stringContaining("stronger")]);
    const others = await at.cogency(["go", "--json"]);
    expect(others.stderr).toContain('never matches: there is no tool "mine"');
  });

  it("takes no name of the app's own tools, and the rest works", async () => {
    const at = place();
    const own = ["plan", "present_plan", "agent", "agent_result", "skill", "read"];
    const file = (name: string) => ["--tool", put(at, `${name}.mts`, toolText(name, reading))];
    const named = [...own, "mine"].flatMap(file);
    const model = calling([{ name: "mine", args: { text: "it" } }]);
    const { code, stdout, stderr } = await at.cogency(["go", "--json", ...named, ...model]);
    expect(stderr.trim().split("\n")).toEqual(
      own.map((name) => expect.stringMatching(`"${name}" is left out: another one has this name`)),
    );
    expect(resultsOf(stdout)).toEqual([{ tool: "mine", status: "success", content: "mine did it" }]);
    expect(code).toBe(0);
  });

  it("may be given several times, and --read-only leaves out what does not only read", async () => {
    const at = place();
    put(at, "a.mts", toolText("first", reading));
    put(at, "b.mts", toolText("second"));
    const list = ["tools", "list", "--tools", "read", "--tool", "./a.mts", "--tool", "./b.mts"];
    const names = ({ stdout }: { stdout: string }) => stdout.split("\n").map((line) => line.split(" ")[0]);
    expect(names(await at.cogency(list))).toEqual(["read", "first", "second", ""]);
    const { stdout } = await at.cogency([
      "go",
      "--json",
      "--read-only",
      ...list.slice(4),
      ...calling([{ name: "second", args: {} }]),
    ]);
    expect(resultsOf(stdout)).toMatchObject([{ status: "failure", content: expect.stringContaining("Unknown tool") }]);
  });

  it("brings hooks and skills, too", async () => {
    const at = place();
    put(
      at,
      "all.mts",
      `export default (options: { word: string }) => ({
        hooks: [{ name: "guard", beforeToolUse: ({ call }: any) =>
          call.name === "read" ? { block: "Not " + (options.word ?? "today") + "." } : undefined }],
        skills: [{ name: "ship", description: "Ships.", text: "Ship $1." }],
      });`,
    );
    configure(at, mine, { tools: [{ use: "../../all.mts", options: { word: "ever" } }] });
    const model = calling([
      { name: "read", args: { file: "notes.txt" } },
      { name: "skill", args: { name: "ship", arguments: "it" } },
    ]);
    const { stdout } = await at.cogency(["go", "--json", ...model]);
    const [read, skill] = resultsOf(stdout);
    expect(read).toMatchObject({ status: "failure", content: expect.stringContaining("Not ever.") });
    expect(skill).toMatchObject({ status: "success", content: { instructions: "Ship it." } });
  });
});

describe("a fault of an extension is one line, and the rest works", () => {
  it.each<[what: string, text: string, line: RegExp]>([
    ["an import that throws", 'throw new Error("no key");', /it cannot be loaded: no key$/],
    ["text that is no JavaScript", "the secret word", /cannot be loaded: /],
    [
      "an import of what is not installed",
      'import "not-there";',
      /it imports "not-there", which is not installed beside it: npm install not-there$/,
    ],
    ["nothing that it exports", "export const tool = 1;", /it exports by default no tool/],
    ["the name of a built-in tool", toolText("shell"), /the tool "shell" is left out: another one has this name$/],
    ["a name that is reserved", toolText("execute"), /cannot be loaded: .*marker/],
    ["a name of prototypes", toolText("constructor__proto__ "), /a name begins with a letter/],
    ["a function that throws", 'export default () => { throw new Error("gone"); };', /its function failed: gone$/],
    ["a getter that throws", 'export default { get tools() { throw new Error("gone"); } };', /gone$/],
    ["a hook that is none", 'export default { hooks: [{ name: "x", beforeToolUze() {} }] };', /beforeToolUze/],
    [
      "a description of 1 MB",
      'export default { name: "big", description: "x".repeat(1e6), spec: { name: "big", description: "", parameters: { type: "object" } }, annotations: {}, validate: () => ({ ok: true, args: {} }), execute() {} };',
      /the tool "big" is left out: its description has more than 8192 characters/,
    ],
    ["options that nobody reads", "export default [];", /it takes no options/],
  ])("%s", async (_, text, line) => {
    const at = place();
    put(at, "bad.mts", text);
    put(at, "good.mts", toolText("good", reading));
    const bad = line.source.includes("no options") ? { use: "../../bad.mts", options: { a: 1 } } : "../../bad.mts";
    configure(at, mine, { tools: [bad, "../../good.mts"] });
    const { stdout, stderr, code } = await at.cogency(["go", "--json", ...calling([{ name: "good", args: {} }])]);
    expect(code).toBe(0);
    expect(resultsOf(stdout)).toMatchObject([{ status: "success" }]);
    const lines = stderr.trimEnd().split("\n");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(line);
    expect(lines[0]).toMatch(/^The extension \.\/bad\.mts: /);
    expect(lines[0]).not.toContain("secret");
  });

  it("also in tools list and in the doctor", async () => {
    const at = place();
    put(at, "bad.mts", 'throw new Error("no net");');
    const list = await at.cogency(["tools", "list", "--tool", "./bad.mts"]);
    expect(list).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^read /),
      stderr: expect.stringMatching(/no net\n$/),
    });
    const doctor = await at.cogency(["doctor", "--no-request", "--json", "--tool", "./bad.mts"]);
    expect(jsonLines<object>(doctor.stdout)).toContainEqual(
      expect.objectContaining({ about: "extension", state: "fault", text: expect.stringContaining("no net") }),
    );
  });

  it("of two tools with one name the first counts", async () => {
    const at = place();
    put(at, "a.mts", toolText("same", reading));
    put(at, "b.mts", toolText("same", reading).replace("did", "undid"));
    const model = calling([{ name: "same", args: {} }]);
    const { stdout, stderr } = await at.cogency(["go", "--json", "--tool", "./a.mts", "--tool", "./b.mts", ...model]);
    expect(resultsOf(stdout)).toMatchObject([{ content: "same did nothing" }]);
    expect(stderr).toBe('The extension ./b.mts: the tool "same" is left out: another one has this name\n');
  });

  it("of more tools than a server takes the first count, and of many faults ten are told", async () => {
    const at = place();
    const many = (letter: string) =>
      `import { defineTool } from "@cogency/tools";
       export default Array.from({ length: 100 }, (_, index) => defineTool({
         name: "${letter}" + index, description: "Does it.", input: { type: "object" }, execute: () => 1 }));`;
    put(at, "many.mts", many("a"));
    put(at, "more.mts", many("b"));
    const { stdout, stderr } = await at.cogency(["tools", "list", "--tool", "./many.mts", "--tool", "./more.mts"]);
    expect(stdout.match(/^\w+/gm)?.length).toBeLessThanOrEqual(128);
    const lines = stderr.trimEnd().split("\n");
    expect(lines).toHaveLength(11);
    expect(lines[0]).toMatch(
      /^The extension \.\/more\.mts: the tool "b\d+" is left out: there are more than 128 tools$/,
    );
    expect(lines.at(-1)).toMatch(/^The extension \.\/more\.mts: \d+ more of its parts are left out$/);
  });

  it("but a name that is no tool and no package ends the run, since it may have been to leave others out", async () => {
    const at = place();
    configure(at, mine, { tools: ["raed"] });
    const { code, stderr } = await at.cogency(["go"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Unknown tool "raed"')]);
  });
});

describe("the key tools", () => {
  it("names built-in tools, which leaves others out, and modules, which add up over the files", async () => {
    const at = place();
    put(at, "a.mts", toolText("first"));
    put(at, "b.mts", toolText("second"));
    configure(at, mine, { tools: ["read", "../../a.mts"] });
    configure(at, theirs, { tools: ["list", "../b.mts"] });
    const listed = async (...args: string[]) =>
      (await at.cogency(["tools", "list", ...args])).stdout.match(/^\w+/gm)?.join(" ");
    expect(await listed()).toBe("read first");
    await at.cogency(["trust", "--yes"]);
    expect(await listed()).toBe("list first second");
    expect(await listed("--tools", "find")).toBe("find");
  });

  it.each<[value: unknown, problem: string]>([
    ["./a.mts", "tools has to be a list"],
    [[1], "tools has to be a list"],
    [[{ options: {} }], "tools[0].use has to be a path"],
    [[{ use: "./a.mts", option: {} }], "there is no key tools[0].option. There are use, options."],
    [[{ use: "./a.mts", options: [] }], "tools[0].options has to be an object"],
  ])("refuses %j", async (tools, problem) => {
    const at = place();
    configure(at, mine, { tools });
    expect(await at.cogency(["tools", "list"])).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
  });
});

describe("a module that a project names", () => {
  const canary = (file: string) =>
    `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(file)}, "x");`;
  const ran = ({ folder }: Place) => join(folder, "ran.txt");

  it("does not run before the folder is trusted, whatever command is used", async () => {
    const { existsSync } = await import("node:fs");
    const at = place();
    put(at, ".cogency/evil.mts", canary(ran(at)) + toolText("evil"));
    configure(at, theirs, { tools: ["./evil.mts"] });
    for (const args of [["go"], ["tools", "list"], ["doctor", "--no-request"], ["skills", "list"], ["config", "get"]]) {
      await at.cogency(args);
      expect(existsSync(ran(at)), args.join(" ")).toBe(false);
    }
    await at.cogency(["trust", "--yes"]);
    await at.cogency(["tools", "list"]);
    expect(existsSync(ran(at))).toBe(true);
  });

  it("is asked about again when it, or a file that it imports, is changed; the question says what it may do", async () => {
    const at = place();
    put(at, ".cogency/own.mts", `import { word } from "./word.mts";\n${toolText("own", reading)}\nvoid word;`);
    const beside = put(at, ".cogency/word.mts", "export const word = 1;");
    configure(at, theirs, { tools: ["./own.mts"] });
    await at.cogency(["trust", "--yes"]);
    const list = () => at.cogency(["tools", "list", "--tools", "read"]);
    expect((await list()).stderr).toBe("");
    writeFileSync(beside, "export const word = 2;");
    expect((await at.cogency(["tools", "list"])).stdout).not.toMatch(/^own/m);
    expect((await list()).stderr).toContain(
      "It was changed since you trusted this folder, or a module that it names was",
    );
    const { stdout } = await at.cogency(["trust", "--yes"]);
    expect(stdout).toMatch(
      /own\.mts" and 1 files that it imports would run in this program with all your rights, outside of the sandbox: sha256 [\da-f]{16}/,
    );
  });

  it("is not believed when it says that a call needs no question", async () => {
    const at = place();
    put(at, ".cogency/own.mts", toolText("own", `approval: "allow", annotations: { readOnlyHint: true },`));
    configure(at, theirs, { tools: ["./own.mts"] });
    await at.cogency(["trust", "--yes"]);
    const run = ["go", "--json", ...calling([{ name: "own", args: {} }])];
    const [asked, allowed] = [await at.cogency(run), await at.cogency([...run, "--allow", "own"])];
    expect(resultsOf(asked.stdout)).toMatchObject([{ content: expect.stringContaining("it needs approval") }]);
    expect(resultsOf(allowed.stdout)).toMatchObject([{ status: "success" }]);
  });

  it("is the person's where the person names it, too", async () => {
    const at = place();
    put(at, ".cogency/own.mts", toolText("own", reading));
    configure(at, theirs, { tools: ["./own.mts"] });
    await at.cogency(["trust", "--yes"]);
    const run = ["go", "--json", "--tool", ".cogency/own.mts", ...calling([{ name: "own", args: {} }])];
    const { stdout, stderr } = await at.cogency(run);
    expect([resultsOf(stdout)[0]?.status, stderr]).toEqual(["success", ""]);
  });

  it.skipIf(process.platform === "win32")(
    "is refused if others could have written it, or what it imports",
    async () => {
      const at = place();
      put(at, "own.mts", `import "./word.mts";\n${toolText("own")}`);
      const beside = put(at, "word.mts", "export {};");
      chmodSync(beside, 0o666);
      const { stderr } = await at.cogency(["tools", "list", "--tool", "./own.mts"]);
      expect(stderr).toMatch(/is not loaded: every user may write to .*word\.mts\.\n$/);
    },
  );

  it("is looked for behind links, and a device is no module", async () => {
    const at = place();
    symlinkSync("/dev/zero", join(at.folder, "zero.mjs"));
    const { code, stderr } = await at.cogency(["tools", "list", "--tool", "./zero.mjs"]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^The extension \.\/zero\.mjs: .*not a regular file/)]);
  });
});

describe("a command of an extension, in a run", () => {
  const release = `
    export default {
      commands: [{ name: "release", description: "Releases.", text: "Run the tests. If they pass, deploy $1." }],
    };`;
  const said = (stdout: string) =>
    jsonLines(stdout).flatMap((event) => (event.type === "user" ? [event.content] : []))[0];

  it("is typed like one of a file, which comes first if it has the same name", async () => {
    const at = place();
    put(at, ".config/cogency/release.mts", release);
    configure(at, mine, { tools: ["./release.mts"] });
    const run = () => at.cogency(["run", "--json", "/release 1.2"]);
    const { stdout, stderr } = await run();
    expect(said(stdout)).toBe("/release 1.2\n\nRun the tests. If they pass, deploy 1.2.");
    expect(stderr).toMatch(/\/release: .*release\.mts\./);
    put(at, ".config/cogency/commands/release.md", "Ask first.");
    expect(said((await run()).stdout)).toBe("/release 1.2\n\nAsk first.\n\nArguments: 1.2");
  });

  it("is meant by a slip", async () => {
    const at = place();
    put(at, "release.mts", release);
    const { code, stderr } = await at.cogency(["--tool", "./release.mts", "/relaese 1.2"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Did you mean /release?")]);
  });
});
