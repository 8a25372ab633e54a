import type { AgentCapabilities, IdentityCapabilities } from "@ag-ui/core";

/** What clients can do here. `reasoning` and `multimodal` depend on the user and on the model, so nothing is said of them. */
export function capabilitiesOf(identity: IdentityCapabilities | undefined): AgentCapabilities {
  return {
    ...(identity && { identity }),
    transport: { streaming: true, websocket: false, httpBinary: false, resumable: true },
    tools: { supported: true, clientProvided: true },
    state: { snapshots: true, deltas: true, memory: false, persistentState: true },
    humanInTheLoop: {
      supported: true,
      approvals: true,
      interrupts: true,
      interventions: false,
      approveWithEdits: false,
    },
  };
}
