/** A change that a process makes to a file of one folder, or a line that it prints. */
export type Step = FileStep | { kind: "report"; line: string };

export type FileStep =
  | { kind: "write"; path: string; offset: number; bytes: Buffer }
  | { kind: "truncate"; path: string; length: number }
  | { kind: "create"; path: string }
  | { kind: "remove"; path: string }
  | { kind: "flush"; path: string };

/**
 * Reads the output of `strace -f -y -xx` of a process that changes files in `folder` from one thread and reports on
 * stdout. Leaves out SQLite's shared memory, which is created again after a power cut.
 *
 * @throws Error for a call that it does not know
 */
export function stepsOf(trace: string, folder: string): Step[] {
  const here = hexadecimalOf(folder);
  return callsOf(trace).flatMap((call) => {
    if (!call.parameters.includes(here)) return reportOf(call) ?? [];
    const step = stepOf(call);
    return step === undefined || step.path.endsWith("-shm") ? [] : step;
  });
}

interface Call {
  name: string;
  parameters: string;
  result: string;
}

/** The calls that succeeded, in the order in which they ended. */
function callsOf(trace: string): Call[] {
  const begun = new Map<string, string>();
  return trace.split("\n").flatMap((line): Call[] => {
    const [, thread = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const [, beginning] = /^(.*) <unfinished \.\.\.>$/.exec(rest) ?? [];
    if (beginning !== undefined) begun.set(thread, beginning);
    if (beginning !== undefined) return [];
    const [, ending] = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest) ?? [];
    const text = ending === undefined ? rest : `${begun.get(thread)}${ending}`;
    const [, name, parameters = "", result = ""] = /^(\w+)\((.*)\) += (.*)$/.exec(text) ?? [];
    return name === undefined || result.startsWith("-1") ? [] : [{ name, parameters, result }];
  });
}

function reportOf({ name, parameters }: Call): Step | undefined {
  const [, bytes = ""] = /^1<[^>]*>, "([^"]*)"/.exec(parameters) ?? [];
  return name === "write" && bytes !== "" ? { kind: "report", line: textOf(bytes) } : undefined;
}

function stepOf({ name, parameters, result }: Call): FileStep | undefined {
  const [, at = "", values = ""] = /^\d+<([^>]*)>(?:, (.*))?$/.exec(parameters) ?? [];
  const path = textOf(at);
  switch (name) {
    case "openat": {
      const [, opened = ""] = /^\d+<([^>]*)>/.exec(result) ?? [];
      return parameters.includes("O_CREAT") ? { kind: "create", path: textOf(opened) } : undefined;
    }
    case "pwrite64": {
      const [, bytes = "", offset] = /^"([^"]*)", \d+, (\d+)$/.exec(values) ?? [];
      return { kind: "write", path, offset: Number(offset), bytes: bytesOf(bytes).subarray(0, Number(result)) };
    }
    case "ftruncate":
      return { kind: "truncate", path, length: Number(values) };
    case "fsync":
    case "fdatasync":
      return { kind: "flush", path };
    case "unlink":
      return { kind: "remove", path: textOf(/^"([^"]*)"$/.exec(parameters)?.[1] ?? "") };
    default:
      throw new Error(`What ${name} does to a file is not known here.`);
  }
}

/** The calls that `stepsOf` needs, for strace's `-e`. */
export const tracedCalls =
  "openat,open,creat,write,writev,pwrite64,pwritev,fsync,fdatasync,sync_file_range,ftruncate,truncate,fallocate,unlink,unlinkat,rename,renameat,renameat2";

function hexadecimalOf(text: string): string {
  return Buffer.from(text).toString("hex").replaceAll(/../g, "\\x$&");
}

function textOf(hexadecimal: string): string {
  return bytesOf(hexadecimal).toString();
}

function bytesOf(hexadecimal: string): Buffer {
  return Buffer.from(hexadecimal.replaceAll("\\x", ""), "hex");
}
