import type { Json } from "@cogency/protocol";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { openProject } from "../../place/config/open-project.ts";
import { findServers } from "../../place/mcp/find-servers.ts";
import { type AttachedFile, longestText, mentionsIn, serverOf } from "../prompt/attached-files.ts";
import type { OpenMcp } from "./open-mcp.ts";
import { serverPlace } from "./server-place.ts";
import type { Servers } from "./servers.ts";

const none: ReadonlySet<string> = new Set();

/** The names of the servers that a prompt may mention: `@docs:file:///notes.md`. Looks for them only if it may. */
export async function mentionableServers(
  prompt: string,
  { root, config }: { readonly root: string; readonly config?: string | undefined },
): Promise<ReadonlySet<string>> {
  if (!mentionsIn(prompt).some((candidates) => candidates.some((one) => serverOf(one) !== undefined))) return none;
  return namesOf(findServers(await openProject(root), config));
}

export function namesOf({ servers }: OpenMcp["found"]): ReadonlySet<string> {
  return new Set(servers.map(({ name }) => name));
}

/**
 * Reads the resources of servers that a person mentions as `@server:uri`. What they hold is untrusted.
 *
 * @throws UsageError for one that cannot be read
 */
export async function mentionedResources(
  prompt: string,
  { servers, found }: Pick<OpenMcp, "servers" | "found">,
): Promise<AttachedFile[]> {
  if (servers === undefined) return [];
  const names = namesOf(found);
  const files: AttachedFile[] = [];
  for (const candidates of mentionsIn(prompt)) {
    const server = serverOf(candidates[0] ?? "");
    if (server !== undefined && names.has(server)) files.push(...(await resource(servers, server, candidates)));
  }
  return files;
}

async function resource({ mcp, views }: Servers, server: string, mentions: readonly string[]): Promise<AttachedFile[]> {
  const uris = mentions.map((mention) => mention.slice(server.length + 1));
  const refused = (why: string) => new UsageError(oneLine(`@${mentions.at(-1)} cannot be attached: ${why}`, 600));
  await mcp?.connect({ servers: [server] });
  const view = views().find(({ name }) => name === server);
  if (!mcp || view?.status !== "ready")
    throw refused(`the server ${server} is not there${view?.reason ? `: ${view.reason}` : "."}`);
  const known = new Set(mcp.resources().flatMap((one) => (one.server === server ? (one.uri ?? []) : [])));
  // What ends a sentence may belong to the name.
  const uri = uris.find((one) => known.has(one)) ?? uris.at(-1) ?? "";
  const { value, attachments } = await mcp.read(server, uri).catch((error: Error) => {
    throw refused(error.message);
  });
  const text = textOf(value);
  if (text.length > longestText)
    throw refused(`it has ${text.length} characters, and at most ${longestText} are sent.`);
  const of = { asked: `${server}:${uri}`, real: `${serverPlace(server)} ${uri}`, isUntrusted: true } as const;
  return [
    ...(text === "" && attachments.length > 0 ? [] : [{ ...of, text }]),
    ...attachments.map((attachment, at) => ({ ...of, real: `${of.real} ${at + 1}`, attachment })),
  ];
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}
