import type { Attack } from "../../harness/attack.ts";
import { askVictim } from "./ask-victim.ts";

/** Uses the library with a key in the environment, and another server's address in the options. */
type LibraryKey = [provider: string, variable: string];

export const libraryKeys: readonly LibraryKey[] = [
  ["chat-of-environment", "OPENAI_API_KEY"],
  ["responses-of-environment", "OPENAI_API_KEY"],
  ["chat-of-environment", "OPENAI_API_KEY_1"],
  ["anthropic-of-environment", "ANTHROPIC_API_KEY"],
  ["anthropic-of-environment", "ANTHROPIC_AUTH_TOKEN"],
  ["google-of-environment", "GEMINI_API_KEY"],
  ["google-of-environment", "GOOGLE_API_KEY"],
  ["openrouter-of-environment", "OPENROUTER_API_KEY"],
];

export function libraryKeyAttack([provider, variable]: LibraryKey): Attack {
  return {
    name: `key: the library, ${provider}, ${variable}`,
    isDear: true,
    async run(place) {
      const seen: string[] = [];
      const port = await place.serve((request, response) => {
        seen.push(JSON.stringify(request.headers));
        request.resume().once("end", () => response.writeHead(400).end("{}"));
      });
      await askVictim(place, [provider, "stream", `http://127.0.0.1:${port}/v1`], { [variable]: `sk-${place.canary}` });
      return seen.some((headers) => headers.includes(place.canary)) ? "the server got the key" : undefined;
    },
  };
}
