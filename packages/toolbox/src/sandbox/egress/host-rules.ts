import { isIP } from "node:net";
import { type AddressGuard, createAddressGuard, hostOf, isOwnHost } from "../../web/address/address-guard.ts";

/** Which hosts and ports may be reached. */
export interface HostRules {
  /** The given entries in lower case and punycode: `example.org`, `*.example.org:8080`. */
  readonly entries: readonly string[];
  /** @param host as in a URL, without brackets */
  admits(host: string, port: number): boolean;
  /**
   * The addresses that an admitted host may resolve to: public ones, those that the rules name as an address or an internal
   * name, and those in `allow`.
   */
  guardFor(host: string, port: number): AddressGuard;
}

/**
 * Parses entries: a name (`example.org` means its ports 80 and 443), a name with a port (`example.org:8080`), all names below
 * one (`*.example.org`), or an address (`10.0.0.7:5432`, `[::1]:80`).
 *
 * @param allow addresses that may be reached although they are not public, as in `createWebClient`
 * @throws Error with a message for the host, naming the entry
 */
export function hostRules(entries: readonly string[], allow: readonly string[] = []): HostRules {
  const rules = entries.map(parseRule);
  const named = rules.filter(({ host, isSuffix }) => !isSuffix && isOwnHost(host)).map(({ host }) => host);
  const guard = createAddressGuard([...allow, ...named]);
  return {
    entries: rules.map(({ shown }) => shown),
    admits: (host, port) => rules.some((rule) => rule.ports.includes(port) && matches(rule, host)),
    guardFor: () => guard,
  };
}

/**
 * The rules for the hosts that one call asks for. Hosts that `allowed` admits keep its limits; a person has to approve the
 * others.
 *
 * @returns `beyond`: the hosts that need approval, as they are shown
 * @throws Error with a message for the model, naming the entry that is not a host, or that stands for all names below one
 *   and is not listed in `allowed`
 */
export function rulesForCall(
  asked: readonly string[],
  allowed: HostRules,
): { rules: HostRules; beyond: readonly string[] } {
  const rules = asked.map(parseRule);
  const wide = rules.find(({ isSuffix, shown }) => isSuffix && !allowed.entries.includes(shown));
  if (wide !== undefined) {
    throw new Error(`"${wide.shown}" stands for all names below one, which no call can ask for: name each host`);
  }
  const isKnown = ({ host, ports, isSuffix }: Rule) => !isSuffix && ports.some((port) => allowed.admits(host, port));
  const beyond = rules.filter((rule) => !isKnown(rule)).map(({ shown }) => shown);
  const known = hostRules(rules.filter(isKnown).map(({ shown }) => shown));
  const more = hostRules(beyond);
  return {
    rules: {
      entries: rules.map(({ shown }) => shown),
      admits: (host, port) => (known.admits(host, port) && allowed.admits(host, port)) || more.admits(host, port),
      // A host that a call adds gets none of the exceptions that the configuration makes for its own hosts.
      guardFor: (host, port) =>
        (known.admits(host, port) && allowed.admits(host, port) ? allowed : more).guardFor(host, port),
    },
    beyond,
  };
}

interface Rule {
  host: string;
  isSuffix: boolean;
  ports: readonly number[];
  shown: string;
}

function parseRule(entry: string): Rule {
  const [, star, name, port] = /^(\*\.)?(\[[0-9a-f:.]+\]|[^\s:/?#@\\[\]*]+)(?::(\d{1,5}))?$/i.exec(entry) ?? [];
  const url = `http://${name ?? ""}`;
  if (name === undefined || !URL.canParse(url) || !isPort(port)) throw unusable(entry);
  const host = hostOf(new URL(url));
  const isSuffix = star !== undefined;
  if (host === "" || (isSuffix && isIP(host) !== 0)) throw unusable(entry);
  const text = isIP(host) === 6 ? `[${host}]` : host;
  return {
    host,
    isSuffix,
    ports: port === undefined ? [80, 443] : [Number(port)],
    shown: `${star ?? ""}${text}${port === undefined ? "" : `:${Number(port)}`}`,
  };
}

function isPort(text: string | undefined): boolean {
  return text === undefined || (Number(text) > 0 && Number(text) < 65_536);
}

function matches({ host, isSuffix }: Rule, asked: string): boolean {
  return isSuffix ? asked.endsWith(`.${host}`) : asked === host;
}

function unusable(entry: string): Error {
  return new Error(
    `"${entry}" names no host: give a name ("example.org"), with a port ("example.org:8080"), all names below one ("*.example.org") or an address ("10.0.0.7:5432").`,
  );
}
