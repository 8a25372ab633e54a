import type {
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  MessageExtraInfo,
  Transport,
} from "@modelcontextprotocol/client";
import { hasMoreValues } from "./has-more-values.ts";
import { isTooDeep } from "./is-too-deep.ts";
import { createRate } from "./rate.ts";

export interface GuardOptions {
  readonly messagesPerMinute: number;
  /** Called once for each kind of fault, with a sentence that begins with a verb: `answered a request that it had not been sent`. */
  fault(sentence: string): void;
  /** Called when the server has broken a limit so far that its connection must end. */
  breach(sentence: string): void;
}

/** A transport that may have a session which it can end at the server. */
export interface GuardedTransport extends Transport {
  terminateSession?(): Promise<void> | undefined;
}

/**
 * A transport that lets nothing through which the server may not send: answers to requests that are not open, more messages than its
 * limit, values that are nested too deep, requests beyond a number at once. A request whose stream ends without an answer gets an error.
 */
export function guard(inner: GuardedTransport, options: GuardOptions): GuardedTransport {
  const inbox = new Inbox(options);
  const outer: GuardedTransport = {
    start: () => inner.start(),
    close: () => inner.close(),
    async send(message, sending) {
      const id = inbox.sent(message);
      if (id === undefined) return inner.send(message, sending);
      sending?.requestSignal?.addEventListener("abort", () => inbox.forget(id), { once: true });
      const { onRequestStreamEnd } = sending ?? {};
      await inner.send(message, {
        ...sending,
        onRequestStreamEnd() {
          onRequestStreamEnd?.();
          const failed = inbox.unanswered(id);
          if (failed) outer.onmessage?.(failed);
        },
      });
    },
    get sessionId() {
      return inner.sessionId;
    },
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
    setSupportedProtocolVersions: (versions) => inner.setSupportedProtocolVersions?.(versions),
    ...(inner.hasPerRequestStream !== undefined && { hasPerRequestStream: inner.hasPerRequestStream }),
    ...(inner.terminateSession && { terminateSession: () => inner.terminateSession?.() }),
    // The SDK knows a program by these two: silence after its first question then means an older server.
    ...("pid" in inner && "stderr" in inner && { pid: inner.pid, stderr: inner.stderr }),
  };
  inner.onclose = () => outer.onclose?.();
  inner.onerror = (error) => outer.onerror?.(error);
  inner.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
    const passed = inbox.received(message);
    if (passed === undefined) return;
    if ("reply" in passed) inner.send(passed.reply).catch(() => {});
    else outer.onmessage?.(passed.message, extra);
  };
  return outer;
}

/** The message of the error that takes the place of an answer which does not come any more. */
export const endedEarly = "The connection ended before the answer came.";

type Id = string | number;
type Passed = { readonly message: JSONRPCMessage } | { readonly reply: JSONRPCMessage };

class Inbox {
  private readonly options: GuardOptions;
  private readonly rate: ReturnType<typeof createRate>;
  private readonly told = new Set<string>();
  /** The methods of requests that were sent and have no answer yet. */
  private readonly open = new Map<Id, string>();
  /** Requests that are over, the last of them: an answer to one that was cancelled is late, not false. */
  private readonly cancelled = new Set<Id>();
  /** Requests of the server that have no answer yet. */
  private readonly asked = new Set<Id>();
  private readonly droppedRate: ReturnType<typeof createRate>;

  constructor(options: GuardOptions) {
    this.options = options;
    this.rate = createRate(options.messagesPerMinute);
    this.droppedRate = createRate(options.messagesPerMinute * 10);
  }

  /** @returns the id of a request */
  sent(message: JSONRPCMessage): Id | undefined {
    if (!("method" in message)) {
      if (message.id !== undefined) this.asked.delete(message.id);
      return undefined;
    }
    if ("id" in message) {
      this.open.set(message.id, message.method);
      return message.id;
    }
    const id = message.method === "notifications/cancelled" ? message.params?.requestId : undefined;
    if (typeof id === "string" || typeof id === "number") this.forget(id);
    return undefined;
  }

  forget(id: Id): void {
    if (!this.open.delete(id)) return;
    this.cancelled.add(id);
    if (this.cancelled.size > mostRemembered) this.cancelled.delete(this.cancelled.values().next().value as Id);
  }

  unanswered(id: Id): JSONRPCMessage | undefined {
    if (!this.open.delete(id)) return undefined;
    return errorFor(id, endedEarly);
  }

  received(message: JSONRPCMessage): Passed | undefined {
    const deep = isTooDeep(message, deepest);
    if (deep) this.fault(`sent a message that is nested deeper than ${deepest} levels, which was dropped`);
    if ("method" in message) return this.unasked(message, deep);
    const { id } = message;
    const method = id === undefined ? undefined : this.open.get(id);
    if (id === undefined || method === undefined) return this.falseAnswer(id);
    this.open.delete(id);
    if (deep) return { message: errorFor(id, `The answer is nested deeper than ${deepest} levels.`) };
    // The SDK checks each value of a schema, which takes seconds for many.
    if (method.endsWith("/list") && hasMoreValues(message, mostListed))
      return { message: errorFor(id, `The list has more than ${mostListed} values.`) };
    return { message };
  }

  private falseAnswer(id: Id | undefined): undefined {
    if (id !== undefined && this.cancelled.delete(id)) return;
    this.fault("answered a request that was not open, which was dropped");
    this.countDropped();
  }

  private unasked(message: JSONRPCRequest | JSONRPCNotification, deep: boolean): Passed | undefined {
    const isRequest = "id" in message;
    const isChange = message.method.endsWith("/list_changed");
    if (message.method === "notifications/cancelled") this.asked.delete(message.params?.requestId as Id);
    if (deep) return isRequest ? { reply: errorFor(message.id, "The request is nested too deep.") } : undefined;
    if (!this.rate.take()) {
      this.fault(`sends more than ${this.options.messagesPerMinute} messages a minute, and the rest is dropped`);
      this.countDropped();
      // A change that is not seen would leave an old list for good, and many of them count as one. A refusal of each request would
      // be a flood of our own.
      if (!isChange) return undefined;
    }
    return isRequest ? this.request(message) : { message };
  }

  private request(message: JSONRPCRequest): Passed | undefined {
    if (this.asked.has(message.id)) {
      this.fault("sent two requests under one id, of which the second was dropped");
      return undefined;
    }
    if (this.asked.size >= mostAsked) {
      this.fault(`asked more than ${mostAsked} things at once, and the rest was refused`);
      return { reply: errorFor(message.id, "Too many requests at once.") };
    }
    this.asked.add(message.id);
    return { message };
  }

  private countDropped(): void {
    if (!this.droppedRate.take()) this.options.breach("flooded the connection with messages");
  }

  private fault(sentence: string): void {
    if (this.told.has(sentence)) return;
    this.told.add(sentence);
    this.options.fault(sentence);
  }
}

function errorFor(id: Id, message: string): JSONRPCMessage {
  return { jsonrpc: "2.0", id, error: { code: -32_000, message } };
}

const deepest = 200;
const mostListed = 50_000;
const mostAsked = 8;
const mostRemembered = 1000;
