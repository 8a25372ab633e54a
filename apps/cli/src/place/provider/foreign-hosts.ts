import { domainToASCII } from "node:url";

/**
 * Returns the hosts in a text that are written with letters beyond ASCII, each as written and in the ASCII form that is
 * requested. A letter of another alphabet may look exactly like a Latin one.
 */
export function foreignHosts(text: string): { written: string; asked: string }[] {
  const found = new Map<string, string>();
  for (const [word] of text.matchAll(/[^\s"'`<>()[\]{},;|&=]+/g)) {
    for (const host of hostsIn(word)) {
      const asked = /\P{ASCII}/u.test(host) ? domainToASCII(host) : "";
      if (asked !== "" && asked !== host) found.set(host, asked);
    }
  }
  return Array.from(found, ([written, asked]) => ({ written, asked }));
}

/** Matches the host in `https://me@host:80/path`, `me@host:path` and `host`. Without a scheme a host needs a dot. */
function hostsIn(word: string): string[] {
  const rest = /^[a-z][a-z\d+.-]*:\/\/(?<rest>.*)$/is.exec(word)?.groups?.rest;
  const authority = (rest ?? word).split(/[/\\?#]/)[0] ?? "";
  const host = authority.slice(authority.lastIndexOf("@") + 1).replace(/:.*$/s, "");
  return rest !== undefined || dots.test(host) ? [host] : [];
}

/** The characters that IDNA reads as a dot. */
const dots = /[.\u3002\uff0e\uff61\u2024]/;
