/** Whether `--store` names a server and not a file. */
export function isServer(store: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(store);
}

/** The store as messages name it: of the address of a server neither the user and the password nor the parameters. */
export function shownStore(store: string): string {
  return isServer(store) ? store.replace(/(?<=:\/\/).*@/s, "").replace(/[?#].*/s, "") : store;
}
