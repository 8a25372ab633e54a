export interface HostCommandOptions {
  /** `required`: in a sandbox without a network; `off`, the default: with the rights of this process. */
  sandbox?: "required" | "off" | undefined;
}
