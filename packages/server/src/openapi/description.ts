import { type ProblemCode, statusOf } from "../problem.ts";
import { everywhere, type Operation, operations } from "./operations.ts";
import { named, schemas, string } from "./schemas.ts";

/** Describes the handler in OpenAPI 3.1, for programs and for generators of clients. */
export function description(prefix: string): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, operation] of Object.entries(operations)) {
    const [method = "", path = ""] = name.split(" ");
    paths[path] ??= path.includes("{conversation}") ? { parameters: [conversation] } : {};
    paths[path][method.toLowerCase()] = described(operation);
  }
  return {
    openapi: "3.1.1",
    info: { title: "Conversations", version: "1", description: "Made by createHandler of @cogency/server." },
    servers: [{ url: prefix || "/" }],
    paths,
    components: { schemas },
  };
}

const conversation = {
  name: "conversation",
  in: "path",
  required: true,
  description: "The name of a conversation, as encodeURIComponent writes it.",
  schema: { type: "string", minLength: 1, maxLength: 512 },
};

function described({ id, summary, query = {}, headers = {}, body, responses, problems }: Operation): object {
  const parameters = [...parametersOf(query, "query"), ...parametersOf(headers, "header")];
  return {
    operationId: id,
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { "application/json": { schema: body } } } }),
    responses: { ...Object.fromEntries(Object.entries(responses).map(describedSuccess)), ...refusals(problems) },
  };
}

function parametersOf(given: NonNullable<Operation["query"]>, place: "query" | "header"): object[] {
  return Object.entries(given).map(([name, rest]) => ({ name, in: place, ...rest }));
}

function describedSuccess([status, response]: [string, Operation["responses"][number]]): [string, object] {
  const { description, schema, isStream } = response;
  const type = isStream ? "text/event-stream" : "application/json";
  const content = isStream || schema ? { content: { [type]: { schema: schema ?? string } } } : {};
  return [status, { description, ...content }];
}

/** One response for each status, which names the codes of its problems. */
function refusals(problems: readonly ProblemCode[]): Record<string, object> {
  const codes = new Map<number, ProblemCode[]>();
  for (const code of [...problems, ...everywhere])
    codes.set(statusOf(code), [...(codes.get(statusOf(code)) ?? []), code]);
  return Object.fromEntries(
    [...codes].map(([status, all]) => [
      status,
      { description: all.join(", "), content: { "application/json": { schema: named("Problem") } } },
    ]),
  );
}
