import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { parkingStore } from "./parking-store.ts";

it("a conversation whose run has failed three times is parked, and another one that is due is given out", async () => {
  let now = 0;
  const inner = memoryStore({ clock: () => now });
  const store = parkingStore(inner);
  const [failing, fine] = [{ conversation: "failing" }, { conversation: "fine" }];
  const claim = () => store.claim({ owner: "o", limit: 1, ttl: 1 });
  await store.post(failing, { kind: "cancel" }, { id: "1" });
  for (let attempt = 0; attempt < 3; attempt++) {
    expect(await claim()).toMatchObject([{ key: failing }]);
    now += 10;
  }
  await store.post(fine, { kind: "cancel" }, { id: "1" });
  expect(await claim()).toMatchObject([{ key: fine }]);
  expect(await inner.parked()).toMatchObject([{ key: failing, reason: "Its run has failed 3 times." }]);
  await store.unpark(failing);
  expect(await claim()).toMatchObject([{ key: failing, attempts: 1 }]);
});
