export type { Acp, AcpConnection, AcpStream } from "./acp.ts";
export type {
  AcpAuthentication,
  AcpCommands,
  AcpModes,
  AcpOpening,
  AcpOptions,
  AcpSession,
  AcpSessionEntry,
  AcpSessionList,
  AcpSetting,
  AcpSettings,
  CallDescription,
  ExpandedCommand,
} from "./acp-options.ts";
export { AuthenticationNeeded } from "./authentication-needed.ts";
export { createAcp } from "./create-acp.ts";
export type {
  Editor,
  EditorCommand,
  EditorFiles,
  EditorTerminal,
  EditorTerminals,
  NamedServer,
} from "./editor.ts";
export { RequestRefused } from "./request-refused.ts";
