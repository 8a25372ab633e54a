import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import type { Skill } from "./skill.ts";
import { type SkillsOptions, skills } from "./skills.ts";

const review: Skill = { name: "review", description: "Reviews a change.", text: "Read $1 and say what is wrong." };

const tool = (name: string) =>
  defineTool({
    name,
    description: name,
    input: { type: "object", properties: { command: { type: "string" } } },
    annotations: { readOnlyHint: true },
    execute: () => `${name} ran`,
  });

const call = (name: string, args: object = {}) => `{"name":"${name}","args":${JSON.stringify(args)}}`;
const block = (...calls: string[]) => `<execute>[${calls.join(",")}]</execute>`;

function agentWith(list: readonly Skill[], answers: string[], options?: SkillsOptions) {
  const provider = scripted(answers);
  const store = memoryStore();
  const agent = createAgent({ provider, store, tools: ["read", "shell", "write"].map(tool) });
  return { agent: agent.use(skills(list, options)), provider, store };
}

async function resultsOf(list: readonly Skill[], answers: string[], options?: SkillsOptions) {
  const { agent } = agentWith(list, answers, options);
  const results: string[] = [];
  for await (const event of agent.run("go", { conversation: "c" })) {
    if (event.type === "result") results.push(event.content);
  }
  return results;
}

describe("an agent with skills", () => {
  it("has one line of each in its prompt, sorted, and the text of one when the model asks for it", async () => {
    const zip: Skill = { name: "zip", description: "Packs\nfiles.", text: "Pack them." };
    const { agent, provider } = agentWith(
      [zip, review],
      [block(call("skill", { name: "review", arguments: "a.ts" })), "Done.<end>"],
    );
    await agent.ask("go", { conversation: "c" });
    const [first, second] = provider.requests;
    expect(JSON.stringify(first)).toContain("- review: Reviews a change.\\n- zip: Packs files.");
    expect(JSON.stringify(first)).not.toContain("say what is wrong");
    expect(JSON.stringify(second)).toContain("Read a.ts and say what is wrong.");
  });

  it("tells the model where the files of a skill are", async () => {
    const [result] = await resultsOf(
      [{ ...review, folder: "/p/review", files: ["a.md", "b/c.sh"] }],
      [block(call("skill", { name: "review" })), "Done.<end>"],
    );
    expect(JSON.parse(result ?? "")).toMatchObject([
      { status: "success", content: { folder: "/p/review", files: ["a.md", "b/c.sh"] } },
    ]);
  });

  it("gives the text of a file beside it, and says where the files are if it cannot", async () => {
    const ask = block(call("skill", { name: "review", file: "a.md" }), call("skill", { name: "zip", file: "a.md" }));
    const own = { ...review, readFile: async (path: string) => `The text of ${path}.` };
    const zip = { ...review, name: "zip", folder: "/p/zip" };
    const [result] = await resultsOf([own, zip], [ask, "Done.<end>"]);
    expect(result).toContain("The text of a.md.");
    expect(result).toContain("lies in /p/zip: read its files with other tools");
  });

  it("answers a name that there is not with those that there are", async () => {
    const [result] = await resultsOf([review], [block(call("skill", { name: "nope" })), "Done.<end>"]);
    expect(result).toContain("There is no skill");
    expect(result).toContain("review");
  });

  it("has no tool and no line if there are no skills", () => {
    expect(skills([])).toEqual({ name: "skills" });
  });

  it("gives the first of two skills with one name", async () => {
    const [result] = await resultsOf(
      [review, { ...review, text: "Other." }],
      [block(call("skill", { name: "review" })), "Done.<end>"],
    );
    expect(result).not.toContain("Other.");
  });

  it.each([
    ["of the project brings what it holds", [{ holds: "untrusted", source: "skill review" }], ["untrusted"]],
    ["of the person brings nothing", undefined, []],
  ] as const)("a text %s", async (_, holds, brought) => {
    const { agent, store } = agentWith(
      [{ ...review, holds }],
      [block(call("skill", { name: "review" })), "Done.<end>"],
    );
    await agent.ask("go", { conversation: "c" });
    const events = await store.load({ conversation: "c" });
    const content = events.flatMap((event) =>
      event.type === "record" && event.kind === "content" ? [event.data.holds] : [],
    );
    expect([...new Set(content)]).toEqual(brought);
  });

  it("has what descriptions bring in each conversation, before a skill is read", async () => {
    const holds = [{ holds: "untrusted", source: "x" }] as const;
    const { agent, store } = agentWith([{ ...review, holds }], ["Done.<end>"]);
    await agent.ask("go", { conversation: "c" });
    const events = await store.load({ conversation: "c" });
    expect(events).toContainEqual(
      expect.objectContaining({ kind: "content", data: { holds: "untrusted", source: "skills review" } }),
    );
  });
});

