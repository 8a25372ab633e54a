import type { PlayInput } from "../../play/play-parts.ts";
import type { PlayedStep } from "../../play/played-step.ts";
import type { AgentPlan, TestPlan, TurnPlan } from "../test-plan.ts";
import { LongTexts } from "./long-texts.ts";
import { Code, stringText, valueText } from "./value-text.ts";

export interface SourceOptions {
  /** The name of the file beside the test. */
  readonly dataFile: string;
  /** Where the test gets its agent from, as an import names it. */
  readonly agent: { readonly module: string; readonly name: string } | undefined;
  readonly runTools: boolean;
}

export interface TestSource {
  readonly source: string;
  /** The JSON text of the file beside the test; undefined if it needs none. */
  readonly data: string | undefined;
}

/** Writes the test of a plan. */
export function sourceOf(plan: TestPlan, { dataFile, agent, runTools }: SourceOptions): TestSource {
  const texts = new LongTexts();
  const subject = plan.agent ? agentText(plan.agent, plan.writes, texts) : "";
  const name = agent?.name ?? "makeAgent";
  const body = testText(plan, name, runTools, texts);
  const hasTexts = Object.keys(texts.texts).length > 0;
  const { tools } = texts;
  const hasData = plan.requests !== undefined || hasTexts || tools !== undefined;
  const head = [
    ...(plan.agent ? agentImports(plan.agent, plan.writes) : []),
    `import { ${plan.agent ? "type MakeAgent, " : ""}playConversation } from "@cogency/rerun";`,
    'import { expect, it } from "vitest";',
    ...(agent ? [`import { ${agent.name} } from ${stringText(agent.module)};`] : []),
    ...(hasData ? [`import recorded from ${stringText(`./${dataFile}`)} with { type: "json" };`] : []),
  ];
  const data = {
    ...(hasTexts && { texts: texts.texts }),
    ...(tools && { tools }),
    ...(plan.requests && { requests: plan.requests }),
  };
  return {
    source: [head.join("\n"), subject, body]
      .filter((part) => part !== "")
      .join("\n\n")
      .concat("\n"),
    data: hasData ? `${JSON.stringify(data, undefined, 2)}\n` : undefined,
  };
}

function agentImports({ reactOutput: _ }: AgentPlan, writes: TestPlan["writes"]): string[] {
  if (writes === "xml") return ['import { createAgent, protocolDriver } from "@cogency/agent";'];
  const driver = {
    json: [],
    scripted: [],
    native: ['import { nativeDriver } from "@cogency/agent/native";'],
    react: ['import { reactDriver } from "@cogency/agent/react";'],
  }[writes];
  return ['import { createAgent } from "@cogency/agent";', ...driver];
}

function agentText(agent: AgentPlan, writes: TestPlan["writes"], texts: LongTexts): string {
  const { instructions, tools, request, budget, condenses, reactOutput } = agent;
  const drivers = {
    json: undefined,
    scripted: undefined,
    xml: 'protocolDriver({ dialect: "xml" })',
    native: "nativeDriver()",
    react: reactOutput ? `reactDriver({ output: "${reactOutput}" })` : "reactDriver()",
  };
  const driver = drivers[writes];
  const fields = {
    ...(driver !== undefined && { driver: new Code(driver) }),
    ...(instructions !== "" && { instructions: texts.out(instructions, "instructions") }),
    ...(request && { request }),
    ...(budget && { budget }),
    ...(condenses && { history: new Code("record.history") }),
  };
  const lines = Object.entries(fields).map(
    ([name, value]) => `    ${name}: ${valueText(value, "    ", name.length + 3)},\n`,
  );
  const list = tools.length > 0 ? `    tools: ${toolsText(tools, texts)},\n` : "";
  const parts = list !== "" || condenses ? "record, ...parts" : "record: _, ...parts";
  return `// The agent as the conversation shows it: the model was told this, and each call ends as it was recorded.
// Put your own agent here. It takes the same parts, and its tools do not run either.
const makeAgent: MakeAgent = ({ ${parts} }) =>
  createAgent({
    ...parts,
${lines.join("")}${list}  });`;
}

/** Characters of code above which the definitions of tools stand in the file beside the test. */
const mostOfTools = 1500;

function toolsText(tools: AgentPlan["tools"], texts: LongTexts): string {
  const made = tools.map((tool) => {
    const fields = valueText(tool, "      ", "record.tool(),".length);
    return `      record.tool(${fields}),\n`;
  });
  const code = made.join("");
  if (code.length <= mostOfTools) return `[\n${code}    ]`;
  texts.tools = tools;
  return "record.tools(recorded.tools)";
}

function testText(plan: TestPlan, makeAgent: string, runTools: boolean, texts: LongTexts): string {
  const { title, writes, provider, model, requests, turns } = plan;
  const options = {
    ...(writes !== "json" && { writes }),
    ...(provider !== "scripted" && { provider }),
    ...(model !== "scripted-1" && { model }),
    ...(runTools && { runTools }),
    ...(requests && { requests: new Code("recorded.requests") }),
  };
  const given = Object.keys(options).length > 0 ? `, ${valueText(options, "  ", 40)}` : "";
  const names = turns.map((_, index) => (turns.length === 1 ? "turn" : (ordinals[index] ?? `turn${index + 1}`)));
  const body = turns.map((turn, index) => turnText(turn, names[index] as string, texts));
  return `it(${stringText(title)}, async () => {
  const play = playConversation(${makeAgent}${given});

${body.join("\n\n")}

  play.end();
});`;
}

const ordinals = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

function turnText({ inputs, steps, expected }: TurnPlan, name: string, texts: LongTexts): string {
  const given: PlayInput | readonly PlayInput[] = inputs.length === 1 ? (inputs[0] as PlayInput) : inputs;
  const input = valueText(texts.out(given, "prompt"), "  ", 30);
  const written = steps.map((step) => texts.out(shortStep(step), "answer"));
  const lines = written.map((step) => `    ${valueText(step, "    ", 1)},\n`);
  const line = `, ${valueText(written, "", -1e6)}`;
  const isShort = written.length === 1 && !line.includes("\n") && `const ${name}${input}${line}`.length <= 85;
  const model = written.length === 0 ? "" : isShort ? line : `, [\n${lines.join("")}  ]`;
  const result = valueText(texts.out(expected, "answer"), "  ", 30);
  return `  const ${name} = await play.turn(${input}${model});
  expect(${name}).toEqual(${result});`;
}

/** A step that is nothing but an answer is its text. */
function shortStep(step: PlayedStep): string | PlayedStep {
  const calls = step.calls?.map(({ name, args = {}, ...call }) => {
    return { name, ...(Object.keys(args).length > 0 && { args }), ...call };
  });
  const { text, ...others } = step;
  if (text !== undefined && Object.keys(others).length === 0) return text;
  return { ...step, ...(calls && { calls }) };
}
