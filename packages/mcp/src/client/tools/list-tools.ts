import { type Client, type Tool as Definition, specTypeSchemas } from "@modelcontextprotocol/client";
import { McpError } from "../errors.ts";
import { listAll, type WholeList } from "../lists/list-all.ts";
import { fieldsOf } from "../questions/fields-of.ts";
import { oneLine } from "../text/plain-text.ts";
import { asItCame } from "../transport/as-it-came.ts";

export interface ListedTools {
  readonly definitions: readonly Definition[];
  /** What was left out, a sentence each. */
  readonly problems: readonly string[];
}

export interface ListToolsOptions {
  readonly server: string;
  readonly most: number;
  /** Milliseconds for one page. */
  readonly timeout: number;
}

/**
 * Lists the tools of a server. One whose definition is none is left out, and the others are there. Not with `listTools` of the SDK, which
 * gives up a list because of one of its tools, and writes names of tools to the terminal of the host as they are.
 *
 * @throws McpError `protocol` for what is no list; what a request throws
 */
export async function listTools(client: Client, { server, most, timeout }: ListToolsOptions): Promise<ListedTools> {
  const list: WholeList<unknown> = await listAll("tools", most, async (cursor) => {
    const params = cursor === undefined ? {} : { cursor };
    const page = fieldsOf(await client.request({ method: "tools/list", params }, asItCame, { timeout }));
    const { tools, nextCursor } = page;
    if (!Array.isArray(tools) || (nextCursor !== undefined && typeof nextCursor !== "string"))
      throw new McpError("protocol", server, `The server ${server} broke the protocol: its list of tools is none.`);
    return { items: tools as readonly unknown[], nextCursor };
  });
  const definitions: Definition[] = [];
  const problems = list.problem === undefined ? [] : [list.problem];
  for (const item of list.items) {
    const read = await specTypeSchemas.Tool["~standard"].validate(item);
    if (read.issues)
      problems.push(`${nameOf(item)} is left out: its definition is none. ${oneLine(issuesOf(read.issues), 200)}`);
    else definitions.push(read.value);
  }
  return { definitions, problems };
}

type Issues = readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[];

function issuesOf(issues: Issues): string {
  return issues.map(({ path = [], message }) => `${path.map(String).join(".")}: ${message}.`).join(" ");
}

function nameOf(item: unknown): string {
  const { name } = fieldsOf(item);
  return typeof name === "string" ? `The tool ${JSON.stringify(oneLine(name, 60))}` : "A tool without a name";
}
