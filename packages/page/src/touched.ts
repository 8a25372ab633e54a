/**
 * Says in words which files, folders and hosts a call touches. Leaves out resources that only order calls. A program without a sandbox
 * may touch more than its resources name.
 */
export function touched(touches: readonly string[]): string[] {
  const named = (kind: string) =>
    touches.filter((key) => key.startsWith(`${kind}:`)).map((key) => key.slice(kind.length + 1));
  const files = named("file");
  // Resources name every folder above a tree as well; the call touches only the innermost one.
  const [tree] = named("tree").toSorted((one, other) => other.length - one.length);
  const isConfined = named("unconfined").length === 0;
  const below = isConfined && files.length === 0 && tree !== undefined ? [`everything below ${tree}`] : [];
  return [
    ...(isConfined ? [] : ["all that you may read or change on this machine, and its network: no sandbox confines it"]),
    ...files,
    ...below,
    ...named("host").map((host) => `host ${host}`),
    ...named("cwd").map((folder) => `${folder}, in which it begins`),
  ];
}
