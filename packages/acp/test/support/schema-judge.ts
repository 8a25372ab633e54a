import { readFileSync } from "node:fs";
import type { AnyMessage } from "@agentclientprotocol/sdk";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Sent } from "./editor.ts";

interface Definition {
  "x-method"?: string;
  "x-side"?: string;
}

const read = (name: string): { $defs: Record<string, Definition> } =>
  JSON.parse(readFileSync(new URL(import.meta.resolve(`@agentclientprotocol/sdk/${name}`)), "utf8"));

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
/** What is not stable yet, after what is. */
const schemas = ["schema/v1/schema.json", "schema/v1/schema.unstable.json"].map(read);
for (const [at, schema] of schemas.entries()) ajv.addSchema(schema, `${at}`);

const validators = new Map<string, ValidateFunction>();
for (const [at, { $defs }] of schemas.entries())
  for (const [name, { "x-method": method }] of Object.entries($defs)) {
    const kind = /(Request|Response|Notification)$/.exec(name)?.[1];
    const key = `${kind} ${method}`;
    const validator = kind && method && !validators.has(key) && ajv.getSchema(`${at}#/$defs/${name}`);
    if (validator) validators.set(key, validator);
  }

/** What the schema of the protocol has against the messages of a connection, in both directions. */
export function schemaFaults(sent: readonly Sent[]): string[] {
  const methods = new Map<string, string>();
  return sent.flatMap(({ from, message }) => {
    if ("method" in message && "id" in message) methods.set(`${from} ${message.id}`, message.method);
    const other = from === "agent" ? "editor" : "agent";
    const method = "method" in message ? message.method : methods.get(`${other} ${message.id}`);
    return faultsOf(message, method).map((fault) => `${from}: ${fault}`);
  });
}

function faultsOf(message: AnyMessage, method: string | undefined): string[] {
  if (message.jsonrpc !== "2.0") return ["is no JSON-RPC 2.0"];
  if ("error" in message) {
    const { code, message: text } = message.error;
    return Number.isInteger(code) && typeof text === "string" && text !== ""
      ? []
      : ["has no error with a code and words"];
  }
  if (method === undefined) return ["answers a request that nobody has made"];
  const kind = "method" in message ? ("id" in message ? "Request" : "Notification") : "Response";
  const validator = validators.get(`${kind} ${method}`);
  if (!validator) return [`has a ${kind} of ${method}, which the protocol does not know`];
  if (validator("method" in message ? message.params : message.result)) return [];
  return [`${kind} of ${method}: ${ajv.errorsText(validator.errors)}`];
}
