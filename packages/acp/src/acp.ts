/** What `createAcp` makes: an agent that editors use. */
export interface Acp {
  /** Serves one editor. */
  connect(stream: AcpStream): AcpConnection;
}

/** The messages of one editor. `ndJsonStream` of `@agentclientprotocol/sdk` makes one of two streams of bytes. */
export interface AcpStream {
  readonly readable: ReadableStream<object>;
  readonly writable: WritableStream<object>;
}

export interface AcpConnection {
  /** Resolves when the connection has ended and nothing of its sessions is at work any more. Never rejects. */
  readonly closed: Promise<void>;
  /** Ends it. Turns are interrupted, not cancelled: who goes on with the session goes on with its turn. */
  close(): Promise<void>;
}
