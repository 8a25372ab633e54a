import type { Socket } from "node:net";

/** Calls `each` with every line. Node's `readline` would also end a line at U+2028, which JSON texts may hold. */
export function onLines(socket: Socket, each: (line: string) => void): void {
  let rest = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) each(line);
  });
}
