import type { Case } from "../case.ts";
import { appendCases } from "./append-cases.ts";
import { claimCases } from "./claim-cases.ts";
import { claimProcessCases } from "./claim-process-cases.ts";
import { clockCases } from "./clock-cases.ts";
import { dueCases } from "./due-cases.ts";
import { fencingCases } from "./fencing-cases.ts";
import { followCases } from "./follow-cases.ts";
import { inboxCases } from "./inbox-cases.ts";
import { inboxProcessCases } from "./inbox-process-cases.ts";
import { isolationCases } from "./isolation-cases.ts";
import { leaseCases } from "./lease-cases.ts";
import { lifecycleCases } from "./lifecycle-cases.ts";
import { listingCases } from "./listing-cases.ts";
import { liveCases } from "./live-cases.ts";
import { liveProcessCases } from "./live-process-cases.ts";
import { loadCases } from "./load-cases.ts";
import { lossCases } from "./loss-cases.ts";
import { processCases } from "./process-cases.ts";
import { profileCases } from "./profile-cases.ts";
import { queueCases } from "./queue-cases.ts";
import { rankingCases } from "./ranking-cases.ts";
import { renewalCases } from "./renewal-cases.ts";
import { reopenCases } from "./reopen-cases.ts";
import { roundTripCases } from "./round-trip-cases.ts";
import { searchCases } from "./search-cases.ts";
import { settlingCases } from "./settling-cases.ts";
import { slotCases } from "./slot-cases.ts";
import { takingCases } from "./taking-cases.ts";
import { wakeWatchCases } from "./wake-watch-cases.ts";
import { watchCases } from "./watch-cases.ts";

/** Every case of the kit. Their names are public: a declaration names the cases that do not apply. */
export const allCases: readonly Case[] = [
  ...appendCases,
  ...roundTripCases,
  ...loadCases,
  ...isolationCases,
  ...listingCases,
  ...searchCases,
  ...rankingCases,
  ...profileCases,
  ...leaseCases,
  ...fencingCases,
  ...lossCases,
  ...renewalCases,
  ...followCases,
  ...inboxCases,
  ...takingCases,
  ...watchCases,
  ...dueCases,
  ...claimCases,
  ...settlingCases,
  ...queueCases,
  ...wakeWatchCases,
  ...slotCases,
  ...clockCases,
  ...liveCases,
  ...lifecycleCases,
  ...reopenCases,
  ...processCases,
  ...inboxProcessCases,
  ...claimProcessCases,
  ...liveProcessCases,
];
