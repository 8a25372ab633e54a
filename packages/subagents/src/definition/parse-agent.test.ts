import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAgent } from "./parse-agent.ts";

const known = ["read", "write", "edit", "replace", "list", "find", "shell", "scrape", "search", "skill", "agent"];
const usual = "name: reviewer\ndescription: Reviews a change.";
const text = (front: string, body = "Look with care.") => `---\n${front}\n---\n${body}\n`;
const parse = (front: string, body?: string, file = "reviewer.md") =>
  parseAgent(text(front, body), { file, tools: known });

describe("parseAgent", () => {
  it("reads all fields of its own format", () => {
    const fields = `tools: [read, find]\nwithoutTools: shell\nmodel: small\ndriver: native\nbudget:\n  steps: 20\n  cost: 0.5\n  seconds: 1.5`;
    expect(parse(`${usual}\n${fields}`, "# You review\n\nRead all of it.")).toEqual({
      agent: {
        name: "reviewer",
        description: "Reviews a change.",
        instructions: "# You review\n\nRead all of it.",
        tools: ["read", "find"],
        withoutTools: ["shell"],
        model: "small",
        driver: "native",
        budget: { steps: 20, cost: 0.5, seconds: 1.5 },
      },
      problems: [],
    });
  });

  it.each<[string, string, object]>([
    ["a name of the file where the text has none", "description: Reviews.", { name: "reviewer" }],
    ["no list of tools as all of the parent's", usual, { tools: undefined, withoutTools: undefined }],
    ["W24: an empty list of tools as none", `${usual}\ntools: []`, { tools: [] }],
    ["a star as all", `${usual}\ntools: "*"`, { tools: undefined }],
    ["a star that is taken away as none", `${usual}\nwithoutTools: "*"`, { tools: [] }],
    ["a description on one line", 'name: a\ndescription: "a\\n\\tb"', { description: "a b" }],
    ["the lower one of two limits", `${usual}\nmaxTurns: 5\nbudget: { steps: 9 }`, { budget: { steps: 5 } }],
    // Claude Code
    ["tools of Claude Code", `${usual}\ntools: Read, Grep, Glob, Bash`, { tools: ["read", "find", "list", "shell"] }],
    ["a tool of Claude Code that is not here", `${usual}\ntools: Read, TodoWrite`, { tools: ["read"] }],
    ["only such tools as none", `${usual}\ntools: TodoWrite, NotebookEdit`, { tools: [] }],
    [
      "tools of servers as they are named",
      `${usual}\ntools: Read, mcp__git__log`,
      { tools: ["read", "mcp__git__log"] },
    ],
    ["disallowedTools", `${usual}\ndisallowedTools: Write, Edit`, { withoutTools: ["write", "edit", "replace"] }],
    ["model: inherit", `${usual}\nmodel: inherit`, { model: undefined }],
    ["the name of a model as it stands", `${usual}\nmodel: sonnet`, { model: "sonnet" }],
    ["maxTurns", `${usual}\nmaxTurns: 7`, { budget: { steps: 7 } }],
    ["fields that change nothing", `${usual}\ncolor: red\npermissionMode: bypassPermissions\nbackground: true`, {}],
    [
      "skills, with their tool",
      `${usual}\ntools: Read\nskills: [style, tests]`,
      {
        tools: ["read", "skill"],
        instructions: "Look with care.\n\nBefore you begin, read these skills with the tool skill: style, tests.",
      },
    ],
    // opencode
    ["mode: subagent", "description: A.\nmode: subagent\ntemperature: 0.1", { name: "reviewer" }],
    [
      "a map of tools",
      `${usual}\ntools:\n  write: false\n  edit: false\n  bash: true`,
      { tools: undefined, withoutTools: ["write", "edit"] },
    ],
    [
      "a map that begins with none",
      `${usual}\ntools:\n  "*": false\n  read: true\n  grep: true`,
      { tools: ["read", "find"] },
    ],
    [
      "what a permission denies",
      `${usual}\npermission:\n  edit: deny\n  bash: ask\n  webfetch: allow\n  external_directory: deny`,
      { tools: undefined, withoutTools: ["edit", "replace", "write"] },
    ],
    ["a permission that denies the rest", `${usual}\npermission:\n  "*": deny\n  read: allow`, { tools: ["read"] }],
    ["a permission that denies all", `${usual}\npermission: deny`, { tools: [] }],
    ["a permission for each call", `${usual}\npermission:\n  bash:\n    "*": deny`, { withoutTools: ["shell"] }],
    [
      "of two lists what both allow",
      `${usual}\ntools: read, shell\npermission:\n  "*": deny\n  bash: allow`,
      { tools: ["shell"] },
    ],
    ["steps", `${usual}\nsteps: 4`, { budget: { steps: 4 } }],
  ])("reads %s", (_, front, expected) => {
    const { agent, problems } = parse(front);
    expect(problems).toEqual([]);
    for (const [name, value] of Object.entries(expected)) expect(agent?.[name as keyof typeof agent]).toEqual(value);
  });

  it.each<[string, string, [code: string, line: number, message: RegExp]]>([
    ["no front matter", "# Review", ["front_matter_missing", 1, /"---"/]],
    ["an open front matter", `---\n${usual}`, ["front_matter_missing", 1, /---/]],
    ["YAML that is none", text("name: [a\ndescription: b"), ["front_matter_invalid", 3, /YAML/]],
    ["a colon in a description", text("name: a\ndescription: Use it: now"), ["front_matter_invalid", 3, /YAML/]],
    ["a key twice", text(`${usual}\nname: other`), ["front_matter_invalid", 4, /unique/i]],
    ["a list in place of fields", text("- name"), ["front_matter_invalid", 2, /fields/]],
    ["a megabyte", text(`${usual}\ncolor: ${"x".repeat(1e6)}`), ["front_matter_invalid", 2, /16384/]],
    ["an unknown field", text(`${usual}\ntool: read`), ["field_unknown", 4, /"tool".*tools/]],
    ["no description", text("name: a"), ["field_missing", 1, /description/]],
    ["a description that is a number", text("name: a\ndescription: 5"), ["field_invalid", 3, /quotes.*"5"/]],
    ["a name in capitals", text("name: Front End!\ndescription: b"), ["field_invalid", 2, /"name: front-end"/]],
    ["a path as a name", text("name: ../x\ndescription: b"), ["field_invalid", 2, /letters/]],
    ["a long name", text(`name: ${"r".repeat(65)}\ndescription: b`), ["field_invalid", 2, /64/]],
    ["no instructions", text(usual, "  \n"), ["text_empty", 5, /instructions/]],
    ["instructions as long as a book", text(usual, "x".repeat(100_001)), ["field_invalid", 1, /100000/]],
    ["an empty list of tools that is no list", text(`${usual}\ntools: ""`), ["field_invalid", 4, /\[\] for none/]],
    ["tools without a value", text(`${usual}\ntools:`), ["field_invalid", 4, /\[\] for none/]],
    ["tools that are a number", text(`${usual}\ntools: 5`), ["field_invalid", 4, /names/]],
    ["a tool that there is not", text(`${usual}\ntools: raed`), ["field_invalid", 4, /"raed".*read\?/]],
    ["the same in what it shall not have", text(`${usual}\ndisallowedTools: Wirte`), ["field_invalid", 4, /"Wirte"/]],
    ["the same in a map", text(`${usual}\ntools:\n  wirte: false`), ["field_invalid", 5, /"wirte".*write\?/]],
    ["some calls of a tool", text(`${usual}\ntools: Read, Bash(git:*)`), ["field_invalid", 4, /Bash\(git/]],
    ["which agents it may start", text(`${usual}\ntools: Agent(worker)`), ["field_invalid", 4, /Agent/]],
    ["an alias", text(`${usual}\ntools: [&a read, *a]`), ["field_invalid", 4, /names/]],
    ["a model that is a list", text(`${usual}\nmodel: [a]`), ["field_invalid", 4, /model/]],
    ["a budget of nothing", text(`${usual}\nbudget: { steps: 0 }`), ["field_invalid", 4, /above 0/]],
    ["a budget of something else", text(`${usual}\nbudget: { dollars: 1 }`), ["field_invalid", 4, /cost/]],
    ["half a step", text(`${usual}\nmaxTurns: 0.5`), ["field_invalid", 4, /maxTurns/]],
    ["hooks", text(`${usual}\nhooks:\n  PreToolUse: []`), ["field_unknown", 4, /programs/]],
    ["servers", text(`${usual}\nmcpServers: [git]`), ["field_unknown", 4, /mcpServers/]],
    ["a mode that only reads", text(`${usual}\npermissionMode: plan`), ["field_unknown", 4, /tools: read/]],
    ["a tree of its own", text(`${usual}\nisolation: worktree`), ["field_unknown", 4, /your files/]],
    [
      "a permission for some calls",
      text(`${usual}\npermission:\n  bash:\n    "*": deny\n    "git *": allow`),
      ["field_invalid", 5, /bash/],
    ],
    ["a permission that is none", text(`${usual}\npermission:\n  bash: maybe`), ["field_invalid", 5, /bash/]],
    ["a prompt in another place", text(`${usual}\nprompt: "{file:./p.txt}"`), ["field_unknown", 4, /below/]],
  ])("names %s with its line, and gives no agent", (_, source, [code, line, message]) => {
    const { agent, problems } = parseAgent(source, { file: "a.md", tools: known });
    expect(agent).toBeUndefined();
    expect(problems).toEqual([{ code, line, message: expect.stringMatching(message) }]);
  });

  it("names every field that is wrong, in the order of the lines", () => {
    const { problems } = parse("name: A\ncolour: x\ntools: nope", "");
    expect(problems.map(({ line, code }) => `${line} ${code}`)).toEqual([
      "1 field_missing",
      "2 field_invalid",
      "3 field_unknown",
      "4 field_invalid",
      "6 text_empty",
    ]);
  });

  it.each(["mode: primary", "disable: true", "disabled: true"])(
    "finds no agent and no fault in a file with %s",
    (line) => {
      expect(parse(`${usual}\n${line}`)).toEqual({ problems: [] });
    },
  );

  it("names a file whose name is none of an agent", () => {
    const { problems } = parse("description: a", "Do.", "agents/Front End.md");
    expect(problems).toEqual([{ code: "field_invalid", line: 1, message: expect.stringMatching(/name: front-end/) }]);
  });

  it("cuts a description that is longer than the model reads", () => {
    const { agent } = parse(`name: a\ndescription: ${"x".repeat(5000)}`);
    expect(agent?.description).toHaveLength(1024);
    expect(agent?.description.endsWith("…")).toBe(true);
  });

  it("does not grow what aliases repeat", () => {
    const lines = ["a: &a [x,x,x,x,x,x,x,x,x]"];
    for (let at = 1; at < 12; at++) {
      const [name, before] = [String.fromCharCode(97 + at), String.fromCharCode(96 + at)];
      lines.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(",")}]`);
    }
    const { agent, problems } = parse(`${usual}\n${lines.join("\n")}\ntools: *l`);
    expect(agent).toBeUndefined();
    expect(problems.map(({ code }) => code)).toContain("field_unknown");
  });

  it("never throws, and never gives an agent more tools than its lists name", () => {
    const value = fc.oneof(
      fc.constantFrom("read", "[]", "[read, shell]", "{ read: true }", "{ '*': false, read: true }", "Bash(x)", "null"),
      fc.string(),
    );
    fc.assert(
      fc.property(value, value, fc.string(), (tools, without, body) => {
        const { agent, problems } = parseAgent(text(`${usual}\ntools: ${tools}\nwithoutTools: ${without}`, body), {
          tools: known,
        });
        expect(agent === undefined).toBe(problems.length > 0);
        for (const name of agent?.tools ?? [])
          expect([...known, "mcp__"]).toContain(name.startsWith("mcp__") ? "mcp__" : name);
      }),
    );
  });
});
