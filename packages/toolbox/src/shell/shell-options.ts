import type { KeptParts } from "@cogency/tools/host";
import type { Lookup } from "../web/request/exchange.ts";
import type { Jobs } from "./background/jobs.ts";
import type { ShellNetwork } from "./shell-network.ts";
import type { Terminals } from "./terminal/terminals.ts";

export interface ShellOptions {
  /**
   * Whether commands run in a sandbox of the operating system. `"auto"`, the default, uses one if the machine supports it, and
   * else calls `warn`. `"required"` throws if there is none. With `"off"` commands have all rights of this process.
   */
  sandbox?: "auto" | "required" | "off" | undefined;
  /** The network of commands in a sandbox; defaults to `"none"`. Ignored where commands run without a sandbox. */
  network?: ShellNetwork | undefined;
  /** Folders and files that commands in a sandbox may read, in addition to the system's programs and the root. */
  readable?: readonly string[] | undefined;
  /** Called once a process when `"auto"` finds no sandbox, with the reason and the remedy; defaults to `console.warn`. */
  warn?: ((message: string) => void) | undefined;
  /** Milliseconds that a command may take whose call asks for no other time; defaults to 120,000, or to `maxTimeout` if that is less. */
  timeout?: number | undefined;
  /** Milliseconds that a call may ask for at most; defaults to `timeout`. */
  maxTimeout?: number | undefined;
  /** Bytes kept of stdout and of stderr, half from the beginning and half from the end; defaults to 65,536. */
  maxOutputBytes?: number | undefined;
  /**
   * Keeps the whole of an output that is longer, up to 16 MiB of each stream, such as `openKeptOutput` does; the result says how to read
   * it with `read_result`. Give the same object to `readResultTool`.
   */
  outputs?: KeptParts | undefined;
  /** Added to the environment of every command; `undefined` removes a variable. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds between TERM and KILL for programs that do not end; defaults to 2,000. */
  killAfter?: number | undefined;
  /** Resolves host names for commands; defaults to the system's resolver. Its answers are checked like all addresses. */
  lookup?: Lookup | undefined;
  /**
   * Terminals that the person sees, such as those of an editor. Where there is no sandbox, commands run in them instead of as programs of
   * this process, except those in the background. A command in a sandbox never runs there.
   */
  terminals?: Terminals | undefined;
  /** Holds commands that run in the background; without it a call cannot start one. */
  jobs?: Jobs | undefined;
}
