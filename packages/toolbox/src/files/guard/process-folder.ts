/** Linux shows the environment and the memory of processes as files, keys included: no root makes them readable. */
export function isProcessFolder(real: string): boolean {
  return processFolder.test(real);
}

const processFolder = /^\/proc\/(?:\d+|self|thread-self|kcore)(?:\/|$)/;
