import { describe, expect, it } from "vitest";
import { nearMissIn } from "./near-miss.ts";

const tools = ["echo", "read_file"].map((name) => ({ name, description: "", parameters: {} }));
const read = (text: string, more: Partial<Parameters<typeof nearMissIn>[0]> = {}) =>
  nearMissIn({ text, tools, startsInThought: false, hasEnded: false, way: "block", ...more });

const call = '{"name":"echo","args":{"text":"a"}}';
const fenced = (text: string, language = "") => `\`\`\`${language}\n${text}\n\`\`\``;

describe("a call that was not written as one", () => {
  it.each<[string, string]>([
    ["a block in a fence", fenced(`<execute>[${call}]</execute>`)],
    [
      "a block in a fence with a language, after text",
      `Let me look.\n\n${fenced(`<execute>\n[${call}]\n</execute>`, "xml")}\n`,
    ],
    ["a block in a fence of tildes", `~~~\n<execute>[${call}]</execute>\n~~~`],
    ["calls in a fence without markers", fenced(`[${call}]`, "json")],
    ["the last one of several fences", `${fenced("ls", "sh")}\nNow:\n${fenced(call, "json")}`],
    ["the XML dialect in a fence", fenced("<execute>\n<echo>\n<text>a</text>\n</echo>\n</execute>")],
  ])("in a code fence: %s", (_, text) => {
    expect(read(text)).toMatch(/^Your last message held a call of echo in a code fence, so it did not run\./);
  });

  it.each<[string, string]>([
    ["tool_call", '<tool_call>{"name":"echo","arguments":{"text":"a"}}</tool_call>'],
    ["tool_call that a stop sequence cut", 'Sure.\n<tool_call>\n{"name": "echo", "arguments": {"text": "a"}}\n'],
    [
      "tool_call with a function",
      "<tool_call>\n<function=echo>\n<parameter=text>\na\n</parameter>\n</function>\n</tool_call>",
    ],
    ["function_call", '<function_call>{"name": "echo", "arguments": {}}</function_call>'],
    [
      "invoke",
      '<function_calls>\n<invoke name="echo">\n<parameter name="text">a</parameter>\n</invoke>\n</function_calls>',
    ],
    [
      "invoke alone, and words after it",
      '<invoke name="echo"><parameter name="text">a</parameter></invoke>\nOne moment.',
    ],
    ["function=", '<function=echo>{"text": "a"}</function>'],
    ["tool_use", "<tool_use>\n<tool_name>echo</tool_name>\n<arguments>{}</arguments>\n</tool_use>"],
    ["[TOOL_CALLS]", '[TOOL_CALLS][{"name": "echo", "arguments": {"text": "a"}}]'],
    ["special tokens", '<｜tool▁calls▁begin｜><｜tool▁sep｜>echo\n{"text":"a"}<｜tool▁calls▁end｜>'],
    ["a name with its namespace", '<tool_call>{"name":"functions.echo","arguments":{}}</tool_call>'],
    ["bare JSON with a namespace", '{"name":"default_api:echo","parameters":{"text":"a"}}'],
    ["a prefixed element", '<minimax:tool_call>\n<invoke name="echo">\n</invoke>\n</minimax:tool_call>'],
    [
      "another prefixed element",
      '<xai:function_call name="echo"><parameter name="text">a</parameter></xai:function_call>',
    ],
    ["the python tag with JSON", '<|python_tag|>{"name": "echo", "parameters": {"text": "a"}}'],
    ["the python tag with code", '<|python_tag|>echo.call(text="a")'],
    [
      "DSML",
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="echo">\n<｜DSML｜parameter name="text" string="true">a</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    ],
    [
      "tokens with a numbered name",
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.echo:0<|tool_call_argument_begin|>{"text":"a"}<|tool_call_end|><|tool_calls_section_end|>',
    ],
    ["Harmony", '<|channel|>commentary to=functions.echo <|constrain|>json<|message|>{"text":"a"}'],
    ["Python in tokens", '<|tool_call_start|>[echo(text="a")]<|tool_call_end|>'],
    ["Python in an element", '<tool_code>\nprint(default_api.echo(text="a"))\n</tool_code>'],
    ["Python in a list", '[TOOL_CALLS][echo(text="a")]'],
    ["[TOOL_CALLS] and a name", '[TOOL_CALLS]echo{"text": "a"}'],
    [
      "a name and its arguments in elements",
      "<tool_call>echo\n<arg_key>text</arg_key>\n<arg_value>a</arg_value>\n</tool_call>",
    ],
    ["start_function_call", "<start_function_call>call:echo{text:<escape>a<escape>}<end_function_call>"],
    ["a block that holds no JSON", '<execute>echo(text="a")</execute>'],
    ["bare JSON", call],
    ["bare JSON after text", `I look first.\n{"name": "echo", "arguments": "{}"}`],
    ["bare JSON in lines", JSON.stringify([{ tool: "echo", tool_input: { text: "a" } }], null, 2)],
    ["bare JSON in the form of a wire", '{"type":"function","function":{"name":"echo","arguments":"{}"}}'],
    ["markup although the turn is said to be over", '<tool_call>{"name":"echo","arguments":{}}</tool_call>\n<end>'],
  ])("in another form: %s", (_, text) => {
    expect(read(text, { hasEnded: text.endsWith("<end>") })).toMatch(
      /^Your last message held a call of echo in another form, so it did not run\./,
    );
  });

  it.each<[string, string, boolean]>([
    ["a block", `<think>I should look. <execute>[${call}]</execute>`, false],
    [
      "a block after text",
      `Let me see.<think>first</think>Well.<think>now <execute>[${call}]</execute> and wait`,
      false,
    ],
    ["another dialect", `<think><tool_call>{"name":"echo","arguments":{}}</tool_call>`, false],
    ["a block of an answer that began in thinking", `I should look. <execute>[${call}]</execute>`, true],
  ])("in thinking that was not closed: %s", (_, text, startsInThought) => {
    expect(read(text, { startsInThought })).toMatch(/a call of echo in thinking that was not closed, so/);
  });
});

