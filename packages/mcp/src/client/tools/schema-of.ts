import { isTooDeep } from "../transport/is-too-deep.ts";

/** Why a schema of a server is not used; undefined if nothing speaks against it. The checks of `defineTool` come after these. */
export function schemaLimitProblem(schema: unknown): string | undefined {
  if (isTooDeep(schema, deepest)) return `its schema is nested deeper than ${deepest} levels`;
  const bytes = new TextEncoder().encode(JSON.stringify(schema)).byteLength;
  if (bytes > mostBytes) return `its schema has ${bytes} bytes, and at most ${mostBytes} are taken`;
  return undefined;
}

const deepest = 64;
const mostBytes = 64 * 1024;
