import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { Ajv2020 } from "ajv/dist/2020.js";

/** A message as it crossed a pipe. */
export interface Crossed {
  readonly from: "editor" | "agent";
  readonly line: string;
}

interface Definition {
  readonly "x-method"?: string;
}

const file = fileURLToPath(import.meta.resolve("@agentclientprotocol/sdk/schema/v1/schema.json"));
const schema: { readonly $defs: Readonly<Record<string, Definition>> } = JSON.parse(readFileSync(file, "utf8"));
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(schema, "acp");
const named = (name: string): ValidateFunction => ajv.getSchema(`acp#/$defs/${name}`) as ValidateFunction;

/** The definition of what a method is asked with, answered with, or told. */
function definitionOf(method: string, end: "Request" | "Response" | "Notification"): string | undefined {
  const found = Object.entries(schema.$defs).find(([name, one]) => one["x-method"] === method && name.endsWith(end));
  return found?.[0];
}

/** What is wrong with messages, by the schema of the protocol, each for its method; a line that is no message, too. */
export function problemsIn(crossed: readonly Crossed[]): string[] {
  const asked = new Map<string, string>();
  const problems: string[] = [];
  for (const { from, line } of crossed) {
    const problem = problemOf(from, line, asked);
    if (problem !== undefined) problems.push(`${problem} ${line.slice(0, 300)}`);
  }
  return problems;
}

function problemOf(from: Crossed["from"], line: string, asked: Map<string, string>): string | undefined {
  const message = parsed(line);
  if (message === undefined) return "no message:";
  const { jsonrpc, id, method, params, result, error } = message;
  if (jsonrpc !== "2.0") return "no JSON-RPC 2.0:";
  const other = from === "agent" ? "editor" : "agent";
  if (typeof method === "string") {
    if (id !== undefined) asked.set(`${from} ${JSON.stringify(id)}`, method);
    return wrong(definitionOf(method, id === undefined ? "Notification" : "Request"), params, method);
  }
  const of = asked.get(`${other} ${JSON.stringify(id)}`);
  if (error !== undefined) return wrong("Error", error, "error");
  if (of === undefined) return "an answer to nothing:";
  return wrong(definitionOf(of, "Response"), result, `answer to ${of}`);
}

function wrong(definition: string | undefined, value: unknown, what: string): string | undefined {
  if (definition === undefined) return `unknown ${what}:`;
  const validate = named(definition);
  return validate(value) ? undefined : `${what}: ${ajv.errorsText(validate.errors)}:`;
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
