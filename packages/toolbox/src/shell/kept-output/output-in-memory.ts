import type { PartKey } from "@cogency/tools/host";
import type { KeptKey, KeptOutput } from "./kept-output.ts";

/** Keeps output for as long as this process runs. */
export function outputInMemory(maxBytes = 64 * 1024 * 1024): KeptOutput {
  /** In the order in which they were kept. */
  const kept: { key: PartKey; text: string }[] = [];
  const isOf = (key: PartKey, { conversation, user }: KeptKey) =>
    key.conversation === conversation && key.user === user;
  return {
    async keep(key, text) {
      kept.push({ key, text });
      let used = kept.reduce((sum, one) => sum + sizeOf(one.text), 0);
      while (used > maxBytes) used -= sizeOf((kept.shift() as { text: string }).text);
    },
    async read(key) {
      return kept.findLast((one) => isOf(one.key, key) && one.key.id === key.id && one.key.part === key.part)?.text;
    },
    async forget(of) {
      const others = kept.filter(({ key }) => !isOf(key, of));
      kept.splice(0, kept.length, ...others);
    },
    async copy(from, to) {
      // The texts are the same strings, which take their memory once.
      kept.push(
        ...kept.filter(({ key }) => isOf(key, from)).map(({ key, text }) => ({ key: { ...key, ...to }, text })),
      );
    },
  };
}

/** Of a string in memory: at most two bytes for a UTF-16 unit. */
function sizeOf(text: string): number {
  return 2 * text.length;
}
