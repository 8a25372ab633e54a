import { http, mcp } from "../../src/index.ts";

/** What the tools of two scenarios must answer. The suite takes an "unknown tool" for an answer. */
const texts = [
  { tool: "test_simple_text", isError: false, text: "This is a simple text response for testing." },
  { tool: "test_error_handling", isError: true, text: "This tool intentionally returns an error for testing" },
];

export async function textProblems(address: string): Promise<string[]> {
  await using servers = mcp({ servers: { server: { connector: http({ url: address }) } } });
  const problems: string[] = [];
  for (const { tool, isError, text } of texts) {
    const answer = await servers
      .call("server", tool)
      .catch((error: unknown) => ({ isError: undefined, value: String(error) }));
    const isRight = answer.isError === isError && answer.value === text;
    if (!isRight) problems.push(`${tool} answered ${JSON.stringify(answer.value)}.`);
  }
  return problems;
}
