/** The same event of an event stream, with its JSON over as many `data` lines as it can take. */
export function dataOverLines(frame: string): string {
  return mapData(frame, (data) => {
    const value = parsed(data);
    if (typeof value !== "object" || value === null) return `data: ${data}`;
    return JSON.stringify(value, null, 2)
      .split("\n")
      .map((line) => `data: ${line}`)
      .join("\n");
  });
}

export function withoutSpace(frame: string): string {
  return mapData(frame, (data) => `data:${data}`);
}

function mapData(frame: string, change: (data: string) => string): string {
  return frame
    .split("\n")
    .map((line) => (line.startsWith("data:") ? change(line.slice("data:".length).trimStart()) : line))
    .join("\n");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
