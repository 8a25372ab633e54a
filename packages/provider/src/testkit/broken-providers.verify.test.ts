import { rmSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { filesByHand, guideHarness } from "../../test/support/guide.ts";
import { providerConformance } from "./conformance.ts";

interface Defect {
  /** Continues "a provider that". */
  does: string;
  /** Replacements in the code of the guide's provider. */
  edits: readonly [from: string, to: string][];
  /** What the server says of a request that it would refuse. */
  problem?: (body: string) => string | undefined;
  /** Parts of names: each of these cases must notice. */
  noticed: readonly string[];
}

const ignoresSignal: [string, string][] = [
  ["signal: signal ?? null", "signal: null"],
  ["limits, signal, isComplete", "limits, isComplete"],
];
const throwsAsItIs: [string, string] = ["throw toProviderError(error, context)", "throw error"];
const stream = "async function* stream(";
const ownReader = `
  async function* dataOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    let rest = "";
    let data: string[] = [];
    for await (const bytes of body) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\\n");
      rest = lines.pop() ?? "";
      for (const line of lines.map((ended) => ended.replace(/\\r$/, ""))) {
        if (line.startsWith("data:")) data.push(line.slice("data:".length));
        if (line !== "" || data.length === 0) continue;
        yield data.join("\\n");
        data = [];
      }
    }
  }
`;

const defects: Defect[] = [
  {
    does: "sends what the log holds",
    edits: [["gate(stream)", "stream"]],
    noticed: ["no request holds half a character", "without half a character in its call"],
  },
  { does: "has no name", edits: [['name: "parrot"', 'name: ""']], noticed: ["says who it is"] },
  {
    does: "promises sessions and has none",
    edits: [["session: false", "session: true"]],
    noticed: ["says who it is"],
  },
  {
    does: "finishes twice",
    edits: [["yield* endOfAnswer(", 'yield { type: "finish", reason: "stop" } as const; yield* endOfAnswer(']],
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
    edits: [['[{ type: "text", text }]', '[{ type: "text", text: text.trim() }]']],
    noticed: ["text arrives exactly"],
  },
  {
    does: "takes an empty answer for none",
    edits: [["!isAborted() && !state.done", '!isAborted() && (!state.done || state.text === "")']],
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
  {
    does: "trusts ids",
    edits: [["callId(chunk.id, index, (taken) => state.calls.some((call) => call.id === taken))", "chunk.id"]],
    noticed: ["ids of calls"],
  },
  {
    does: "sends no system prompt",
    edits: [["manual: system,", ""]],
    noticed: ["carries the system"],
  },
  {
    does: "sends no limit",
    edits: [["longest: request.maxOutputTokens,", ""]],
    noticed: ["carries the system"],
  },
  {
    does: "sends no tools",
    edits: [["tools: tools?.map(", "tools: undefined, nothing: tools?.filter(() => false).map("]],
    noticed: ["carries tools"],
  },
  {
    does: "has one model",
    edits: [["bird: model,", "bird: defaultModel,"]],
    noticed: ["model of a request"],
  },
  {
    does: "looks at the clock",
    edits: [["shape: format,", "shape: format, at: performance.now(),"]],
    noticed: ["the same bytes"],
  },
  {
    does: "puts what changes first",
    edits: [["bird: model,", "turn: messages.length, bird: model,"]],
    noticed: ["byte prefix"],
  },
  {
    does: "sends no schemas",
    edits: [[", takes: parameters }", " }"]],
    noticed: ["carries tools"],
  },
  {
    does: "mixes results up",
    edits: [["outcome: id,", 'outcome: "x",']],
    noticed: ["carries tools"],
  },
  {
    does: "sends one of several messages of a role in a row",
    edits: [["messages.map(", "messages.filter(({ role }, at) => role !== messages[at - 1]?.role).map("]],
    noticed: ["whatever the order of its messages"],
  },
  {
    does: "reads no schemas but those of objects",
    edits: [
      ["takes: parameters }", "takes: Object.keys(parameters.properties as object) }"],
      ["shape: format,", "shape: format && Object.keys(format.properties as object),"],
    ],
    noticed: ["whatever the schema of its answer", "whatever the names and schemas of its tools"],
  },
  {
    does: "does not know which schemas its server takes",
    edits: [],
    problem: (body) => (body.includes('"$ref"') ? "References are not supported." : undefined),
    noticed: ["whatever the schema of its answer", "whatever the names and schemas of its tools"],
  },
  {
    does: "sends names of tools that its server refuses",
    edits: [["gate(stream)", "stream"]],
    problem: (body) =>
      Array.from(body.matchAll(/"tool":"([^"]*)"/g), ([, name = ""]) => name).some(
        (name) => !/^[\w-]{1,64}$/.test(name),
      )
        ? "The name of a tool has letters, digits, _ and - only."
        : undefined,
    noticed: ["whatever the order of its messages", "whatever the names and schemas of its tools"],
  },
  {
    does: "speaks with one voice",
    edits: [['who: "bird"', 'who: "human"']],
    noticed: ["who said what"],
  },
  {
    does: "sends no temperature",
    edits: [["    temperature,\n", ""]],
    noticed: ["carries the temperature"],
  },
  {
    does: "never stops",
    edits: [["until: stop,", ""]],
    noticed: ["carries stop"],
  },
  { does: "has no options", edits: [["    ...options,\n", ""]], noticed: ["the options of the wire"] },
  {
    does: "asks for one level of thinking",
    edits: [["ponder: thinking", 'ponder: "low"']],
    noticed: ["how much the model thinks"],
  },
  { does: "sends no format", edits: [["shape: format,", ""]], noticed: ["the format of"] },
  {
    does: "leaves the choice",
    edits: [["{ use: toolChoice.name } : toolChoice", "undefined : undefined"]],
    noticed: ["which tool"],
  },
  {
    does: "asks although it is aborted",
    edits: [["signal?.throwIfAborted();", ""], ...ignoresSignal],
    noticed: ["aborted already"],
  },
  {
    does: "does not hear an abort",
    edits: ignoresSignal,
    noticed: ["abort after any event", "before the head", "after the head", "in the middle of its answer ends"],
  },
  {
    does: "throws when it is aborted",
    edits: [["if (!isAborted()) throw", "throw"]],
    noticed: ["aborted already", "abort after any event"],
  },
  {
    does: "passes an estimate for a count",
    edits: [
      ["yield* endOfAnswer(", "for (const event of endOfAnswer("],
      [
        "isAborted, spent);",
        'isAborted, spent)) yield event.type === "usage" ? { ...event, usage: { ...event.usage, estimated: undefined } } : event;',
      ],
    ],
    noticed: ["abort after any event"],
  },
  {
    does: "leaves connections open",
    edits: [
      ["readEvents(response.body,", "readEvents(ReadableStream.from(response.body!.values({ preventCancel: true })),"],
    ],
    noticed: ["leaving after any event"],
  },
  {
    does: "tells no cost of what was aborted",
    edits: [["(responded ? estimateUsage", "(!responded ? estimateUsage"]],
    noticed: ["abort after any event"],
  },
  {
    does: "takes what was aborted for nothing",
    edits: [["estimateUsage(request, state.text + state.reasoning)", 'estimateUsage(request, "")']],
    noticed: ["abort after any event"],
  },
  {
    does: "forgets that an estimate is one",
    edits: [
      [
        "yield* endOfAnswer(",
        `if (state.done && !isAborted()) {
      for (const event of conclude(state, state.done)) {
        yield isAborted() && event.type === "finish" ? { type: "finish", reason: "aborted" } : event;
      }
    } else yield* endOfAnswer(`,
      ],
    ],
    noticed: ["a complete answer is told"],
  },
  {
    does: "hears an abort only between chunks",
    edits: ignoresSignal,
    noticed: ["the end of an answer is awaited"],
  },
  {
    does: "tells text at the end",
    edits: [
      ['[{ type: "text", text }]', "[]"],
      ["return [\n    ...calls.map", 'return [\n    { type: "text", text },\n    ...calls.map'],
      ["conclude({ calls,", "conclude({ calls, text,"],
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
  {
    does: "reads no headers",
    edits: [["host, status, headers, message:", "host, status, message:"]],
    noticed: ["`retryAfter`"],
  },
  {
    does: "throws what it catches",
    edits: [throwsAsItIs],
    noticed: ["cannot be reached", "broken connection is `cut_stream`"],
  },
  {
    does: "takes a web page for an answer",
    edits: [['!response.headers.get("content-type")?.startsWith("text/event-stream")', "!response.body"]],
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
        'throw new ProviderError("cut_stream"',
        'yield { type: "finish", reason: "stop" } as const; return; throw new ProviderError("cut_stream"',
      ],
    ],
    noticed: ["the end of the body is `cut_stream`"],
  },
  {
    does: "repeats its key",
    edits: [["redactor([apiKey])", "(text: string) => text"]],
    noticed: ["the API key reaches", "in its partial text"],
  },
  {
    does: "knows one spelling of its key",
    edits: [["redactor([apiKey])", '(text: string) => text.replaceAll(apiKey, "")']],
    noticed: ["the API key reaches"],
  },
  { does: "sends no key", edits: [["apiKey}`,", '"none"}`,']], noticed: ["the API key reaches"] },
  {
    does: "goes wherever it is sent",
    edits: [["const fetch = createFetch({ timeouts, limits });", ""]],
    noticed: ["a redirect is not followed"],
  },
  {
    does: "tells no failed results",
    edits: [["ok: !failed", "ok: true"]],
    noticed: ["failed results from successful"],
  },
  {
    does: "puts attachments before the text that they belong to",
    edits: [["return content.map((part) =>", "return content.toReversed().map((part) =>"]],
    noticed: ["attachments of a message after its text"],
  },
  {
    does: "sends attachments only beside a text",
    edits: [
      [
        "return content.map((part) =>",
        'return content.filter((part) => part.kind === "text" || content.length > 1).map((part) =>',
      ],
    ],
    noticed: ["an attachment without a text"],
  },
  {
    does: "leaves the attachments of results out",
    edits: [["...partsOf(attachments),", "...partsOf(attachments.slice(attachments.length)),"]],
    noticed: ["the attachments of results"],
  },
  {
    does: "drops the address of an attachment",
    edits: [["bytes: part.data }", 'bytes: typeof part.data === "string" ? part.data : "" }']],
    noticed: ["the address of an attachment"],
  },
  {
    does: "keeps no native blocks",
    edits: [[", ...(sealed.length > 0 && { native: [...sealed] })", ""]],
    noticed: ["sent back to the model that gave them"],
  },
  {
    does: "ignores `message.native`",
    edits: [["...thoughtsOf(message, model), ", ""]],
    noticed: ["sent back to the model that gave them"],
  },
  {
    does: "sends the blocks of another provider",
    edits: [['native?.provider === "parrot" &&', "native !== undefined &&"]],
    noticed: ["another provider or model are left out"],
  },
  {
    does: "sends the blocks of another model",
    edits: [[" && native.model === model", ""]],
    noticed: ["another provider or model are left out"],
  },
  {
    does: "replays calls that nobody answers",
    edits: [
      [
        "sealed.length > 0 && { native: [...sealed] }",
        'sealed.length > 0 && { native: [...sealed, ...calls.map(({ json }) => ({ thought: json, seal: "" }))] }',
      ],
    ],
    noticed: ["native blocks only"],
  },
  {
    does: "tells a text that is none",
    edits: [['const { text = "" } = chunk;\n      return', "const text = chunk.text as string;\n      return"]],
    noticed: ["arguments is a string"],
  },
  {
    does: "counts nothing",
    edits: [["meter.add(events);", ""]],
    noticed: ["too much text", "too much reasoning", "too much arguments", "too many tool calls"],
  },
  {
    does: "takes events of any length",
    edits: [
      [
        "readEvents(response.body, { host, limits,",
        "readEvents(response.body, { host, limits: { ...limits, eventBytes: 1e9 },",
      ],
    ],
    noticed: ["a line that does not end", "measured as it is unpacked"],
  },
  {
    does: "takes answers of any length",
    edits: [
      ["createFetch({ timeouts, limits })", "createFetch({ timeouts, limits: { ...limits, answerBytes: 1e9 } })"],
    ],
    noticed: ["too many bytes", "comments without end"],
  },
  {
    does: "takes refusals of any length",
    edits: [["createFetch({ timeouts, limits })", "createFetch({ timeouts, limits: { ...limits, errorBytes: 1e9 } })"]],
    noticed: ["the body of a refusal"],
  },
  {
    does: "expects whole lines",
    edits: readsByItself(['rest = lines.pop() ?? ""', "lines.pop()"]),
    noticed: ["byte by byte"],
  },
  {
    does: "decodes each piece by itself",
    edits: readsByItself(["{ stream: true }", "{}"]),
    noticed: ["cut at any byte", "byte by byte"],
  },
  {
    does: "knows one end of a line",
    edits: readsByItself(['.replace(/\\r$/, "")', ""]),
    noticed: ["CR LF"],
  },
  { does: "wants CR LF", edits: readsByItself(['split("\\n")', 'split("\\r\\n")']), noticed: ["end in LF"] },
  {
    does: "reads one data line",
    edits: readsByItself(['data.join("\\n")', 'data[0] ?? ""']),
    noticed: ["several data lines"],
  },
  {
    does: "insists on a space",
    edits: readsByItself(['startsWith("data:")', 'startsWith("data: ")']),
    noticed: ["without a space"],
  },
  {
    does: "keeps a byte order mark",
    edits: readsByItself(["new TextDecoder()", 'new TextDecoder("utf-8", { ignoreBOM: true })']),
    noticed: ["byte order mark"],
  },
  {
    does: "takes comments for data",
    edits: readsByItself([
      'if (line.startsWith("data:")) data.push(',
      'if (line !== "") data.push(line.startsWith(":") ? line : ',
    ]),
    noticed: ["comments, empty lines"],
  },
  {
    does: "waits for the connection's end",
    edits: [["() => state.done !== undefined", "() => false"]],
    noticed: ["keeps the connection open"],
  },
  {
    does: "has limits of its own",
    edits: [["createFetch({ timeouts, limits })", "createFetch({ limits })"]],
    noticed: ["head of an answer", "wait for the body", "`idle` ends"],
  },
  {
    does: "counts `idle` from the beginning",
    edits: [["createFetch({ timeouts,", "createFetch({ timeouts: { ...timeouts, total: timeouts?.idle },"]],
    noticed: ["also of a comment"],
  },
  {
    does: "reads ahead",
    edits: [
      [
        "for await (const read of readEvents(response.body, {",
        "const all = []; for await (const bytes of response.body!) all.push(bytes); for await (const read of readEvents(ReadableStream.from(all), {",
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

/** As providers did before `readEvents`: a reader of their own, with a mistake. */
function readsByItself(...mistakes: [from: string, to: string][]): [from: string, to: string][] {
  return [
    [
      "readEvents(response.body, { host, limits, signal, isComplete })",
      "dataOf(readBody(response.body!, isComplete, signal))",
    ],
    ["const chunk = read as Chunk;", "const chunk = JSON.parse(read) as Chunk;"],
    ["parseBaseURL, readEvents,", "parseBaseURL, readBody,"],
    ["async function* stream(", `${ownReader}\n  async function* stream(`],
    ...mistakes,
  ];
}

describe("the conformance kit", () => {
  const folder = new URL("../../test/.readme/broken/", import.meta.url);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(defects)("notices a provider that $does", async ({ does, edits, problem, noticed }) => {
    const cases = await casesOf(new URL(`${does.replaceAll(/\W+/g, "-")}/`, folder), edits, problem);
    for (const part of noticed) {
      const named = cases.filter(({ name }) => name.includes(part));
      expect(named.length, `cases whose name holds "${part}"`).toBe(1);
      await expect(named[0]?.run(), `the case "${named[0]?.name}"`).rejects.toThrow(/^broken: /);
    }
  });

  it("has a broken provider for every case", async () => {
    const cases = providerConformance("none", () => ({ provider: () => expect.unreachable() })).slice(1);
    const parts = defects.flatMap(({ noticed }) => noticed);
    expect(cases.map(({ name }) => name).filter((name) => !parts.some((part) => name.includes(part)))).toEqual([]);
  });
});

async function casesOf(folder: URL, edits: Defect["edits"], problem: Defect["problem"]) {
  const files = filesByHand();
  for (const [from, to] of edits) {
    const [name, code] = [...files].find(([name, code]) => name !== "wire" && code.includes(from)) ?? [];
    if (name === undefined || code === undefined) throw new Error(`The guide's provider does not hold: ${from}`);
    files.set(
      name,
      code.replace(from, () => to),
    );
  }
  const { wire, provider } = await guideHarness(folder, files);
  return providerConformance("broken", () => ({
    wire: { ...wire, ...(problem && { problem }) },
    provider,
    patience: 500,
  }));
}
