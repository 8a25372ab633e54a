import { appendChecks } from "./append-checks.ts";
import type { Check } from "./check.ts";
import { clockChecks } from "./clock-checks.ts";
import { fencingChecks } from "./fencing-checks.ts";
import { followChecks } from "./follow-checks.ts";
import { isolationChecks } from "./isolation-checks.ts";
import { leaseChecks } from "./lease-checks.ts";
import { lifecycleChecks } from "./lifecycle-checks.ts";
import { listingChecks } from "./listing-checks.ts";
import { loadChecks } from "./load-checks.ts";
import { processChecks } from "./process-checks.ts";
import { profileChecks } from "./profile-checks.ts";
import { rankingChecks } from "./ranking-checks.ts";
import { reopenChecks } from "./reopen-checks.ts";
import { roundTripChecks } from "./round-trip-checks.ts";
import { searchChecks } from "./search-checks.ts";

/** Every case of the kit. Names are part of what is published: users declare by them. */
export const checks: readonly Check[] = [
  ...appendChecks,
  ...roundTripChecks,
  ...loadChecks,
  ...isolationChecks,
  ...listingChecks,
  ...searchChecks,
  ...rankingChecks,
  ...profileChecks,
  ...leaseChecks,
  ...fencingChecks,
  ...followChecks,
  ...clockChecks,
  ...lifecycleChecks,
  ...reopenChecks,
  ...processChecks,
];
