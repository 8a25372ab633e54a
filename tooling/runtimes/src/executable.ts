/** A program to start. */
export interface Executable {
  file: string;
  /** Variables for its process, added to the environment of this one. */
  env: Record<string, string>;
}

/** The environment in which a runtime writes nothing outside of `folder` and does not look for a newer version. */
export function environmentOf({ env }: Executable, folder: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HOME: folder,
    TMPDIR: folder,
    DENO_DIR: folder,
    DENO_NO_UPDATE_CHECK: "1",
    DO_NOT_TRACK: "1",
    NO_COLOR: "1",
    ...env,
  };
}
