import { ProtocolError, type ServerContext } from "@modelcontextprotocol/server";
import { McpHostError } from "../call-host.ts";
import { askedInputs } from "./asked-inputs.ts";
import type { ClientAbilities, ClientInputs } from "./client-inputs.ts";

/** Asks by requests of the server, as the revisions up to 2025-11-25 have them. `patience` is in milliseconds. */
export function pushedInputs({ mcpReq }: ServerContext, can: ClientAbilities, patience: number): ClientInputs {
  return askedInputs(can, async ({ method, params }) => {
    try {
      return await mcpReq.send({ method, params }, { timeout: patience, signal: mcpReq.signal });
    } catch (error) {
      const why = error instanceof ProtocolError ? `It refused: ${error.message}` : "It did not answer.";
      throw new McpHostError("no_answer", `The client was asked (${method}) and gave no answer. ${why}`);
    }
  });
}
