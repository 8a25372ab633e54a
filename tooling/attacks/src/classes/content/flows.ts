import { sinks, sources } from "./sources-and-sinks.ts";

export interface Flow {
  holds: "private" | "untrusted";
  source: string;
  sink: string;
  way: Way;
}

/** What happens between source and sink. */
export type Way =
  | "next step"
  | "next run"
  | "other process"
  | "after a kill"
  | "early start"
  | "hook"
  | "kept in a file";

/** All pairs of source and sink in the next step; in every other way, each source with one sink. */
export function flows(): Flow[] {
  const ways: Way[] = ["next run", "other process", "after a kill", "early start", "hook", "kept in a file"];
  return (["private", "untrusted"] as const).flatMap((holds) => {
    const from = Object.keys(sources[holds]);
    const to = Object.keys(sinks[holds]);
    const plain = from.flatMap((source) => to.map((sink): Flow => ({ holds, source, sink, way: "next step" })));
    const others = ways.flatMap((way, index) =>
      from.map((source, place): Flow => ({ holds, source, sink: to[(place + index) % to.length] ?? "", way })),
    );
    return [...plain, ...others];
  });
}
