import { describe } from "vitest";
import { LeaseLostError, type Store } from "../src/index.ts";
import { changed, leases } from "./support/changed-leases.ts";
import { type Defect, notice } from "./support/notice.ts";

const hour = 3_600_000;

const defects: Defect[] = [
  [
    "never says that an expired lease is lost",
    /lost aborts before the store lets another owner in|lost has aborted if it is first read/,
    leases(() => ({ lost: new AbortController().signal })),
  ],
  [
    "says so too late",
    /lost aborts before the store lets another owner in/,
    leases(({ ttl }) => ({ lost: after(2 * ttl) })),
  ],
  [
    "says so only to those who ask in time",
    /lost has aborted if it is first read/,
    leases((lease) => {
      const grantedAt = performance.now();
      return {
        get lost() {
          return performance.now() < grantedAt + lease.ttl / 2 ? lease.lost : new AbortController().signal;
        },
      };
    }),
  ],
  [
    "gives each reader another signal",
    /lost aborts before the store lets another owner in/,
    leases((lease) => ({
      get lost() {
        return AbortSignal.any([lease.lost]);
      },
    })),
  ],
  [
    "gives another reason",
    /lost aborts before the store lets another owner in/,
    leases((lease) => {
      const loss = new AbortController();
      lease.lost.addEventListener("abort", () => loss.abort());
      return { lost: loss.signal };
    }),
  ],
  [
    "does not know of renewals when it says that a lease is lost",
    /lost does not abort while the lease is renewed/,
    leases(({ ttl }) => ({ lost: after(ttl) })),
  ],
  [
    "does not abort `lost` when it refuses an append or a renewal",
    /finds that the lease was taken over/,
    leases(({ ttl }) => ({ lost: after(ttl) })),
  ],
  [
    "aborts `lost` by a release",
    /lost does not abort by a release/,
    leases((lease) => {
      const loss = new AbortController();
      const release = async () => {
        await lease.release();
        loss.abort(new LeaseLostError(lease.token));
      };
      return { lost: loss.signal, release };
    }),
  ],
  [
    "aborts `lost` at its time after a release",
    /lost does not abort by a release/,
    leases(({ ttl }) => ({ lost: after(ttl) })),
  ],
  [
    "aborts `lost` if another conversation refuses its token",
    /another conversation refuses the token/,
    (store) => {
      const losses = new Map<number, AbortController>();
      return {
        async lease(key, options) {
          const lease = await store.lease(key, options);
          const loss = new AbortController();
          losses.set(lease.token, loss);
          return changed(lease, { lost: loss.signal });
        },
        append: (key, events, options) =>
          store.append(key, events, options).catch((error: unknown) => {
            losses.get(options?.lease?.token ?? 0)?.abort(error);
            throw error;
          }),
      };
    },
  ],
  [
    "extends only the first lease",
    /extends all given leases/,
    renewing(
      (store) =>
        ([first], ttl) =>
          store.renew(first ? [first] : [], ttl),
    ),
  ],
  [
    "extends no lease by its own `ttl`",
    /extends all given leases/,
    renewing(
      (store) =>
        (asked, ttl = hour) =>
          store.renew(asked, ttl),
    ),
  ],
  [
    "extends leases only by their own `ttl`",
    /extends all given leases/,
    renewing((store) => (asked) => store.renew(asked)),
  ],
  [
    "names a lease as often as it was given",
    /extends all given leases/,
    renewing((store) => async (asked, ttl) => {
      const { lost } = await store.renew(asked, ttl);
      return { renewed: asked.map(({ token }) => token).filter((token) => !lost.includes(token)), lost };
    }),
  ],
  [
    "extends no lease if one is lost",
    /names the leases that have ended/,
    renewing((store) => async (asked, ttl) => {
      for (const one of asked) {
        const { lost } = await store.renew([one], ttl);
        if (lost.length > 0) throw new LeaseLostError(one.token);
      }
      return store.renew(asked, ttl);
    }),
  ],
  [
    "does not name the leases that are lost",
    /names the leases that have ended/,
    renewing((store) => async (asked, ttl) => ({ ...(await store.renew(asked, ttl)), lost: [] })),
  ],
  [
    "says of every lease that it is extended",
    /names the leases that have ended/,
    renewing((store) => async (asked, ttl) => {
      await store.renew(asked, ttl);
      return { renewed: asked.map(({ token }) => token), lost: [] };
    }),
  ],
  [
    "accepts a `ttl` of 0 for several leases",
    /renew of the store accepts only/,
    renewing((store) => (asked, ttl) => store.renew(asked, ttl || 1)),
  ],
  [
    "extends at most a hundred leases",
    /extends a thousand leases/,
    renewing((store) => (asked, ttl) => store.renew(asked.slice(0, 100), ttl)),
  ],
  [
    "loses leases under which an append is running",
    /loses no lease while its holder appends/,
    (store) => {
      const running = new Set<number>();
      return {
        async append(key, events, options) {
          const token = options?.lease?.token ?? 0;
          running.add(token);
          await new Promise((resolve) => setTimeout(resolve, 5));
          running.delete(token);
          return store.append(key, events, options);
        },
        async renew(asked, ttl) {
          const free = asked.filter(({ token }) => !running.has(token));
          return { ...(await store.renew(free, ttl)), lost: [...running] };
        },
      };
    },
  ],
  [
    "renews nothing after it was closed, and does not say so",
    /close makes every later call fail/,
    renewing(
      (store) => async (asked, ttl) => (asked.length === 0 ? { renewed: [], lost: [] } : store.renew(asked, ttl)),
    ),
  ],
];

describe("the kit notices a store that", () => notice(defects));

function renewing(change: (store: Store) => Store["renew"]) {
  return (store: Store): Partial<Store> => ({ renew: change(store) });
}

function after(milliseconds: number): AbortSignal {
  const loss = new AbortController();
  if (milliseconds < hour) setTimeout(() => loss.abort(new LeaseLostError(0)), milliseconds).unref();
  return loss.signal;
}
