import type { JsonSchema } from "@cogency/protocol";
import * as z from "zod";
import { pathArgument } from "../files/text/path-argument.ts";
import { type LazyInput, lazyInput } from "../lazy-input.ts";
import type { HostRules } from "../sandbox/egress/host-rules.ts";

export interface ShellArguments {
  command: string;
  cwd?: string | undefined;
  hosts?: string[] | undefined;
  timeout?: number | undefined;
  background?: boolean | undefined;
}

/** Seconds that a command may run. */
export interface ShellSeconds {
  /** Where its call names none. */
  usual: number;
  /** At most. */
  longest: number;
}

/** The arguments of `shell`. `hosts` exists only if the host configured a network of hosts, `background` only if it holds jobs. */
export function shellInput(
  seconds: ShellSeconds,
  hosts: HostRules | undefined,
  hasJobs: boolean,
): LazyInput<z.ZodType<ShellArguments>> {
  const says = descriptions(seconds, hosts);
  const { longest } = seconds;
  return lazyInput(parametersOf(longest, hosts, hasJobs, says), () => {
    const always = {
      command: z.string().min(1, { error: "is empty: name a program to run" }).describe(says.command),
      cwd: pathArgument().optional().describe(says.cwd),
    };
    const timeout = z.number().positive().max(longest).optional().describe(says.timeout);
    const host = z.string().min(1).max(300);
    const input = z.object({
      ...always,
      ...(hosts && { hosts: z.array(host).max(20).optional().describe(says.hosts) }),
      timeout,
      ...(hasJobs && { background: z.boolean().optional().describe(says.background) }),
    });
    // The types of members that may be left out are lost.
    return input as z.ZodType<ShellArguments>;
  });
}

/** The JSON Schema of the same. It depends on the options, so it is not among those that are made ahead. */
function parametersOf(longest: number, hosts: HostRules | undefined, hasJobs: boolean, says: Descriptions): JsonSchema {
  const host = { type: "string", minLength: 1, maxLength: 300 };
  return {
    type: "object",
    properties: {
      command: { type: "string", minLength: 1, description: says.command },
      cwd: { description: says.cwd, type: "string", minLength: 1 },
      ...(hosts && { hosts: { description: says.hosts, maxItems: 20, type: "array", items: host } }),
      timeout: { description: says.timeout, type: "number", exclusiveMinimum: 0, maximum: longest },
      ...(hasJobs && { background: { description: says.background, type: "boolean" } }),
    },
    required: ["command"],
  };
}

type Descriptions = ReturnType<typeof descriptions>;

function descriptions({ usual, longest }: ShellSeconds, hosts: HostRules | undefined) {
  const listed = hosts?.entries.length ? `${hosts.entries.join(", ")} at once, others` : "each";
  return {
    command: "such as: npm test 2>&1 | tail -20",
    cwd: 'folder to run it in, relative to the root folder; "." when absent',
    hosts: `what it has to reach over the network, such as ["example.org"]: ${listed} after somebody has approved it`,
    timeout: `seconds after which it is ended; ${usual} when absent${longest > usual ? `, at most ${longest}` : ""}`,
    background:
      "for servers and watchers: the call returns after a second, and the command goes on until shell_stop or the end of the conversation",
  };
}