it("tells a model with native calls to use them", () => {
  expect(read(call, { way: "native" })).toBe(
    "Your last message held a call of echo in another form, so it did not run. To call a tool, use the tool calls of this API, not the text of your answer. If it was meant as text, answer once more.",
  );
});

describe("an answer", () => {
  it.each<[string, string]>([
    ["plain text", "It says a."],
    ["empty", ""],
    ["about the markup, between backticks", `Write \`<tool_call>\` with echo, as in \`<execute>[${call}]</execute>\`.`],
    [
      "about the markup, in a fence in the middle",
      `So:\n${fenced(`<execute>[${call}]</execute>`)}\nThat calls the tool echo.`,
    ],
    ["a fence with a tool that is not there", fenced('<execute>[{"name":"launch","args":{}}]</execute>')],
    [
      "another dialect with a tool that is not there",
      '<tool_call>{"name":"ls","arguments":{"path":"echo"}}</tool_call>',
    ],
    ["code", fenced('echo("hello")', "php")],
    ["a shell script", fenced("echo hello", "sh")],
    ["JSON that is no call", '{"name":"echo","version":"1.0"}'],
    ["JSON that describes a tool", '{"name":"echo","description":"Gives back.","parameters":{"type":"object"}}'],
    ["a list of which one item is no call", `[${call}, {"a": 1}]`],
    ["JSON of which a part names a tool", `{"tools":[${call}]}`],
    ["a call with words after it", `${call}\nThat is the form.`],
    ["a call within a line", `The form is ${call}`],
    ["thinking that is closed", `<think>I could write <execute>[${call}]</execute></think>Done.`],
    ["open thinking without a call", "<think>Let me read_file first"],
    ["markup without a call", "<function>echo</function> is what HTML lacks"],
  ])("is one: %s", (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  it("is one if the model says with `<end>` that it ends with what it shows", () => {
    expect(read(`The form:\n${fenced(call, "json")}\n<end>`, { hasEnded: true })).toBeUndefined();
    expect(read(`${call}<end>`, { hasEnded: true })).toBeUndefined();
  });

  it("is one where there are no tools", () => {
    expect(read(call, { tools: [] })).toBeUndefined();
  });

  it("is read in one pass, however often it begins something that looks like a call", () => {
    for (const part of [
      "```",
      "\n```\n",
      "`",
      "<tool_call>",
      "{",
      "\n[",
      "~~~\n",
      "<think>",
      " (",
      "<｜tool",
      "[TOOL_CALLS]a",
      "<tool_call>a.b/",
      "to=a:",
      "a \t(",
    ]) {
      const long = part.repeat(40_000 / part.length);
      const texts = Array.from({ length: 20 }, () => `${long}}`);
      for (const text of texts) expect(read(text)).toBeUndefined();
    }
  });
});
