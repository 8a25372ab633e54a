import { expect, it } from "vitest";
import { touched } from "./touched.ts";

it("says what a call touches in words, without the names that only order calls", () => {
  const ordering = ["tree:/", "tree:/srv", "tree:/srv/app", "undo:c"];
  expect(touched(["unconfined:shell", ...ordering, "cwd:/srv/app"])).toEqual([
    "all that you may read or change on this machine, and its network: no sandbox confines it",
    "/srv/app, in which it begins",
  ]);
  expect(touched(["file:/srv/app/a.txt", ...ordering, "host:a.example"])).toEqual(["/srv/app/a.txt", "host a.example"]);
  expect(touched(ordering)).toEqual(["everything below /srv/app"]);
});
