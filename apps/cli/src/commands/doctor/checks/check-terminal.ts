import { type Finding, ok, remark } from "../finding.ts";

/** What the chat can do at this terminal. */
export function checkTerminal(
  stream: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "rows" | "getColorDepth"> = process.stdout,
  environment: NodeJS.ProcessEnv = process.env,
): Finding {
  if (!stream.isTTY) return ok("terminal", "none here");
  const { TERM = "", LC_ALL, LC_CTYPE, LANG } = environment;
  const size = `${stream.columns} × ${stream.rows}`;
  if (TERM === "" || TERM === "dumb")
    return remark(
      "terminal",
      `TERM is ${TERM || "not set"}, so the chat writes plain lines`,
      "Set TERM, as to xterm-256color.",
    );
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  if (!/utf-?8/i.test(locale))
    return remark(
      "terminal",
      `the locale ${locale || "is not set, so it"} may show signs such as ✓ wrong`,
      "Set LANG to a UTF-8 locale, such as C.UTF-8.",
    );
  if (stream.columns < 40 || stream.rows < 10)
    return remark("terminal", `${size} is small for a chat`, "Make the window 40 columns and 10 rows or larger.");
  return ok("terminal", `${TERM}, ${size}, ${2 ** stream.getColorDepth()} colours`);
}
