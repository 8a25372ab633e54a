import type { Json, JsonObject } from "@cogency/protocol";

const keyword = "x-mcp-header";
/** Of HTTP: a name of a header. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Keywords whose value is no schema. */
const values = new Set(["default", "enum", "const", "examples", keyword]);

/**
 * Why a tool of a server of 2026-07-28 at an address cannot be called: an argument that the server wants as a header, `x-mcp-header`, is
 * none that may be one (Streamable HTTP, custom headers from tool parameters). A client must leave such a tool out.
 */
export function headerProblem(schema: Json): string | undefined {
  const names = new Set<string>();
  return problemIn(schema, "root");

  function problemIn(part: Json | undefined, at: "root" | "argument" | "elsewhere"): string | undefined {
    if (Array.isArray(part)) return first(part, "elsewhere");
    if (typeof part !== "object" || part === null) return undefined;
    const { [keyword]: header, properties, ...others } = part as JsonObject;
    const own = header === undefined ? undefined : wrongHeader(header, part.type, at);
    if (own !== undefined) return own;
    const inner = at === "elsewhere" ? at : "argument";
    const rest = Object.entries(others).flatMap(([key, value]) => (values.has(key) ? [] : [value]));
    return first(Object.values((properties ?? {}) as JsonObject), inner) ?? first(rest, "elsewhere");
  }

  function first(parts: readonly (Json | undefined)[], at: "argument" | "elsewhere"): string | undefined {
    for (const part of parts) {
      const problem = problemIn(part, at);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  function wrongHeader(header: Json, type: Json | undefined, at: string): string | undefined {
    if (at !== "argument") return "its schema has x-mcp-header in a place that is no argument";
    if (typeof header !== "string" || !token.test(header)) return "its schema has an x-mcp-header that names no header";
    if (type !== "string" && type !== "integer" && type !== "boolean")
      return "its schema has x-mcp-header at an argument that is no text, whole number or flag";
    if (names.has(header.toLowerCase())) return "its schema has two arguments for one header";
    names.add(header.toLowerCase());
    return undefined;
  }
}
