import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import type { McpCallHost } from "../call-host.ts";
import { resourceContents } from "../content.ts";
import type { McpOfferedResource, McpOfferedTemplate, McpResources } from "./offered-resources.ts";

export function listedResource({ uri, size, ...about }: McpOfferedResource): Resource {
  return { uri, ...described(about), ...(size !== undefined && { size }) };
}

export function listedTemplate({ template, ...about }: McpOfferedTemplate): ResourceTemplateType {
  return { uriTemplate: template, ...described(about) };
}

function described({ name, title, description, mediaType }: Omit<McpOfferedResource, "uri">) {
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mediaType !== undefined && { mimeType: mediaType }),
  };
}

/** @throws ResourceNotFoundError */
export async function readResource(
  resources: McpResources,
  uri: string,
  host: McpCallHost,
): Promise<ReadResourceResult> {
  const found = await resources.read(uri, host);
  const contents = found === undefined ? [] : [found].flat();
  if (contents.length === 0) throw new ResourceNotFoundError(uri);
  return { contents: contents.map((one) => resourceContents(one, uri)) };
}
