import { calling, type Place, place } from "./command-line.ts";

export const read = (file: string) => [{ name: "read", args: { file } }];
export const write = (file: string) => [{ name: "write", args: { file, content: "written again" } }];

/** The options of several models, each of which makes its batches of calls. */
export const models = (...all: readonly (readonly { name: string; args: object }[])[][]) => [
  ...calling().slice(0, 2),
  ...all.flatMap((batches) => calling(...batches.map((batch) => [...batch])).slice(2)),
];

/** A place with the conversation `c`, which read a file twice. */
export async function recorded(at: Place = place()): Promise<Place> {
  await at.cogency(["read my notes", "--conversation", "c", ...calling(read("notes.txt"), read("notes.txt"))]);
  return at;
}
