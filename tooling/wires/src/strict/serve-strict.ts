import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { constrained } from "./constrained.ts";
import { isObject, type Schema } from "./json-schema.ts";
import { type Refusal, type ServerRules, type StrictServerName, strictServers } from "./strict-servers.ts";

/** What a model of a strict server wants to say. */
export type Wants = { value: unknown } | { text: string } | { call: { name: string; args: unknown } };

/** What a model knows of a request. */
export interface Asked {
  body: Schema;
  /** The schema of the answer that came with it. */
  schema: Schema | undefined;
  hasResults: boolean;
}

export interface StrictServer {
  /** `http://127.0.0.1:<port>`. */
  url: string;
  /** The bodies of the requests that were accepted. */
  accepted: Schema[];
  /** The refusals, in the words of the server. */
  refused: string[];
}

/**
 * A server that enforces rules, until the test has finished. Its model is held to the schema of a request as a constrained one
 * is: an answer that the schema does not admit is a failure of the server, status 599.
 */
export async function serveStrict(name: StrictServerName, model: (asked: Asked) => Wants): Promise<StrictServer> {
  const rules: ServerRules = strictServers[name];
  const served: StrictServer = { url: "", accepted: [], refused: [] };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString("utf8");
    const { status, body, text } = answerTo(rules, raw, String(request.url), model);
    if (text === undefined) served.refused.push(JSON.stringify(body));
    else served.accepted.push(JSON.parse(raw));
    response.writeHead(status, { "content-type": text === undefined ? "application/json" : "text/event-stream" });
    response.end(text ?? JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  served.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return served;
}

/** What these servers say of a request body; undefined if all of them take it. */
export function problemOf(...names: readonly StrictServerName[]): (body: string) => string | undefined {
  return (body) => {
    const half = halfIn(body);
    if (half) return half;
    for (const name of names) {
      const rules: ServerRules = strictServers[name];
      const problem = rules.problem(JSON.parse(body));
      if (problem) return `${name}: ${JSON.stringify(problem.body)}`;
    }
    return undefined;
  };
}

interface Answer extends Partial<Refusal> {
  status: number;
  text?: string;
}

function answerTo(rules: ServerRules, raw: string, path: string, model: (asked: Asked) => Wants): Answer {
  const { wire } = rules;
  if (!wire.path.test(path.replace(/\?.*$/, ""))) return { status: 404, body: wire.refusal("Not found") };
  const half = halfIn(raw);
  if (half) return { status: 400, body: wire.refusal(`The request body is not valid JSON: ${half}`) };
  const body: unknown = JSON.parse(raw);
  if (!isObject(body)) return { status: 400, body: wire.refusal("The request body is not an object") };
  const problem = rules.problem(body);
  if (problem) return problem;
  const format = wire.format(body);
  const wants = model({ body, schema: format?.schema, hasResults: wire.hasResults(body) });
  try {
    return { status: 200, text: wire.answer(spoken(rules, wants, format, body)) };
  } catch (error) {
    return { status: 599, body: wire.refusal(String(error)) };
  }
}

function spoken(
  rules: ServerRules,
  wants: Wants,
  format: { schema: Schema; isStrict: boolean } | undefined,
  body: Schema,
) {
  if ("text" in wants) return wants;
  if ("value" in wants) {
    const isHeld = format !== undefined && (format.isStrict || rules.holdsLoosely);
    return { text: JSON.stringify(isHeld ? constrained(wants.value, format.schema) : wants.value) };
  }
  const { name, args } = wants.call;
  const tool = rules.wire.tools(body).find((each) => each.name === name);
  if (!isObject(tool?.schema)) throw new Error(`There is no tool ${name}.`);
  // Calls are held to a schema where servers make a grammar of it.
  const isHeld = tool.isStrict || rules.holdsLoosely;
  return { call: { name, args: isHeld ? constrained(args, tool.schema) : args } };
}

/** Templates parse the arguments of calls too, which are JSON inside the JSON. */
function halfIn(raw: string): string | undefined {
  return halfCharacter(raw) ?? argumentsIn(JSON.parse(raw)).map(halfCharacter).find(Boolean);
}

function argumentsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(argumentsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "arguments" && typeof inner === "string" ? [inner] : argumentsIn(inner),
  );
}

/** What a parser that takes no half characters says of a text; undefined if it takes it. */
function halfCharacter(raw: string): string | undefined {
  // A pair, or an escape of any other kind, is passed over.
  for (const [text] of raw.matchAll(/\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\./g)) {
    if (/^\\u[dD][89a-fA-F]..$/.test(text)) return "no low surrogate in string";
  }
  return undefined;
}
