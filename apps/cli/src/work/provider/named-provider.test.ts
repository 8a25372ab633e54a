import { expect, it } from "vitest";
import { namedProvider, noModel, type ServerChoice } from "./named-provider.ts";

const all = { OPENAI_API_KEY: "a", ANTHROPIC_API_KEY: "b", GEMINI_API_KEY: "c", DEEPSEEK_API_KEY: "d" };
const claude = { ANTHROPIC_API_KEY: "b" };
const gateway = { OPENAI_BASE_URL: "http://localhost:4000/v1" };

it.each<[choice: ServerChoice, environment: NodeJS.ProcessEnv, provider: string]>([
  [{ provider: "offline" }, {}, "offline"],
  [{ provider: "ollama", model: "gpt-5" }, all, "ollama"],
  [{ baseUrl: "http://localhost:1/v1" }, claude, "openai"],
  [{}, all, "openai"],
  [{}, claude, "anthropic"],
  [{}, { ...claude, ...gateway }, "anthropic"],
  [{}, { GEMINI_API_KEY: "c" }, "google"],
  [{}, { OPENROUTER_API_KEY: "c" }, "openrouter"],
  [{}, gateway, "openai"],
  [{ model: "claude-5" }, all, "anthropic"],
  [{ model: "gemini-3-pro" }, all, "google"],
  [{ model: "deepseek-chat" }, all, "deepseek"],
  [{ model: "o4-mini" }, all, "openai"],
  [{ model: "claude-5" }, gateway, "openai"],
  [{ model: "my-own" }, gateway, "openai"],
  [{ api: "responses" }, {}, "openai"],
  [{ apiKeyEnv: "ANTHROPIC_API_KEY" }, all, "anthropic"],
  [{ apiKeyEnv: "MINE" }, gateway, "openai"],
])("%j with the environment %j names %s", (choice, environment, provider) => {
  expect(namedProvider(choice, environment)).toEqual({ provider });
});

it.each<[choice: ServerChoice, environment: NodeJS.ProcessEnv, problem: string | RegExp]>([
  [{}, {}, noModel],
  // Not the key of a model, perhaps.
  [{}, { GOOGLE_API_KEY: "c" }, noModel],
  [{ model: "qwen3" }, {}, noModel],
  [{ model: "gpt-5" }, {}, /^The model "gpt-5" needs a key of openai: cogency config key set OPENAI_API_KEY; or name/],
  [{ model: "gpt-5" }, claude, /needs a key of openai/],
  [{ model: "claude-5" }, { OPENAI_API_KEY: "a" }, /needs a key of anthropic/],
  [{ model: "gpt-oss:20b" }, all, /^No server is named for the model "gpt-oss:20b": add --provider or --base-url\.$/],
  [{ model: "Qwen/Qwen3-8B" }, all, /^No server is named/],
  [{ apiKeyEnv: "MINE" }, all, /^--api-key-env says which key is sent, and not where/],
  [{ apiKeyEnv: "sk-canary" }, all, /^(?!.*canary)/],
])("%j with the environment %j names no server, and says in a line what to set", (choice, environment, problem) => {
  const named = namedProvider(choice, environment);
  expect(named).toMatchObject({ problem: expect.stringMatching(problem) });
  expect(named).not.toMatchObject({ problem: expect.stringContaining("\n") });
});
