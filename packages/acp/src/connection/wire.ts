import type {
  AgentContext,
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from "@agentclientprotocol/sdk";

/** What a session says to its editor. */
export interface Wire {
  /** Resolves when the message is on its way. Never rejects: an editor that is gone hears nothing. */
  update(update: SessionUpdate): Promise<void>;
  permission(
    request: Omit<RequestPermissionRequest, "sessionId">,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse>;
  form(request: FormRequest, signal: AbortSignal): Promise<CreateElicitationResponse>;
}

export interface FormRequest {
  message: string;
  requestedSchema: Extract<CreateElicitationRequest, { mode: "form" }>["requestedSchema"];
  toolCallId: string;
}

export function wireOf(client: AgentContext, sessionId: string): Wire {
  return {
    update: (update) => client.notify("session/update", { sessionId, update }).catch(() => {}),
    permission: (request, signal) =>
      client.request("session/request_permission", { sessionId, ...request }, asked(signal)),
    form: (request, signal) =>
      client.request(
        "elicitation/create",
        { mode: "form", sessionId, ...request } as CreateElicitationRequest,
        asked(signal),
      ),
  };
}

/** A question that is closed is taken back, whatever the editor says then. */
function asked(cancellationSignal: AbortSignal) {
  return { cancellationSignal, stopWaitingOnCancel: true };
}
