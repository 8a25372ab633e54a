import type { JsonSchema, ModelMessage } from "@cogency/protocol";
import { assert, assertEqual } from "@cogency/protocol/testkit";
import { contentText } from "../../content.ts";
import type { ModelRequest } from "../../provider.ts";
import { half, hostileMessages, isWellFormed, orders, schemas } from "../hostile-requests.ts";
import type { ProviderCase } from "../provider-case.ts";
import { lookup, plainReply, toolRequest } from "../samples.ts";
import { eventsOf, type WireSubject } from "../subject.ts";

/** The requests that reach the server. */
export const requestCases: ProviderCase[] = [
  {
    name: "the request carries the system prompt, every message and the limit",
    on: "wire",
    async check(subject) {
      const messages = conversation(3, false);
      const request = { system: 'Answer in "one" line.\n€ 𝄞 \\', messages, maxOutputTokens: 4321 };
      const body = await bodyOf(subject, request);
      for (const said of [request.system, ...messages.map(lastTextOf)]) {
        assert(body.includes(escaped(said)), `The body must hold ${JSON.stringify(said)}. It is ${body}`);
      }
      assert(body.includes("4321"), `The body must hold maxOutputTokens, 4321. It is ${body}`);
    },
  },
  {
    name: "the request carries tools, calls and results",
    on: "wire",
    needs: ["tools"],
    async check(subject) {
      const body = await bodyOf(subject, { system: "", messages: conversation(2, true), tools: [lookup] });
      const words = [lookup.name, lookup.description, "One word.", "topic-1", "result-1", "failure-1"];
      for (const word of words) {
        assert(body.includes(escaped(word)), `The body must hold ${word}. It is ${body}`);
      }
      if (subject.wire.callIds === false) return;
      for (const id of ["call_1_a", "call_1_b"]) {
        const isTwice = body.indexOf(id) !== body.lastIndexOf(id);
        assert(isTwice, `The body must hold the id ${id} with the call and with its result. It is ${body}`);
      }
    },
  },
  {
    name: "the request tells failed results from successful ones",
    on: "wire",
    needs: ["tools"],
    async check(subject) {
      const said = (failed: boolean): ModelRequest => {
        const messages = conversation(2, true).map((message) =>
          message.role === "tool"
            ? { ...message, results: message.results.map((one) => ({ ...one, failed })) }
            : message,
        );
        return { system: "", messages, tools: [lookup] };
      };
      const successes = await bodyOf(subject, said(false));
      assert(
        successes !== (await bodyOf(subject, said(true))),
        `Results that are \`failed\` must be marked as failures, or the model takes them for successes. The body is ${successes}`,
      );
    },
  },
  {
    name: "the request tells who said what",
    on: "wire",
    async check(subject) {
      const said = (system: string, roles: readonly ("user" | "assistant")[]): ModelRequest => ({
        system,
        messages: roles.map((role, index) => ({ role, content: `Part ${index + 1}.` })),
      });
      const usual = await bodyOf(subject, said("Rule.", ["user", "assistant", "user"]));
      const other = await bodyOf(subject, said("Rule.", ["user", "user", "user"]));
      assert(usual !== other, "Messages of the assistant must differ from messages of the user.");
      const asUser: ModelRequest = { system: "", messages: [{ role: "user", content: "Rule." }, question] };
      const asSystem = await bodyOf(subject, { system: "Rule.", messages: [question] });
      assert(asSystem !== (await bodyOf(subject, asUser)), "The system prompt must differ from a message.");
    },
  },
  carriesCase("the temperature", { temperature: 0.375 }, "0.375"),
  carriesCase("stop sequences", { stop: ["</halt>"] }, "</halt>"),
  carriesCase("the options of the wire", { options: { canary_option: "as it is" } }, '"canary_option":"as it is"'),
  {
    name: "the request carries how much the model thinks, and goes without it where the server refuses it",
    on: "wire",
    needs: ["thinking"],
    async check(subject) {
      const { request, server, wire } = subject;
      const plain = await bodyOf(subject, request);
      const bodies = new Map<string, string>([[plain, "no level"]]);
      for (const thinking of ["off", "low", "medium", "high"] as const) {
        const body = await bodyOf(subject, { ...request, thinking });
        const same = bodies.get(body);
        assert(same === undefined, `With \`thinking\` ${thinking} the body is the same as with ${same}. It is ${body}`);
        bodies.set(body, thinking);
      }
      const answer = subject.pieces([wire.answer(plainReply).join("")]);
      const words = JSON.stringify({ error: { code: 400, message: "This model does not support thinking." } });
      server.respond(async (exchange) => {
        const isPlain = subject.normalize(exchange.request.body) === subject.normalize(plain);
        if (isPlain) return answer(exchange);
        exchange.begin(400, { "content-type": "application/json" });
        await exchange.write(words);
        exchange.end();
      });
      const provider = subject.provider();
      for (const turn of ["first", "second"]) {
        const before = server.exchanges.length;
        const events = await eventsOf(subject, provider.stream({ ...request, thinking: "low" }), `the ${turn} request`);
        const ignored = events.filter(({ type }) => type === "ignored");
        assertEqual(ignored.length, 1, `the \`ignored\` events of the ${turn} request`);
        if (turn === "second") assertEqual(server.exchanges.length - before, 1, "the requests once it is known");
      }
    },
  },
  {
    name: "the request carries the format of the answer",
    on: "wire",
    needs: ["format"],
    async check(subject) {
      const format: JsonSchema = {
        type: "object",
        properties: { canary_field: { type: "string" } },
        required: ["canary_field"],
        additionalProperties: false,
      };
      const body = await bodyOf(subject, { ...subject.request, format });
      assert(body.includes("canary_field"), `The body must hold the schema of \`format\`. It is ${body}`);
    },
  },
  {
    name: "the request carries which tool must be called",
    on: "wire",
    needs: ["tools"],
    async check(subject) {
      const bodies = new Map<string, string>();
      for (const toolChoice of ["required", "none", { name: lookup.name }] as const) {
        const body = await bodyOf(subject, { ...toolRequest, toolChoice });
        const same = bodies.get(body);
        const choice = JSON.stringify(toolChoice);
        assert(same === undefined, `With \`toolChoice\` ${choice} the body is the same as with ${same}. It is ${body}`);
        bodies.set(body, choice);
      }
    },
  },
  {
    name: "the model of a request takes the place of the provider's own",
    on: "wire",
    async check(subject) {
      await bodyOf(subject, { ...subject.request, model: "another-model-7" });
      const sent = subject.server.exchanges.at(-1)?.request;
      const isSent = `${sent?.path} ${sent?.body}`.includes("another-model-7");
      assert(isSent, "The model of the request must reach the server.");
    },
  },
  {
    name: "no request holds half a character, whatever is in the log",
    on: "wire",
    async check(subject) {
      const { tools, format } = subject.answering().capabilities;
      const body = await bodyOf(subject, {
        system: half,
        messages: hostileMessages(tools),
        ...(tools && { tools: [{ ...lookup, description: half }] }),
        ...(format && { format: { type: "object", properties: { a: { type: "string", description: half } } } }),
      });
      assert(isWellFormed(body), `A body with half a character is refused, and so is the conversation. It is ${body}`);
    },
  },
  {
    name: "a request is one that the server takes, whatever the order of its messages",
    on: "wire",
    async check(subject) {
      const { tools } = subject.answering().capabilities;
      for (const messages of orders(tools)) {
        const body = await bodyOf(subject, { system: "Rule.", messages, ...(tools && { tools: [lookup] }) });
        for (const said of messages.map(lastTextOf)) {
          assert(body.includes(escaped(said)), `The body must hold ${JSON.stringify(said)}. It is ${body}`);
        }
      }
    },
  },
  {
    name: "a request is one that the server takes, whatever the schema of its answer",
    on: "wire",
    needs: ["format"],
    async check(subject) {
      for (const format of Object.values(schemas)) await bodyOf(subject, { ...subject.request, format });
    },
  },
  {
    name: "a request is one that the server takes, whatever the names and schemas of its tools",
    on: "wire",
    needs: ["tools"],
    async check(subject) {
      const objects = Object.entries(schemas).map(([name, inner]) => ({
        name: `functions.${name}`,
        description: "A tool.",
        parameters: { type: "object", properties: { value: inner }, ...(name.length % 2 && { required: ["value"] }) },
      }));
      const roots = { bare: { type: "object" }, empty: {}, choice: schemas.choice, joined: schemas.joined };
      const others = Object.entries(roots).map(([name, parameters = {}]) => ({
        ...{ name: `root:${name}`, description: "A tool." },
        parameters,
      }));
      await bodyOf(subject, { ...subject.request, tools: [...objects, ...others] });
    },
  },
  {
    name: "the same request is the same bytes",
    on: "wire",
    async check(subject) {
      const { tools } = subject.answering().capabilities;
      const request = { system: "s", messages: conversation(3, tools), ...(tools ? { tools: [lookup] } : {}) };
      assertEqual(await bodyOf(subject, structuredClone(request)), await bodyOf(subject, request), "the body");
    },
  },
  {
    name: "over ten turns each request's messages are a byte prefix of the next one's",
    on: "wire",
    async check(subject) {
      const { tools } = subject.answering().capabilities;
      let earlier: { body: string; end: number } | undefined;
      for (let turn = 1; turn <= 10; turn++) {
        const messages = conversation(turn, tools);
        const request = { system: "You remember.", messages, ...(tools ? { tools: [lookup] } : {}) };
        const body = subject.normalize(await bodyOf(subject, request));
        if (earlier) {
          const common = commonLength(earlier.body, body);
          const around = JSON.stringify(
            [earlier.body, body].map((text) => text.slice(Math.max(0, common - 60), common + 60)),
          );
          assert(
            common >= earlier.end,
            `Turn ${turn} differs from turn ${turn - 1} before its last message: ${around}`,
          );
        }
        const last = messages.at(-1);
        const said = last ? escaped(lastTextOf(last)) : "";
        assert(body.includes(said), `The body of turn ${turn} must hold ${said}.`);
        earlier = { body, end: body.lastIndexOf(said) + said.length };
      }
    },
  },
];

