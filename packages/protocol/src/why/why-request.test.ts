import { describe, expect, it } from "vitest";
import type { ToolSpec } from "../tool.ts";
import { protocolPrompt } from "../write/prompt.ts";
import type { NumberedEvent } from "./numbered-event.ts";
import { systemParts } from "./system-sections.ts";
import { whyRequest } from "./why-request.ts";

const tool = (name: string, description = "Does it."): ToolSpec => ({
  name,
  description,
  parameters: { type: "object" },
});
const numbered = (events: readonly object[]) =>
  events.map((event, i) => ({ timestamp: i, ...event, seq: i + 1 })) as unknown as NumberedEvent[];
const said = (content: string, more: object = {}) => ({ type: "user", content, ...more });
const record = (kind: string, data: object) => ({ type: "record", kind, data });
const image = { kind: "image", mediaType: "image/png", data: "aGk=" };

interface Asked {
  readonly system?: string;
  readonly tools?: readonly ToolSpec[];
  readonly model?: string;
  readonly driver?: string;
  readonly form?: string | undefined;
  readonly without?: readonly string[];
  readonly count?: number;
  readonly again?: number;
}

function request({
  system = "Be brief.",
  tools,
  model = "m",
  driver = "native",
  form = "native",
  without,
  count = 1,
  again = 0,
}: Asked = {}) {
  const hashes = { system, ...(tools && { tools: JSON.stringify(tools) }) };
  const messages = { ...(form !== "" && { form }), ...(without && { without }), count, again, hash: "" };
  return record("request", {
    driver,
    provider: "p",
    model,
    settings: {},
    messages,
    hashes,
    system,
    ...(tools && { tools }),
  });
}

/** Why the second request did not begin with the first. */
function breakOf(
  first: Asked,
  second: Asked,
  between: readonly object[] = [],
  before: readonly object[] = [said("Hello there")],
) {
  const log = numbered([
    ...before,
    request(first),
    { type: "respond", content: "Hello." },
    said("And now?"),
    ...between,
    request(second),
  ]);
  return whyRequest(log, log.length)?.prefix;
}

const taught = (...tools: ToolSpec[]) => `Be brief.\n\n${protocolPrompt(tools)}`;
const skilled = (...names: string[]) =>
  [
    "Be brief.\n\nSkills are instructions for certain kinds of work. Before such work, read one.",
    ...names.map((name) => `- ${name}: helps`),
  ].join("\n");