describe("a skill with a list of tools", () => {
  const narrow = { ...review, allowedTools: ["Read", "Bash(git:*)"] };
  const use = block(call("skill", { name: "review" }));
  const matches: SkillsOptions["matches"] = ({ args }, calls) =>
    calls === "git:*" && /^git /.test(String(args.command));

  it("narrows what runs, from the step after it was read", async () => {
    const results = await resultsOf(
      [narrow],
      [
        block(call("write")),
        use,
        block(call("read"), call("write"), call("shell", { command: "git log" }), call("shell", { command: "rm x" })),
        "Done.<end>",
      ],
      { matches },
    );
    const [before, , after] = results.map((text) =>
      (JSON.parse(text) as { status: string }[]).map(({ status }) => status),
    );
    expect(before).toEqual(["success"]);
    expect(after).toEqual(["success", "failure", "success", "failure"]);
    expect(results[2]).toContain("allows only: Read, Bash(git:*)");
  });

  it("lets no call of a pattern run that nothing compares", async () => {
    const results = await resultsOf([narrow], [use, block(call("shell", { command: "git log" })), "Done.<end>"]);
    expect(results[1]).toContain('"failure"');
  });

  it("leaves the prompt as it is, so that a provider's cache holds, and says in its result what it allows", async () => {
    const { agent, provider } = agentWith([{ ...review, allowedTools: ["read"] }], [use, "Done.<end>"]);
    await agent.ask("go", { conversation: "c" });
    const [first, second] = provider.requests;
    expect(second?.system).toBe(first?.system);
    expect(JSON.stringify(second?.messages)).toMatch(/allowsOnly.*read/);
  });

  it("narrows also when its text is too long for one result", async () => {
    const results = await resultsOf(
      [{ ...narrow, text: "x".repeat(200_000) }],
      [use, block(call("write")), "Done.<end>"],
    );
    expect(results[0]?.length).toBeLessThan(100_000);
    expect(results[1]).toContain("allows only");
  });

  it("ends with the person's next message", async () => {
    const { agent } = agentWith([narrow], [use, "Done.<end>", block(call("write")), "Done.<end>"]);
    await agent.ask("go", { conversation: "c" });
    const contents: string[] = [];
    for await (const event of agent.run("next", { conversation: "c" }))
      if (event.type === "result") contents.push(event.content);
    expect(contents.join()).toContain("write ran");
  });

  it("of two that are active, both must allow a call", async () => {
    const other: Skill = { name: "zip", description: "Packs.", text: "Pack.", allowedTools: ["write", "read"] };
    const both = block(call("skill", { name: "review" }), call("skill", { name: "zip" }));
    const results = await resultsOf([narrow, other], [both, block(call("read"), call("write")), "Done.<end>"], {
      matches,
    });
    expect((JSON.parse(results[1] ?? "") as { status: string }[]).map(({ status }) => status)).toEqual([
      "success",
      "failure",
    ]);
  });

  it("never lets a call run that asks otherwise", async () => {
    const danger = defineTool({
      name: "danger",
      description: "x",
      input: { type: "object" },
      approval: "ask",
      execute: () => "RAN",
    });
    const provider = scripted([use, block(call("danger")), "Done.<end>"]);
    const agent = createAgent({ provider, tools: [danger], whenUnanswered: "deny" }).use(
      skills([{ ...review, allowedTools: ["danger"] }]),
    );
    const contents: string[] = [];
    for await (const event of agent.run("go", { conversation: "c" }))
      if (event.type === "result") contents.push(event.content);
    expect(contents.join()).not.toContain("RAN");
  });
});

describe("the list of skills in the prompt", () => {
  const many = (count: number, length: number) =>
    Array.from(
      { length: count },
      (_, index): Skill => ({ name: `skill-${index}`, description: "x".repeat(length), text: "t" }),
    );

  it.each([
    [3, 100, 8000],
    [50, 1024, 8000],
    [500, 1024, 8000],
    [2000, 10, 1000],
  ])("of %i skills with %i characters stays below %j bytes and names as many as it can", (count, length, most) => {
    const { instructions = "" } = skills(many(count, length), { maxListBytes: most });
    expect(Buffer.byteLength(instructions)).toBeLessThanOrEqual(most);
    expect(instructions).toContain("- skill-0");
    expect(skills(many(count, length).reverse(), { maxListBytes: most }).instructions).toBe(instructions);
  });
});
