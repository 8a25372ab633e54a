import type { McpCallHost } from "../call-host.ts";
import type { McpResourceContent } from "../content.ts";

type Maybe<T> = T | Promise<T>;

/** What clients can read by address. Clients choose the addresses: `read` decides what they may have. */
export interface McpResources {
  list?(host: McpCallHost): Maybe<readonly McpOfferedResource[]>;
  templates?(host: McpCallHost): Maybe<readonly McpOfferedTemplate[]>;
  /** The contents at an address, which may be one of no list; undefined if there is nothing. */
  read(uri: string, host: McpCallHost): Maybe<McpResourceContent | readonly McpResourceContent[] | undefined>;
  /** Whether clients may subscribe to changes, of which `resourceUpdated` of the server tells. Defaults to false. */
  readonly subscribable?: boolean | undefined;
}

export interface McpOfferedResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mediaType?: string | undefined;
  /** Bytes. */
  readonly size?: number | undefined;
}

export interface McpOfferedTemplate {
  /** Such as `notes://{folder}/{name}` (RFC 6570). */
  readonly template: string;
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly mediaType?: string | undefined;
  /** Proposals for a variable of the template; `known` are the other variables. */
  complete?(variable: string, value: string, known: Readonly<Record<string, string>>): Maybe<readonly string[]>;
}
