import type { ServerResponse } from "node:http";
import { serve } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { place } from "./support/command-line.ts";
import { plainTalk } from "./support/plain-talk.ts";

type Answer = (response: ServerResponse) => void;

const refused =
  (status: number, message: string, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ error: { message } }));
  };
const sent =
  (text: string, type = "text/event-stream"): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": type });
    response.end(text);
  };
const chunk = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const end = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;

const fine = sent(chunk("Done.") + end);
const listing = sent(chunk('<execute>[{"name":"list","args":{}}]</execute>') + end);
const broken = sent(chunk("<execute>[{oops") + end);
const soon = { "retry-after": "0" };

/** How a server fails, and every problem that a person reads of it, in order. The last answer is repeated. */
const failures: [name: string, answers: Answer[], problems: RegExp[], options?: { maxSteps: number }][] = [
  ["refuses for a moment", [refused(429, "Slow down.", soon), fine], [/Slow down\. Try 2 begins now\.$/]],
  [
    "refuses each time",
    [refused(429, "Slow down.", soon)],
    [/Slow down\. Try 2 begins now\.$/, /Slow down\. Try 3 begins now\.$/, /\(HTTP 429\): Slow down\.$/],
  ],
  [
    "refuses for long",
    [refused(429, "Slow down.", { "retry-after": "600" })],
    [/Slow down\. Try again in 10 minutes\.$/],
  ],
  ["fails", [refused(500, "Oops.", soon)], [/Try 2 begins now/, /Try 3 begins now/, /failed \(HTTP 500\): Oops\.$/]],
  ["wants a key", [refused(401, "Bad key.")], [/asks for an API key .* with --api-key-env\.$/]],
  [
    "lacks the model",
    [refused(404, "No such model.")],
    [/check --model and --base-url \(HTTP 404\): No such model\.$/],
  ],
  [
    "closes the connection",
    [(response) => response.destroy()],
    [/cannot be reached: .* Try 2 begins in/, /Try 3 begins in/, /cannot be reached: /],
  ],
  ["breaks off", [sent(chunk("Half of"))], [/ended its answer without saying why it finished\.$/]],
  [
    "is none",
    [sent("<html>", "text/html")],
    [/answered with text\/html .* Check --base-url; it usually ends in \/v1\.$/],
  ],
  ["never ends", [listing], [/has taken 2 of 2 steps.* The limit is --max-steps: raise it/], { maxSteps: 2 }],
  ["repeats itself", [listing], [/3 times in a row\. The limit is --max-repeats: raise it/]],
  [
    "writes nothing that can be used",
    [broken],
    [
      /^The <execute> block is not valid/,
      /is not valid/,
      /is not valid/,
      /nothing that can be used 3 times in a row \(--max-failures\)/,
    ],
  ],
];

/** An option of a function, or its name. */
const apiName = /`[a-z]\w*`|\b[a-z]+[A-Z]\w*|\w\(\)/;

describe("a server that fails", () => {
  it.each(failures)(
    "%s: each retry and failure is said once, in a run as in a chat",
    async (_, answers, problems, more) => {
      const address = async () => {
        let count = 0;
        const { url } = await serve((request, response) => {
          request.resume().on("end", () => (answers[count++] ?? answers.at(-1))?.(response));
        });
        return `${url}/v1`;
      };
      const run = ["run", "hi", "--base-url", await address(), "--model", "tiny"];
      const { stderr } = await place().cogency([...run, ...(more ? ["--max-steps", `${more.maxSteps}`] : [])]);
      const inRun = problemsIn(stderr.split("\n"), /^(?:!|error:) (.*)/);
      expect(inRun).toEqual(problems.map((problem) => expect.stringMatching(problem)));
      expect(inRun.filter((line) => apiName.test(line))).toEqual([]);

      const said = await plainTalk("hi", { provider: "openai", baseUrl: await address(), model: "tiny", ...more });
      const inChat = problemsIn(said, /^(?:warning|error): (.*)/);
      expect(inChat.map(withoutPort)).toEqual(inRun.map(withoutPort));
    },
  );
});

function problemsIn(lines: readonly string[], begin: RegExp): string[] {
  return lines.flatMap((line) => begin.exec(line)?.[1] ?? []);
}

/** Each server has its own port, and each wait its own length. */
function withoutPort(line: string): string {
  return line.replace(/127\.0\.0\.1:\d+/g, "the server").replace(/in \d\.\d s/g, "in a moment");
}
