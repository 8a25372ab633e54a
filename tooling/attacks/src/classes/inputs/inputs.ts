import type { AttackClass } from "../../harness/attack.ts";
import { controlTexts } from "./control-texts.ts";
import { controls } from "./controls.ts";
import { exportAttack } from "./export-attack.ts";
import { exports } from "./exports.ts";
import { printAttack, prints } from "./print-attack.ts";
import { providerNameAttack, providerNames } from "./provider-names.ts";
import { storeAddressAttack, storeAddresses } from "./store-addresses.ts";
import { strangerPackageAttack } from "./stranger-package-attack.ts";
import { strangerPackages } from "./stranger-packages.ts";

/** Input of the command from elsewhere: exports, names of providers, addresses of stores, and texts that it prints. */
export const inputs: AttackClass = {
  name: "inputs",
  slice: { cheap: 0, dear: 2 },
  attacks: () => [
    ...exports.map(exportAttack),
    ...providerNames.map(providerNameAttack),
    ...strangerPackages.map(strangerPackageAttack),
    ...storeAddresses.map(storeAddressAttack),
    ...controlTexts.flatMap(([name, text]) => prints.map((print) => printAttack(name, text, print))),
    ...controls,
  ],
};
