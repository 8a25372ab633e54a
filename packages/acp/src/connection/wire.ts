import type {
  AgentContext,
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import { askEditor } from "./ask-editor.ts";

/** What a session says to its editor. */
export interface Wire {
  /** Resolves when the message is on its way. Never rejects: an editor that is gone hears nothing. */
  update(update: SessionUpdate): Promise<void>;
  /** @throws RequestError for an answer that is none, and when the signal aborts; EditorGone */
  permission(
    request: Omit<RequestPermissionRequest, "sessionId">,
    signal: AbortSignal,
  ): Promise<RequestPermissionResponse>;
  /** @throws as `permission` */
  form(request: FormRequest, signal: AbortSignal): Promise<CreateElicitationResponse>;
}

interface FormRequest {
  message: string;
  requestedSchema: Extract<CreateElicitationRequest, { mode: "form" }>["requestedSchema"];
  toolCallId: string;
}

export function wireOf(client: AgentContext, sessionId: string): Wire {
  return {
    update: (update) => client.notify("session/update", { sessionId, update }).catch(() => {}),
    permission: (request, signal) => askEditor(client, "session/request_permission", { sessionId, ...request }, signal),
    form: (request, signal) =>
      askEditor(
        client,
        "elicitation/create",
        { mode: "form", sessionId, ...request } as CreateElicitationRequest,
        signal,
      ),
  };
}
