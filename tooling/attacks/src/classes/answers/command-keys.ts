/** Runs the built command with a key in its environment, against a server that the key does not belong to. */
export interface CommandKey {
  name: string;
  env: Record<string, string>;
  args: (port: number) => string[];
  isControl?: true;
  needs?: string;
}

export const commandKeys: CommandKey[] = [
  {
    name: "OpenAI's key, an address of this machine",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--base-url", `http://127.0.0.1:${port}/v1`],
  },
  {
    name: "OpenAI's key, spelled with a name",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--base-url", `http://localhost:${port}/v1`, "--model", "m"],
  },
  {
    name: "OpenAI's key, a short address",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--base-url", `http://127.1:${port}`],
  },
  {
    name: "OpenAI's key, the provider named",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--provider", "openai", "--base-url", `http://127.0.0.1:${port}/v1`],
  },
  {
    name: "OpenAI's key, Responses",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--api", "responses", "--base-url", `http://127.0.0.1:${port}/v1`],
  },
  {
    name: "OpenAI's key, Realtime",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--api", "realtime", "--base-url", `http://127.0.0.1:${port}/v1`],
  },
  {
    name: "OpenAI's numbered keys",
    env: { OPENAI_API_KEY_1: "KEY", OPENAI_API_KEY_2: "KEY2" },
    args: (port) => ["--base-url", `http://127.0.0.1:${port}/v1`],
  },
  {
    name: "OpenAI's key, Ollama",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--provider", "ollama", "--base-url", `http://127.0.0.1:${port}/v1`, "--model", "m"],
  },
  {
    name: "OpenAI's key, vLLM",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--provider", "vllm", "--base-url", `http://127.0.0.1:${port}/v1`, "--model", "m"],
  },
  {
    name: "OpenRouter's key, another address",
    env: { OPENROUTER_API_KEY: "KEY" },
    args: (port) => ["--provider", "openrouter", "--base-url", `http://127.0.0.1:${port}/v1`, "--model", "m"],
  },
  {
    name: "DeepSeek's key, another address",
    env: { DEEPSEEK_API_KEY: "KEY" },
    args: (port) => ["--provider", "deepseek", "--base-url", `http://127.0.0.1:${port}/v1`],
  },
  {
    name: "Anthropic's key, another address",
    env: { ANTHROPIC_API_KEY: "KEY" },
    args: (port) => ["--provider", "anthropic", "--base-url", `http://127.0.0.1:${port}`],
  },
  {
    name: "Anthropic's token, another address",
    env: { ANTHROPIC_AUTH_TOKEN: "KEY" },
    args: (port) => ["--provider", "anthropic", "--base-url", `http://127.0.0.1:${port}`],
  },
  {
    name: "Anthropic's key, the provider of OpenAI's kind",
    env: { ANTHROPIC_API_KEY: "KEY" },
    args: (port) => ["--base-url", `http://127.0.0.1:${port}/v1`],
  },
  {
    name: "OpenAI's key, the name of its host in the path",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--base-url", `http://127.0.0.1:${port}/https://api.openai.com/v1`],
  },
  {
    name: "OpenAI's key, the name of its host behind",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--base-url", `http://127.0.0.1:${port}/v1#api.openai.com`],
  },
  {
    name: "control: a key that was given with the address",
    env: { MY_SERVER_KEY: "KEY" },
    args: (port) => ["--base-url", `http://127.0.0.1:${port}/v1`, "--model", "m", "--api-key-env", "MY_SERVER_KEY"],
    isControl: true,
    needs: "--api-key-env",
  },
];
