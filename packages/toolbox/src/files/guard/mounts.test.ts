import { describe, expect, it } from "vitest";
import { mountAliases, parseMounts } from "./mounts.ts";

const mounts = parseMounts(`22 1 8:1 / / rw - ext4 /dev/sda1 rw
23 22 8:2 / /home rw - ext4 /dev/sda2 rw
24 22 8:2 /me /mnt/me rw - ext4 /dev/sda2 rw
25 22 8:2 /me/.config/app/keys /mnt/keys rw - ext4 /dev/sda2 rw
26 22 8:2 /me/.config/app/store.db /srv/a\\040file rw - ext4 /dev/sda2 rw
27 22 8:2 /you /mnt/you rw - ext4 /dev/sda2 rw
28 22 0:5 / /proc rw - proc proc rw
29 22 8:1 /usr /mnt/usr rw - ext4 /dev/sda1 rw
`);

describe("mountAliases", () => {
  it.each<[path: string, aliases: string[]]>([
    ["/home/me/.config/app", ["/mnt/me/.config/app", "/mnt/keys", "/srv/a file"]],
    ["/home/me/.config/app/store.db", ["/mnt/me/.config/app/store.db", "/srv/a file"]],
    ["/home/me/.config/app/keys/one", ["/mnt/me/.config/app/keys/one", "/mnt/keys/one"]],
    ["/mnt/keys/one", ["/home/me/.config/app/keys/one", "/mnt/me/.config/app/keys/one"]],
    ["/home/you", ["/mnt/you"]],
    ["/home/youth", []],
    ["/usr/bin", ["/mnt/usr/bin"]],
    ["/etc", []],
    ["/home/me", ["/mnt/me", "/mnt/keys", "/srv/a file"]],
  ])("returns the other paths of %s", (path, aliases) => {
    expect(mountAliases(mounts, path)).toEqual(aliases);
  });

  it("returns no other path without a mount table", () => {
    expect(mountAliases(parseMounts("\nnonsense\n"), "/home")).toEqual([]);
  });
});
