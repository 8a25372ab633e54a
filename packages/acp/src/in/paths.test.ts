import { describe, expect, it } from "vitest";
import { absolutePath, isAbsolute, isBelow, pathOf } from "./paths.ts";

describe("paths", () => {
  it.each([
    ["/project", "src/a.ts", "/project/src/a.ts"],
    ["/project/", "./src//a.ts", "/project/src/a.ts"],
    ["/project", "../b.ts", "/b.ts"],
    ["/project", "../../../b.ts", "/b.ts"],
    ["/project", "/etc/motd", "/etc/motd"],
    ["C:\\project", "src/a.ts", "C:\\project\\src\\a.ts"],
  ])("of a session in %s, %s is %s", (cwd, path, whole) => {
    expect(absolutePath(cwd, path)).toBe(whole);
  });

  it("begin at a root, of POSIX or of Windows", () => {
    expect(["/", "/a", "C:\\a", "c:/a", "\\\\server\\a"].every(isAbsolute)).toBe(true);
    expect(["", "a", "./a", "~", "C:a"].some(isAbsolute)).toBe(false);
  });

  it("are those of addresses of files", () => {
    expect(pathOf("file:///a%20b")).toBe("/a b");
    expect(pathOf("file:///C:/a")).toBe("C:/a");
    expect(pathOf("file:///%zz")).toBeUndefined();
    expect(pathOf("https://a.example/b")).toBeUndefined();
  });

  it("lie in a folder, or not", () => {
    expect(isBelow("/project/a", ["/project"])).toBe(true);
    expect(isBelow("/project", ["/project/"])).toBe(true);
    expect(isBelow("/projects/a", ["/project"])).toBe(false);
    expect(isBelow("/project/../a", ["/project"])).toBe(false);
  });
});
