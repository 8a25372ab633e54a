import type { InitializeResponse } from "@agentclientprotocol/sdk";
import type { AcpOptions } from "../acp-options.ts";

/** What the agent says of itself: only what the options make possible. */
export function capabilitiesOf(options: AcpOptions): InitializeResponse {
  const { info, list, remove, fork, mcp, additionalDirectories, authentication = [] } = options;
  return {
    // An editor that speaks no such version ends the connection.
    protocolVersion: 1,
    agentInfo: { name: info.name, version: info.version, ...(info.title !== undefined && { title: info.title }) },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: mcp?.http === true, sse: mcp?.sse === true },
      sessionCapabilities: {
        resume: {},
        close: {},
        ...(additionalDirectories && { additionalDirectories: {} }),
        ...(list && { list: {} }),
        ...(remove && { delete: {} }),
        ...(fork && { fork: {} }),
      },
    },
    authMethods: authentication.map(({ id, name, description }) => ({ id, name, description })),
  };
}
