import type { ModelMessage } from "@cogency/protocol";
import { type ScriptedProvider, type ScriptedStep, type Session, scripted } from "@cogency/provider";

/** What one session was told and answered, in order. */
export interface Transcript {
  opened: readonly ModelMessage[];
  messages: ModelMessage[];
  closed: number;
}

/**
 * A scripted model that keeps sessions. Each send plays a step; one that did not finish is no part of the session. A deaf
 * one finishes whatever it has begun.
 */
export function sessionModel(
  steps: readonly ScriptedStep[],
  { deaf = false } = {},
): ScriptedProvider & { sessions: Transcript[] } {
  const model = scripted(steps, { chunkSize: 5, capabilities: { session: true } });
  const sessions: Transcript[] = [];
  return {
    ...model,
    sessions,
    async connect(request): Promise<Session> {
      const transcript: Transcript = { opened: request.messages, messages: [...request.messages], closed: 0 };
      sessions.push(transcript);
      return {
        async *send(text, options) {
          if (transcript.closed > 0) throw new Error("The session is closed.");
          const messages: ModelMessage[] = [...transcript.messages, { role: "user", content: text }];
          let content = "";
          for await (const event of model.stream({ ...request, messages }, deaf ? {} : options)) {
            if (event.type === "text") content += event.text;
            if (event.type === "finish" && event.reason !== "aborted") {
              transcript.messages = [...messages, { role: "assistant", content }];
            }
            yield event;
          }
        },
        async close() {
          transcript.closed++;
        },
      };
    },
  };
}
