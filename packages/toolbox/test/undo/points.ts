import fs, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

type Change = (...given: unknown[]) => Promise<unknown>;

/**
 * Lets this process pass a point before each change that it makes to a file or folder, and in the middle of each write.
 *
 * @param at called at the point with this number, counted from 1, and at all later ones; the change waits for it
 * @returns ends it, and closes the files that are still open; with the number of points passed
 */
export async function passPoints(point: number, at: () => Promise<void>): Promise<() => Promise<number>> {
  let passed = 0;
  const pass = async () => {
    passed += 1;
    if (passed >= point) await at();
  };
  const open = new Set<FileHandle>();
  const undo: (() => void)[] = [];
  const replace = <Key extends string>(on: Record<Key, unknown>, name: Key, make: (original: Change) => Change) => {
    const original = on[name] as Change;
    on[name] = make(original);
    undo.push(() => {
      on[name] = original;
    });
  };
  const module = fs as unknown as Record<string, unknown>;
  for (const name of ["mkdir", "rename", "link", "rm", "rmdir", "copyFile", "appendFile", "utimes"]) {
    replace(module, name, (original) => async (...given) => {
      await pass();
      return original(...given);
    });
  }
  const some = await fs.open(".", "r");
  const handles = Object.getPrototypeOf(some) as Record<string, unknown>;
  await some.close();
  for (const name of ["sync", "chmod"]) {
    replace(
      handles,
      name,
      (original) =>
        async function (this: unknown, ...given: unknown[]) {
          await pass();
          return original.apply(this, given);
        },
    );
  }
  replace(
    handles,
    "writeFile",
    (original) =>
      async function (this: unknown, ...given: unknown[]) {
        await pass();
        const bytes = Buffer.from(given[0] as Uint8Array);
        await original.call(this, bytes.subarray(0, bytes.length / 2));
        await pass();
        await original.call(this, bytes.subarray(bytes.length / 2));
      },
  );
  replace(module, "open", (original) => async (...given) => {
    const handle = (await original(...given)) as FileHandle;
    open.add(handle);
    return handle;
  });
  syncBuiltinESMExports();
  return async () => {
    for (const restore of undo) restore();
    syncBuiltinESMExports();
    for (const handle of open) await handle.close().catch(() => {});
    return passed;
  };
}
