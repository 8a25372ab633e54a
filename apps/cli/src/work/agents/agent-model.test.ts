import { beforeEach, describe, expect, it, vi } from "vitest";
import { testHome } from "../../../test/support/test-home.ts";
import { agentModel } from "./agent-model.ts";

beforeEach(() => {
  testHome();
  vi.stubEnv("ANTHROPIC_API_KEY", "sk-ant-mine");
  vi.stubEnv("OPENAI_API_KEY", "");
  vi.stubEnv("OPENAI_BASE_URL", "");
  vi.stubEnv("ANTHROPIC_BASE_URL", "");
});

const now = { name: "openai", model: "large" };
const choice = { root: ".", provider: "openai", baseUrl: "http://127.0.0.1:9/v1" };

describe("the model that the file of an agent names", () => {
  it.each([
    ["large", undefined],
    ["openai/large", undefined],
  ])("%s is that of the conversation", async (wanted, found) => {
    expect(await agentModel(wanted, choice, now, true)).toBe(found);
  });

  it.each([
    ["small", "small"],
    ["openai/small", "small"],
    ["someone/small", "someone/small"],
  ])("%s is one of the same server, also for the file of a project", async (wanted, model) => {
    expect(await agentModel(wanted, choice, now, true)).toMatchObject({
      provider: { name: "openai-compatible", model },
    });
  });

  it("with a slash is the whole name of a model where the server names them so", async () => {
    const router = {
      root: ".",
      provider: "openrouter",
      baseUrl: "http://127.0.0.1:9/v1",
      apiKeyEnv: "ANTHROPIC_API_KEY",
    };
    const found = await agentModel("anthropic/claude-x", router, { name: "openrouter", model: "large" }, true);
    expect(found).toMatchObject({ provider: { model: "anthropic/claude-x" } });
  });

  it("is one of another server only for a file of the person, and with the key of that server", async () => {
    expect(await agentModel("anthropic/claude-x", choice, now, true)).toEqual({
      problem: expect.stringContaining("another server"),
    });
    expect(await agentModel("anthropic/claude-x", choice, now, false)).toMatchObject({
      provider: { name: "anthropic", model: "claude-x" },
    });
    vi.stubEnv("ANTHROPIC_API_KEY", "");
    expect(await agentModel("anthropic/claude-x", choice, now, false)).toEqual({
      problem: expect.stringMatching(/key/i),
    });
  });

  it("is no file of a model if a project names it, where the conversation has a model in a file", async () => {
    const file = { root: ".", provider: "llama", model: "mine.gguf" };
    const found = (isOfProject: boolean) =>
      agentModel("./theirs.gguf", file, { name: "llama", model: "mine.gguf" }, isOfProject);
    expect(await found(true)).toEqual({ problem: "the file of a project cannot name the file of a model" });
    expect(await found(false)).toEqual({ problem: expect.stringContaining("There is no file") });
  });

  it.each(["sonnet", "haiku", "anthropic/opus"])(
    "%s is none: another program knows what it stands for",
    async (wanted) => {
      expect(await agentModel(wanted, choice, now, false)).toEqual({
        problem: expect.stringContaining("another program"),
      });
    },
  );
});
