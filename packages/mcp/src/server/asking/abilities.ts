import type { ClientCapabilities } from "@modelcontextprotocol/server";
import type { ClientAbilities } from "./client-inputs.ts";

/** An elicitation without modes is one with forms. */
export function abilitiesOf(capabilities: ClientCapabilities | undefined): ClientAbilities {
  const { elicitation, sampling, roots } = capabilities ?? {};
  return {
    elicit: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
    sample: sampling !== undefined,
    roots: roots !== undefined,
  };
}
