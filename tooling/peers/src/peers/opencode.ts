import { join } from "node:path";
import type { Peer } from "./peer.ts";
import { writeJson } from "./write-json.ts";

export const opencode: Peer = {
  name: "opencode",
  from: { package: "opencode-ai", version: "1.18.33" },
  prepare({ home, url }) {
    const models = { mock: { name: "mock", limit: { context: 1_000_000, output: 100_000 } } };
    const options = { baseURL: `${url}/v1`, apiKey: "none" };
    writeJson(join(home, ".config/opencode/opencode.json"), {
      autoupdate: false,
      share: "disabled",
      model: "mock/mock",
      small_model: "mock/mock",
      provider: { mock: { npm: "@ai-sdk/openai-compatible", name: "mock", options, models } },
    });
  },
  env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" }),
  chat: ({ installed }) => [join(installed, "node_modules/.bin/opencode")],
  oneShot: ({ installed }, prompt) => [join(installed, "node_modules/.bin/opencode"), "run", prompt],
  ready: /Ask anything/,
  question: { shows: /Permission required/, allow: "\r" },
  call(wish) {
    if (wish.kind === "list") return { name: "bash", args: { command: `ls -la ${wish.folder}` } };
    if (wish.kind === "read") return { name: "read", args: { filePath: wish.file } };
    if (wish.kind === "edit")
      return { name: "edit", args: { filePath: wish.file, oldString: wish.from, newString: wish.to } };
    const command = wish.kind === "background" ? `${wish.command} > server.log 2>&1 &` : wish.command;
    return { name: "bash", args: { command } };
  },
};
