import { checkOptions, object } from "@cogency/protocol/options";
import type { Provider } from "@cogency/provider";
import type { Driver } from "./driver.ts";
import { type NativeDriverOptions, nativeDriver } from "./native-driver.ts";
import { type ProtocolDriverOptions, protocolDriver } from "./protocol-driver.ts";

export interface AutoOptions {
  /** Options of the driver of native tool calling. */
  native?: NativeDriverOptions | undefined;
  /** Options of the driver of the text protocol. */
  protocol?: ProtocolDriverOptions | undefined;
}

/**
 * Chooses the driver by what the provider says of itself: native tool calling where it has it (`capabilities.tools`), else the text
 * protocol. For `createAgent({ driver: auto() })`.
 */
export function auto(options: AutoOptions = {}): (provider: Pick<Provider, "capabilities">) => Driver {
  checkOptions<AutoOptions>("auto", options, { native: object, protocol: object });
  const { native, protocol } = options;
  // What is wrong with them is said now, not when a provider comes that needs them.
  nativeDriver(native);
  protocolDriver(protocol);
  return ({ capabilities }) => (capabilities.tools ? nativeDriver(native) : protocolDriver(protocol));
}
