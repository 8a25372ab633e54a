/** Linux shows the environment and the memory of processes, keys included, as files. No access makes these readable. */
export function isProcessFolder(real: string): boolean {
  return processFolder.test(real);
}

const processFolder = /^\/proc\/(?:\d+|self|thread-self|kcore)(?:\/|$)/;