describe("what broke the beginning of a request", () => {
  it.each<[kind: string, why: RegExp, first: Asked, second: Asked, between?: object[]]>([
    ["model", /p large now, before p m/, {}, { model: "large" }],
    ["driver", /protocol \(json\) now, before native/, {}, { driver: "protocol", form: "json" }],
    [
      "driver",
      /\(xml\) now, before protocol \(json\)/,
      { driver: "protocol", form: "json" },
      { driver: "protocol", form: "xml" },
    ],
    [
      "clock",
      /A date or a time/,
      { system: "Be brief.\nIt is Monday, 2026-01-05 09:14." },
      { system: "Be brief.\nIt is Tuesday, 2026-01-06 10:00." },
    ],
    ["instructions", /identity/, {}, { system: "Be long." }],
    [
      "tools",
      /new: b; gone: a; changed: c/,
      { tools: [tool("a"), tool("c")] },
      { tools: [tool("b"), tool("c", "Other.")] },
    ],
    ["tools", /another order/, { tools: [tool("a"), tool("c")] }, { tools: [tool("c"), tool("a")] }],
    ["tools", /new: b/, { system: taught(tool("a")) }, { system: taught(tool("a"), tool("b")) }],
    ["tools", /gone: a/, { system: taught(tool("a")) }, { system: taught() }],
    ["skills", /list of skills/, { system: skilled("review") }, { system: skilled("review", "deploy") }],
    ["skills", /list of skills/, { system: "Be brief." }, { system: skilled("review") }],
    ["compaction", /stands for the events 1 to 3/, {}, {}, [record("summary", { upTo: 3, text: "They met." })]],
    ["view", /changed message 1|changed message 2/, { form: "", count: 3 }, { form: "", count: 5, again: 1 }],
  ])("is the kind %s (%s)", (kind, why, first, second, between) => {
    const found = breakOf(first, second, between);
    expect(found).toMatchObject({ state: "broken", kind });
    expect(found?.why).toMatch(why);
  });

  it("is an attachment, where a message that was sent before has others now", () => {
    const call = { type: "call", content: '{"name":"look","args":{}}', id: "c" };
    const result = { tool: "look", status: "success", content: "seen" };
    const log = numbered([
      said("Look"),
      call,
      record("started", { id: "c" }),
      record("finished", { id: "c", result }),
      request({ driver: "protocol", form: "json" }),
      record("finished", { id: "c", result: { ...result, attachments: [image] } }),
      request({ driver: "protocol", form: "json" }),
    ]);
    expect(whyRequest(log, 7)?.prefix).toMatchObject({
      state: "broken",
      kind: "attachment",
      part: { events: [6], attachments: 1 },
    });
  });

  it("is the calls that later ones stand for", () => {
    const step = (id: string) => [
      { type: "call", content: `{"name":"plan","args":{"of":"${id}"}}`, id },
      { type: "result", content: '[{"tool":"plan","status":"success","content":"ok"}]', ids: [id], payload: {} },
    ];
    const log = numbered([said("Plan"), ...step("a"), request(), ...step("b"), request({ without: ["a"] })]);
    expect(whyRequest(log, 7)).toMatchObject({ leftOut: ["a"], prefix: { kind: "left_out", state: "broken" } });
  });

  it("says what is as before, what is lost, the line that differs, and what the server counted", () => {
    const usage = { input: 900, output: 1, cacheRead: 0, cacheWrite: 100, reasoning: 0, duration: 1 };
    const log = numbered([
      said("x".repeat(4000)),
      request({ system: "Be brief.\nIt is 9:14." }),
      { type: "respond", content: "y" },
      said("More"),
      request({ system: "Be brief.\nIt is 9:15." }),
      record("usage", usage),
    ]);
    const prefix = whyRequest(log, 5)?.prefix;
    expect(prefix).toMatchObject({
      before: 2,
      line: { before: "It is 9:14.", now: "It is 9:15." },
      same: { characters: 19, tokens: 4 },
      seconds: 3,
      usage,
    });
    expect(prefix?.lost).toBe(6 + 1000 - 4);
  });

  it("is looked for in the last request of the same model, which a server may still hold", () => {
    const log = numbered([
      said("Hi"),
      request(),
      { type: "respond", content: "Hello." },
      said("Sum it up"),
      request({ model: "small", system: "Sum up." }),
      { type: "respond", content: "They met." },
      request(),
    ]);
    const prefix = whyRequest(log, 7)?.prefix;
    expect(prefix).toMatchObject({ before: 2, skipped: 5, state: "grew", lost: 0 });
    expect(prefix?.why).toMatch(/begins with all of the one before.*Request 5, directly before, went to p small/);
    const late = whyRequest(log.with(-1, { ...log[6], timestamp: 4000 } as NumberedEvent), 7)?.prefix;
    expect(late).toMatchObject({ before: 5, state: "broken", kind: "model" });
    expect(late).not.toHaveProperty("skipped");
  });

  it("is nothing for the first request, and for one that grew", () => {
    expect(whyRequest(numbered([said("Hi"), request()]), 2)?.prefix).toMatchObject({ state: "first", lost: 0 });
    const grown = breakOf({}, {}, [said("Look", { attachments: [image] })]);
    expect(grown).toMatchObject({
      state: "grew",
      lost: 0,
      why: expect.stringMatching(/3 new messages, with 1 attachment/),
    });
    expect(grown).not.toHaveProperty("kind");
  });

  it("is not known where the log holds too little", () => {
    expect(breakOf({ form: "" }, { form: "" })).toMatchObject({ state: "unknown" });
  });
});

describe("the parts of a request", () => {
  it("are tools, sections of the system prompt and messages, each with the events that made it", () => {
    const log = numbered([
      record("client_tools", { tools: [tool("pick")] }),
      said("Hi"),
      request({ tools: [tool("pick")], system: skilled("review") }),
    ]);
    const why = whyRequest(log, 3);
    expect(why?.parts.map(({ kind, name, events }) => [kind, name, events])).toEqual([
      ["tool", "pick", [1, 3]],
      ["system", "identity", [3]],
      ["system", "skills", [3]],
      ["message", "user", [2]],
    ]);
    expect(why?.parts.at(-1)).toMatchObject({ characters: 2, tokens: 1, text: "Hi" });
  });

  it("name a section that the caller knows, and together are the whole system prompt", () => {
    const system = `${taught(tool("a"))}\n\nAnswer in verse.\n\nFrom AGENTS.md:\n\nUse tabs.`;
    const parts = systemParts(system, [{ name: "instruction files", text: "From AGENTS.md:" }]);
    expect(parts.map(({ name }) => name)).toEqual([
      "identity",
      "protocol",
      "tools",
      "instructions",
      "instruction files",
    ]);
    expect(parts.map(({ text }) => text).join("")).toBe(system);
  });

  it("never throws for records that hold anything", () => {
    for (const data of [
      null,
      1,
      [],
      { messages: null, hashes: 1, system: 2, tools: "x" },
      { messages: { form: "json", without: 3 } },
    ]) {
      const log = numbered([
        said("Hi"),
        record("request", data as object),
        record("client_tools", data as object),
        record("request", data as object),
      ]);
      expect(whyRequest(log, 4)?.parts.length).toBeGreaterThanOrEqual(0);
    }
    expect(whyRequest(numbered([said("Hi")]), 1)).toBeUndefined();
  });
});
