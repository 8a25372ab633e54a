import type { Lookup } from "../web/request/exchange.ts";
import type { ShellNetwork } from "./shell-network.ts";

export interface ShellOptions {
  /**
   * Whether the operating system keeps commands apart from the machine. `"auto"`, the default: where it can, and `warn` is
   * told where it cannot. `"required"`: nothing runs without. `"off"`: commands have every right of this process.
   */
  sandbox?: "auto" | "required" | "off" | undefined;
  /** What commands in a sandbox may reach; `"none"` by default. Outside of one it changes nothing. */
  network?: ShellNetwork | undefined;
  /** Folders and files that commands in a sandbox may read, beside the system's programs and the root. */
  readable?: readonly string[] | undefined;
  /** Told once a process why `"auto"` cannot isolate, and what to do about it; `console.warn` by default. */
  warn?: ((message: string) => void) | undefined;
  /** Milliseconds that a command may take; a call may ask for less, never for more. 120,000 by default. */
  timeout?: number | undefined;
  /** Bytes kept of stdout and of stderr, half from the beginning and half from the end; 65,536 by default. */
  maxOutputBytes?: number | undefined;
  /** Added to the environment of every command; `undefined` takes a variable away. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds between TERM and KILL for what does not end when told; 2,000 by default. */
  killAfter?: number | undefined;
  /** Resolves the names of hosts that commands reach; the system's resolver by default. Its answers are judged like any. */
  lookup?: Lookup | undefined;
}
