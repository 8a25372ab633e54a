import { type JSONRPCMessage, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { eventBuffer } from "./event-buffer.ts";

/** The transport of one session, whose streams a client can resume. */
export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #onSend: (message: JSONRPCMessage) => void;

  /**
   * @param unreadBytes what it keeps of its events
   * @param onSend called with each message before it is sent
   */
  constructor(id: string, unreadBytes: number, onSend: (message: JSONRPCMessage) => void) {
    super({ sessionIdGenerator: () => id, eventStore: eventBuffer(unreadBytes), retryInterval: 1000 });
    this.#onSend = onSend;
  }

  override async send(message: JSONRPCMessage, options?: { relatedRequestId?: string | number }): Promise<void> {
    this.#onSend(message);
    await super.send(message, options);
  }
}
