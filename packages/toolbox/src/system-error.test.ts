import { describe, expect, it } from "vitest";
import { ToolboxError } from "./errors.ts";
import { errorCode, fromSystem, onPath } from "./system-error.ts";

describe("fromSystem", () => {
  const systemError = (code: string) =>
    Object.assign(new Error(`${code}: open '/proc/self/fd/20/a.txt'`), { code, syscall: "open" });

  it.each([
    ["EACCES", "permission_denied"],
    ["EPERM", "permission_denied"],
    ["EROFS", "permission_denied"],
    ["ENOENT", "path_changed"],
    ["ELOOP", "path_changed"],
    ["ENOTDIR", "path_changed"],
    ["EISDIR", "not_a_file"],
    ["ENAMETOOLONG", "path_invalid"],
    ["ENOSPC", "io_error"],
    ["EMFILE", "io_error"],
  ])("reports %s as %s, with the path that was given", (code, ours) => {
    const cause = systemError(code);
    const error = fromSystem(cause, "src/a.txt");
    expect(error).toBeInstanceOf(ToolboxError);
    expect(error).toMatchObject({ code: ours, path: "src/a.txt", cause });
    expect(error).toHaveProperty("message", expect.stringContaining('"src/a.txt"'));
    expect(error).toHaveProperty("message", expect.not.stringContaining("/proc"));
  });

  it("passes other errors through unchanged", async () => {
    const error = new TypeError("ours");
    expect(fromSystem(error, "a")).toBe(error);
    expect(errorCode(error)).toBeUndefined();
    await expect(onPath("a", () => Promise.reject(error))).rejects.toBe(error);
  });
});
