import { rmSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { guideFiles, guideHarness } from "../../test/guide.ts";
import { providerConformance } from "./conformance.ts";

interface Defect {
  /** Continues "a provider that". */
  does: string;
  /** Replacements in the code of the guide's provider. */
  edits: readonly [from: string, to: string][];
  /** Parts of names: each of these cases must notice. */
  noticed: readonly string[];
}

const ignoresSignal: [string, string] = ["signal: signal ?? null", "signal: null"];
const throwsAsItIs: [string, string] = ["throw toProviderError(error, context)", "throw error"];
const stream = "async function* stream(";

const defects: Defect[] = [
  { does: "has no name", edits: [['name: "parrot"', 'name: ""']], noticed: ["says who it is"] },
  {
    does: "promises sessions and has none",
    edits: [["session: false", "session: true"]],
    noticed: ["says who it is"],
  },
  {
    does: "finishes twice",
    edits: [
      ['{ type: "finish", reason: reasons', '{ type: "finish", reason: "stop" }, { type: "finish", reason: reasons'],
    ],
    noticed: ["then one finish"],
  },
  {
    does: "tells usage with every chunk",
    edits: [["yield* events;", 'yield* events; yield { type: "usage", usage: estimateUsage(request, state.text) };']],
    noticed: ["then usage at most once"],
  },
  {
    does: "generates something else",
    edits: [["return { name:", 'return { generate: async () => [{ type: "finish", reason: "stop" }], name:']],
    noticed: ["generate gives"],
  },
  {
    does: "trims text",
    edits: [['[{ type: "text", text: chunk.text }]', '[{ type: "text", text: chunk.text.trim() }]']],
    noticed: ["text arrives exactly"],
  },
  {
    does: "takes an empty answer for none",
    edits: [["else if (state.done)", 'else if (state.done && state.text !== "")']],
    noticed: ["an answer without text"],
  },
  {
    does: "tells reasoning as text",
    edits: [['[{ type: "reasoning", text', '[{ type: "text", text']],
    noticed: ["reasoning is kept apart"],
  },
  { does: "knows no normal end", edits: [['stop: "stop"', 'end: "stop"']], noticed: ["end is told: stop"] },
  { does: "keeps the server's word", edits: [["raw: why", ""]], noticed: ["end is told: stop"] },
  { does: "takes a limit for the end", edits: [['limit: "length"', 'limit: "stop"']], noticed: ["told: length"] },
  { does: "hides filters", edits: [['"content_filter"', '"stop"']], noticed: ["told: content_filter"] },
  { does: "miscounts", edits: [["output: answer", "output: answer + 1"]], noticed: ["exact: input and output"] },
  { does: "counts cache reads twice", edits: [["prompt - cached", "prompt"]], noticed: ["exact: cache reads"] },
  { does: "counts cache writes twice", edits: [[" - stored", ""]], noticed: ["exact: cache writes"] },
  {
    does: "takes reasoning out",
    edits: [["output: answer", "output: answer - thought"]],
    noticed: ["exact: reasoning"],
  },
  { does: "cuts arguments", edits: [['json || "{}"', 'json.slice(1) || "{}"']], noticed: ["is told whole"] },
  { does: "turns calls round", edits: [["...calls.map(", "...[...calls].reverse().map("]], noticed: ["in call order"] },
  { does: "keeps the last piece", edits: [["call.json + json", "json"]], noticed: ["character by character"] },
  { does: "leaves arguments empty", edits: [['json || "{}"', "json"]], noticed: ["call without arguments"] },
  { does: "trusts ids", edits: [["fitId(chunk.id, index, state)", "chunk.id"]], noticed: ["ids of calls"] },
  {
    does: "sends no system prompt",
    edits: [["system, messages, limit", "messages, limit"]],
    noticed: ["carries the system"],
  },
  {
    does: "sends no limit",
    edits: [["const limit = request.maxOutputTokens", "const limit = undefined"]],
    noticed: ["carries the system"],
  },
  { does: "sends no tools", edits: [["{ model, tools,", "{ model,"]], noticed: ["carries tools"] },
  {
    does: "has one model",
    edits: [["{ model, tools,", "{ model: defaultModel, tools,"]],
    noticed: ["model of a request"],
  },
  {
    does: "looks at the clock",
    edits: [["...options };", "at: performance.now(), ...options };"]],
    noticed: ["the same bytes"],
  },
  {
    does: "puts what changes first",
    edits: [["return { model, tools", "return { turn: messages.length, model, tools"]],
    noticed: ["byte prefix"],
  },
  {
    does: "sends no schemas",
    edits: [["{ model, tools,", "{ model, tools: tools?.map(({ parameters, ...tool }) => tool),"]],
    noticed: ["carries tools"],
  },
  {
    does: "mixes results up",
    edits: [
      [
        "system, messages, limit",
        'system, messages: messages.map((one) => one.role === "tool" ? { ...one, results: one.results.map((result) => ({ ...result, id: "x" })) } : one), limit',
      ],
    ],
    noticed: ["carries tools"],
  },
  {
    does: "speaks with one voice",
    edits: [["system, messages, limit", 'system, messages: messages.map((one) => ({ ...one, role: "user" })), limit']],
    noticed: ["who said what"],
  },
  {
    does: "sends no temperature",
    edits: [
      ["stop, temperature, format,", "stop, format,"],
      ["format, ...options", "format, ...options, temperature: undefined"],
    ],
    noticed: ["carries the temperature"],
  },
  {
    does: "never stops",
    edits: [["toolChoice, stop, temperature, format, ...", "toolChoice, temperature, format, ..."]],
    noticed: ["carries stop"],
  },
  { does: "has no options", edits: [[", ...options };", " };"]], noticed: ["the options of the wire"] },
  { does: "sends no format", edits: [["format, ...options };", "...options };"]], noticed: ["the format of"] },
  { does: "leaves the choice", edits: [["limit, toolChoice, stop", "limit, stop"]], noticed: ["which tool"] },
  {
    does: "asks although it is aborted",
    edits: [["signal?.throwIfAborted();", ""], ignoresSignal],
    noticed: ["aborted already"],
  },
  {
    does: "does not hear an abort",
    edits: [ignoresSignal],
    noticed: ["abort after any event", "before the head", "after the head", "in the middle of its answer ends"],
  },
  {
    does: "throws when it is aborted",
    edits: [["if (!signal?.aborted) throw", "throw"]],
    noticed: ["aborted already", "abort after any event"],
  },
  {
    does: "passes an estimate for a count",
    edits: [
      ["usage: estimateUsage(request, output)", "usage: { ...estimateUsage(request, output), estimated: undefined }"],
    ],
    noticed: ["abort after any event"],
  },
  {
    does: "leaves connections open",
    edits: [
      [
        "dataOf(readBody(response.body, () => state.done !== undefined))",
        "dataOf(response.body.values({ preventCancel: true }))",
      ],
    ],
    noticed: ["leaving after any event"],
  },
  {
    does: "tells no cost of what was aborted",
    edits: [["if (responded) yield", "if (!responded) yield"]],
    noticed: ["abort after any event"],
  },
  {
    does: "takes what was aborted for nothing",
    edits: [["estimateUsage(request, output)", 'estimateUsage(request, "")']],
    noticed: ["abort after any event"],
  },
  {
    does: "forgets that an estimate is one",
    edits: [
      [
        "else if (state.done) yield* conclude(state, state.done);",
        `else if (state.done) {
      for (const event of conclude(state, state.done)) {
        yield signal?.aborted && event.type === "finish" ? { type: "finish", reason: "aborted" } : event;
      }
    }`,
      ],
    ],
    noticed: ["a complete answer is told"],
  },
  {
    does: "hears an abort only between chunks",
    edits: [ignoresSignal],
    noticed: ["the end of an answer is awaited"],
  },
  {
    does: "tells text at the end",
    edits: [
      ['[{ type: "text", text: chunk.text }]', "[]"],
      ["return [\n    ...calls.map", 'return [\n    { type: "text", text },\n    ...calls.map'],
      ["conclude({ calls }", "conclude({ calls, text }"],
    ],
    noticed: ["abort after any event", "leaving after any event"],
  },
  {
    does: "returns a promise",
    edits: [
      [
        stream,
        "const stream = async (...all: Parameters<typeof generator>) => generator(...all); async function* generator(",
      ],
    ],
    noticed: ["then one finish"],
  },
  {
    does: "leaves a body before its end",
    edits: [["yield* events;", "yield* events; if (state.done) break;"]],
    noticed: ["uses the connection of one"],
  },
  {
    does: "tries again by itself",
    edits: [
      [
        "const response = await fetch(",
        "const ask: typeof fetch = async (...all) => { const first = await fetch(...all); return first.ok ? first : fetch(...all); }; const response = await ask(",
      ],
    ],
    noticed: ["each HTTP status"],
  },
  {
    does: "renames calls",
    edits: [
      ["...calls.map(({ id, name, json })", "...calls.map(({ name, json }, at)"],
      ['{ type: "tool_call", id, name', '{ type: "tool_call", id: "other_" + at, name'],
    ],
    noticed: ["is told whole"],
  },
  {
    does: "leaves a listener",
    edits: [["signal?.throwIfAborted();", 'signal?.throwIfAborted(); signal?.addEventListener("abort", () => {});']],
    noticed: ["no listener is left", "1,000 streams"],
  },
  {
    does: "knows one failure",
    edits: [["throw await refused(response)", 'throw new ProviderError("server", "It failed: Because.")']],
    noticed: ["each HTTP status"],
  },
  { does: "reads no headers", edits: [["status, headers, message:", "status, message:"]], noticed: ["`retryAfter`"] },
  {
    does: "throws what it catches",
    edits: [throwsAsItIs],
    noticed: ["cannot be reached", "broken connection is `cut_stream`"],
  },
  {
    does: "takes a web page for an answer",
    edits: [['!response.headers.get("content-type")?.startsWith("text/event-stream") || ', ""]],
    noticed: ["a web page"],
  },
  {
    does: "passes over a failure",
    edits: [['if (chunk.type === "error") throw', 'if (chunk.type === "error") break; if (!chunk) throw']],
    noticed: ["a failure told"],
  },
  {
    does: "forgets the partial text",
    edits: [["partial: state.text, redact", 'partial: "", redact']],
    noticed: ["a failure told", "broken connection is `cut_stream`", "`idle` ends"],
  },
  {
    does: "takes every end for a good one",
    edits: [
      [
        "else throw new ProviderError",
        'else yield { type: "finish", reason: "stop" }; if (!request) throw new ProviderError',
      ],
    ],
    noticed: ["the end of the body is `cut_stream`"],
  },
  { does: "repeats its key", edits: [["redactor([apiKey])", "(text: string) => text"]], noticed: ["the API key"] },
  { does: "sends no key", edits: [["apiKey}`,", '"none"}`,']], noticed: ["the API key"] },
  {
    does: "expects whole lines",
    edits: [['rest = lines.pop() ?? ""', "lines.pop()"]],
    noticed: ["byte by byte"],
  },
  {
    does: "decodes each piece by itself",
    edits: [["{ stream: true }", "{}"]],
    noticed: ["cut at any byte", "byte by byte"],
  },
  { does: "knows one end of a line", edits: [['.replace(/\\r$/, "")', ""]], noticed: ["CR LF"] },
  { does: "wants CR LF", edits: [['split("\\n")', 'split("\\r\\n")']], noticed: ["end in LF"] },
  { does: "reads one data line", edits: [['data.join("\\n")', 'data[0] ?? ""']], noticed: ["several data lines"] },
  {
    does: "insists on a space",
    edits: [['startsWith("data:")', 'startsWith("data: ")']],
    noticed: ["without a space"],
  },
  {
    does: "keeps a byte order mark",
    edits: [["new TextDecoder()", 'new TextDecoder("utf-8", { ignoreBOM: true })']],
    noticed: ["byte order mark"],
  },
  {
    does: "takes comments for data",
    edits: [['if (line.startsWith("data:")) data.push(', 'if (line !== "") data.push(line.startsWith(":") ? line : ']],
    noticed: ["comments"],
  },
  {
    does: "waits for the connection's end",
    edits: [["() => state.done !== undefined", "() => false"]],
    noticed: ["keeps the connection open"],
  },
  {
    does: "has limits of its own",
    edits: [["createFetch(timeouts)", "createFetch()"]],
    noticed: ["head of an answer", "wait for the body", "`idle` ends"],
  },
  {
    does: "counts `idle` from the beginning",
    edits: [["createFetch(timeouts)", "createFetch({ ...timeouts, total: timeouts?.idle })"]],
    noticed: ["also of a comment"],
  },
  {
    does: "reads ahead",
    edits: [
      [
        "for await (const data of dataOf(readBody(response.body, () => state.done !== undefined)))",
        "const read = []; for await (const bytes of response.body) read.push(bytes); for await (const data of dataOf(read))",
      ],
    ],
    noticed: ["a consumer that stalls"],
  },
  {
    does: "has one state for all",
    edits: [
      ["let state = initialState;", ""],
      [stream, `let state = initialState; ${stream}`],
    ],
    noticed: ["ten streams at once"],
  },
  {
    does: "keeps what it streamed",
    edits: [
      ["let responded = false;", "let responded = false; kept.push(new Array(10_000).fill(0));"],
      [stream, `const kept: number[][] = []; ${stream}`],
    ],
    noticed: ["1,000 streams"],
  },
  {
    does: "leaves timers running",
    edits: [["let responded = false;", "let responded = false; setTimeout(() => {}, 10_000);"]],
    noticed: ["1,000 streams"],
  },
];

describe("the conformance kit", { timeout: 60_000 }, () => {
  const folder = new URL("../../test/.readme/broken/", import.meta.url);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(defects)("notices a provider that $does", async ({ does, edits, noticed }) => {
    const cases = await casesOf(new URL(`${does.replaceAll(/\W+/g, "-")}/`, folder), edits);
    for (const part of noticed) {
      const named = cases.filter(({ name }) => name.includes(part));
      expect(named.length, `cases whose name holds "${part}"`).toBe(1);
      await expect(named[0]?.run(), `the case "${named[0]?.name}"`).rejects.toThrow(/^broken: /);
    }
  });

  it("has a provider that breaks it for every case", async () => {
    const cases = providerConformance("none", () => ({ provider: () => expect.unreachable() })).slice(1);
    const parts = defects.flatMap(({ noticed }) => noticed);
    expect(cases.map(({ name }) => name).filter((name) => !parts.some((part) => name.includes(part)))).toEqual([]);
  });
});

async function casesOf(folder: URL, edits: Defect["edits"]) {
  const files = guideFiles();
  for (const [from, to] of edits) {
    const [name, code] = [...files].find(([name, code]) => name !== "wire" && code.includes(from)) ?? [];
    if (name === undefined || code === undefined) throw new Error(`The guide's provider does not hold: ${from}`);
    files.set(
      name,
      code.replace(from, () => to),
    );
  }
  const harness = await guideHarness(folder, files);
  return providerConformance("broken", () => ({ ...harness, patience: 500 }));
}