const question: ModelMessage = { role: "user", content: "Question." };

/** A field of the request that the body must hold unchanged. */
function carriesCase(what: string, part: Partial<ModelRequest>, word: string): ProviderCase {
  return {
    name: `the request carries ${what}`,
    on: "wire",
    async check(subject) {
      const body = await bodyOf(subject, { ...subject.request, ...part });
      assert(body.includes(word), `The body must hold ${word}. It is ${body}`);
    },
  };
}

/** A conversation that ends with the question of the last turn. */
function conversation(turns: number, withCalls: boolean): ModelMessage[] {
  return Array.from({ length: turns }, (_, index) => index + 1).flatMap((turn): ModelMessage[] => {
    const question: ModelMessage = { role: "user", content: `Question ${turn}: what is "topic ${turn}"?\n€ 𝄞 \\` };
    if (turn === turns) return [question];
    const answer: ModelMessage = { role: "assistant", content: `Answer ${turn}: \tit is "this".` };
    return [question, ...(withCalls ? callsOf(turn) : []), answer];
  });
}

function callsOf(turn: number): ModelMessage[] {
  const ids = [`call_${turn}_a`, `call_${turn}_b`] as const;
  return [
    {
      role: "assistant",
      content: `I look it up, time ${turn}.`,
      calls: ids.map((id) => ({ id, name: lookup.name, args: { topic: `topic-${turn}`, deep: [turn, null] } })),
    },
    {
      role: "tool",
      results: [
        { id: ids[0], name: lookup.name, content: `result-${turn}`, failed: false },
        { id: ids[1], name: lookup.name, content: `failure-${turn}`, failed: true },
      ],
    },
  ];
}

function lastTextOf(message: ModelMessage): string {
  return message.role === "tool" ? (message.results.at(-1)?.content ?? "") : contentText(message.content);
}

/** The text as JSON escapes it. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

async function bodyOf(subject: WireSubject, request: ModelRequest): Promise<string> {
  await eventsOf(subject, subject.answering().stream(request), "the answer");
  const body = subject.server.exchanges.at(-1)?.request.body ?? "";
  const problem = subject.wire.problem?.(body);
  assert(problem === undefined, `The server would refuse the request: ${problem} It is ${body}`);
  return body;
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
