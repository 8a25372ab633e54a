import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import type { Opening } from "../client/connector.ts";
import { McpError } from "../client/errors.ts";
import { oneLine } from "../client/text/plain-text.ts";
import { createRate } from "../client/transport/rate.ts";
import { createLines } from "./lines.ts";
import { type Launch, type RunningProgram, runProgram } from "./running-program.ts";

/** The stdin and stdout of a program: one message a line. Its stderr is its log. */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** With `pid`, the mark by which the SDK knows a program. */
  readonly stderr = null;
  private readonly launch: () => Promise<Launch>;
  private readonly opening: Opening;
  private readonly hide: (text: string) => string;
  private readonly log: (line: string) => void;
  private program: RunningProgram | undefined;
  private isClosed = false;

  constructor(launch: () => Promise<Launch>, opening: Opening, hide: (text: string) => string) {
    this.launch = launch;
    this.opening = opening;
    this.hide = hide;
    const rate = createRate(linesPerMinute);
    this.log = (line) => {
      const text = oneLine(hide(line), longestLine);
      if (text !== "" && rate.take()) opening.log(text);
    };
  }

  get pid(): number | null {
    return this.program?.pid ?? null;
  }

  async start(): Promise<void> {
    const { server, messageBytes, breach, ended } = this.opening;
    this.program = await this.started();
    const program = this.program;
    const messages = createLines({
      most: messageBytes,
      onLine: (line) => this.read(line),
      onLong: () => {
        program.stdout.destroy();
        breach(`sent a line of more than ${messageBytes} bytes`);
      },
    });
    const logged = createLines({ most: longestLine * 4, onLine: this.log, onLong: this.log });
    program.stdout.on("data", (chunk: Uint8Array) => messages.add(chunk));
    program.stderr.on("data", (chunk: Uint8Array) => logged.add(chunk));
    program.ended.then((how) => {
      if (!this.isClosed) ended?.(how);
      this.isClosed = true;
      this.onclose?.();
    });
    if (this.isClosed) {
      await program.end();
      throw new McpError("closed", server, `The server ${server} was closed while it started.`);
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { server } = this.opening;
    const stdin = this.program?.stdin;
    if (!stdin?.writable) throw new McpError("closed", server, `The program of the server ${server} has ended.`);
    if (stdin.writableLength > mostUnread) {
      throw new McpError("protocol", server, `The server ${server} does not read what is sent to it.`);
    }
    stdin.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.program?.end();
  }

  private async started(): Promise<RunningProgram> {
    const { server } = this.opening;
    try {
      return await runProgram(await this.launch());
    } catch (error) {
      const problem = error instanceof Error ? oneLine(this.hide(error.message)) : "no reason was given";
      throw new McpError(
        "connect_failed",
        server,
        `The program of the server ${server} cannot be started: ${problem}.`,
        {
          cause: error,
        },
      );
    }
  }

  private read(line: string): void {
    if (line.trim() === "") return;
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      // A program that prints a greeting or a warning there still works.
      this.log(`stdout: ${line}`);
      return;
    }
    this.onmessage?.(message);
  }
}

const longestLine = 2000;
const linesPerMinute = 1000;
/** Bytes that wait for a program that does not read. */
const mostUnread = 16 * 1024 * 1024;
