/** The one-use token in the fragment of an address: `#token=…`. Undefined if the fragment says something else. */
export function tokenOf(hash: string): string | undefined {
  return /^#token=([\w-]+)$/.exec(hash)?.[1];
}
