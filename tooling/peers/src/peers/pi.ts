import { join } from "node:path";
import type { Peer } from "./peer.ts";
import { writeJson } from "./write-json.ts";

export const pi: Peer = {
  name: "pi",
  from: { package: "@earendil-works/pi-coding-agent", version: "0.74.2" },
  prepare({ home, url }) {
    const model = { id: "mock", contextWindow: 1_000_000, maxTokens: 100_000 };
    const mock = { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: "none", models: [model] };
    writeJson(join(home, ".pi/agent/models.json"), { providers: { mock } });
  },
  env: () => ({ PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" }),
  chat: ({ installed }) => [join(installed, "node_modules/.bin/pi"), ...options],
  oneShot: ({ installed }, prompt) => [join(installed, "node_modules/.bin/pi"), ...options, "-p", prompt],
  ready: /%\/1\.0M/,
  question: { shows: /(?!)/, allow: "" }, // It asks nothing.
  call(wish) {
    if (wish.kind === "list") return { name: "bash", args: { command: `ls -la ${wish.folder}` } };
    if (wish.kind === "read") return { name: "read", args: { path: wish.file } };
    if (wish.kind === "edit")
      return { name: "edit", args: { path: wish.file, edits: [{ oldText: wish.from, newText: wish.to }] } };
    const command = wish.kind === "background" ? `${wish.command} > server.log 2>&1 &` : wish.command;
    return { name: "bash", args: { command } };
  },
};

const options = ["--provider", "mock", "--model", "mock", "--offline"];
