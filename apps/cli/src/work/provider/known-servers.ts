/** A server that lists its models. */
export interface ModelServer {
  readonly name: string;
  /** Where it is, unless a variable of the environment says otherwise. */
  readonly home: string;
  /** The variable with another address. */
  readonly addressVariable?: string;
  /** The variables that may hold its key; the first one is its alone. A server without one needs none. */
  readonly keyVariables: readonly string[];
  /** The names of its models that no other server has. */
  readonly models?: RegExp;
  readonly wire: ListWire;
}

/** How servers of one kind are asked for their models. */
export interface ListWire {
  /** Below the address. */
  readonly path: string;
  headers(key: string): Record<string, string>;
  modelsIn(answer: unknown): string[];
}

export const openAI: ListWire = {
  path: "models",
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  modelsIn: (answer) => textsIn(answer, "data", "id"),
};

const anthropic: ListWire = {
  path: "v1/models?limit=1000",
  headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
  modelsIn: openAI.modelsIn,
};

const google: ListWire = {
  path: "v1beta/models?pageSize=1000",
  headers: (key) => ({ "x-goog-api-key": key }),
  modelsIn: (answer) => textsIn(answer, "models", "name").map((name) => name.replace(/^models\//, "")),
};

/** The servers that a run knows by name. */
export const modelServers: readonly ModelServer[] = [
  {
    name: "openai",
    home: "https://api.openai.com/v1",
    addressVariable: "OPENAI_BASE_URL",
    keyVariables: ["OPENAI_API_KEY"],
    models: /^(?:gpt(?!-oss)|chatgpt|o\d|codex|computer-use|ft:)/,
    wire: openAI,
  },
  {
    name: "anthropic",
    home: "https://api.anthropic.com",
    addressVariable: "ANTHROPIC_BASE_URL",
    keyVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
    models: /^claude/,
    wire: anthropic,
  },
  {
    name: "google",
    home: "https://generativelanguage.googleapis.com",
    addressVariable: "GOOGLE_GEMINI_BASE_URL",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    models: /^gemini/,
    wire: google,
  },
  {
    name: "openrouter",
    home: "https://openrouter.ai/api/v1",
    keyVariables: ["OPENROUTER_API_KEY"],
    wire: openAI,
  },
  {
    name: "deepseek",
    home: "https://api.deepseek.com/v1",
    keyVariables: ["DEEPSEEK_API_KEY"],
    models: /^deepseek-(?:chat|reasoner)$/,
    wire: openAI,
  },
  { name: "ollama", home: "http://localhost:11434/v1", keyVariables: [], wire: openAI },
  { name: "llama.cpp", home: "http://localhost:8080/v1", keyVariables: [], wire: openAI },
  { name: "vllm", home: "http://localhost:8000/v1", keyVariables: [], wire: openAI },
  { name: "sglang", home: "http://localhost:30000/v1", keyVariables: [], wire: openAI },
  { name: "lmstudio", home: "http://localhost:1234/v1", keyVariables: [], wire: openAI },
];

function textsIn(answer: unknown, list: string, field: string): string[] {
  const entries = (answer as Record<string, unknown> | null)?.[list];
  if (!Array.isArray(entries)) throw new Error(`the answer has no list "${list}".`);
  return entries.map((entry) => entry?.[field]).filter((text): text is string => typeof text === "string");
}
