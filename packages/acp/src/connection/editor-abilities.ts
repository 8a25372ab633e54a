import type { ClientCapabilities } from "@agentclientprotocol/sdk";

/** What an editor has said that it does. */
export interface EditorAbilities {
  readonly name: string | undefined;
  readonly read: boolean;
  readonly write: boolean;
  readonly terminals: boolean;
  /** It shows forms. */
  readonly forms: boolean;
  readonly notices: boolean;
  readonly compaction: boolean;
}

export function abilitiesOf(
  { fs, terminal, session, elicitation }: ClientCapabilities = {},
  name?: string,
): EditorAbilities {
  return {
    name,
    read: fs?.readTextFile === true,
    write: fs?.writeTextFile === true,
    terminals: terminal === true,
    forms: isGiven(elicitation?.form),
    notices: isGiven(session?.notices),
    compaction: isGiven(session?.compaction),
  };
}

function isGiven(value: object | null | undefined): boolean {
  return value !== undefined && value !== null;
}
