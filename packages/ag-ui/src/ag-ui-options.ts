import type { IdentityCapabilities } from "@ag-ui/core";
import type { BridgeOptions } from "@cogency/server/bridge";

export interface AgUiOptions extends BridgeOptions {
  /** Who the agent is, for the description at `GET prefix`: `{ name, description, version, … }`. Defaults to nothing. */
  identity?: IdentityCapabilities | undefined;
}
