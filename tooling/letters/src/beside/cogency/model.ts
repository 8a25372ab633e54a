import { setTimeout as sleep } from "node:timers/promises";
import type { Provider } from "@cogency/provider";
import { pause, words } from "../pace.ts";

export const model: Provider = {
  name: "words",
  model: "words-1",
  capabilities: { tools: false, session: false, reasoning: false, format: false },
  async *stream() {
    for (const text of words) {
      yield { type: "text", text };
      await sleep(pause);
    }
    yield { type: "finish", reason: "stop" };
  },
};
