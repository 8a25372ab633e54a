import { existsSync } from "node:fs";
import { type ModelRequest, ProviderError, type ScriptedReply, scripted } from "@cogency/provider";

/** `--provider` of the checks in a browser: does what the last words of the person ask for, in any conversation. */
export default function pageModel() {
  return scripted(Array.from({ length: 1000 }, () => reply));
}

function reply({ messages }: ModelRequest): ScriptedReply {
  const message = messages.at(-1);
  const last = message && "content" in message ? String(message.content) : "";
  const [, file, content] = /write (\S+) (.*)/.exec(last) ?? [];
  if (last.includes("<results>")) return "That is all.<end>";
  if (file) return calling("write", { file, content });
  if (last === "plan it")
    return calling("plan", {
      steps: [
        { step: "Look", state: "now" },
        { step: "Mend", state: "open" },
      ],
    });
  if (last === "delegate it") return calling("agent", { agent: "general", prompt: "write four.txt 4" });
  const [, command] = /^shell (.*)$/s.exec(last) ?? [];
  if (command) return calling("shell", { command });
  if (last === "table") return `${wideTable}<end>`;
  const [, awaited] = /wait for (\S+)/.exec(last) ?? [];
  // The command gives up after a minute, because a run that was killed leaves it running.
  if (awaited)
    return calling("shell", {
      command: `sh -c 'echo waiting for ${awaited}; for i in $(seq 1200); do test -e ${awaited} && exit; sleep 0.05; done'`,
    });
  const [, up] = /answer once there is (\S+)/.exec(last) ?? [];
  if (up && !existsSync(up)) return { error: new ProviderError("server", "It is down.", { retryable: true }) };
  const [, told] = /recite until there is (\S+)/.exec(last) ?? [];
  if (told) {
    const chunks = recited.match(/.{1,7}/gs) ?? [];
    return existsSync(told) ? { chunks: [...chunks, "<end>"], delay: 4 } : { chunks, delay: 4, hang: true };
  }
  if (last.includes("survey")) return calling("survey", {});
  return `You said: ${last}<end>`;
}

const words = ["Schwebebahnhaltestelle", "responsibilities", "internationalization", "packages/page/src/browser"];
const cells = words.map((word) => `${word} and what it does for those who read it`);
/** Words that are longer than a narrow column. */
export const wideTable: string = [
  "Here:",
  "",
  `| ${words.join(" | ")} |`,
  "| --- | --- | --- | --- |",
  `| ${cells.join(" | ")} |`,
].join("\n");

/** Markdown of each kind, which grows in a page as it is shown when it is whole. */
export const recited = [
  "# Letters",
  "They *come* one after **another**, with `code`\nand a [link](https://example.com).",
  "- one\n- two\n  - deeper\n\n  with a paragraph\n- [x] three",
  "1. first\n2. second",
  "> quoted\n> twice",
  "| a | b |\n| --- | --: |\n| 1 | 2 |",
  "```ts\nconst answer = 42;\n\nconsole.log(answer);\n```",
  "<b>no HTML</b>",
  "Setext\n---",
  "The end.",
].join("\n\n");

function calling(name: string, args: object): string {
  return `<execute>${JSON.stringify([{ name, args }])}</execute>`;
}
