import { redactionMark } from "./redaction-mark.ts";

/** Replaces keys and tokens that have a known prefix. */
export function redactTokens(text: string): string {
  return text.replace(token, redactionMark).replace(wordy, (found) => (isRandom(found) ? redactionMark : found));
}

/** Every repetition before a required part has an upper bound, so that near misses do not cost more time. */
const shapes = [
  // Google
  /AIza[\w-]{35}/,
  /ya29\.[\w-]{20,}/,
  /GOCSPX-[\w-]{28}/,
  // AWS
  /(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}/,
  // GitHub, GitLab, Bitbucket and Atlassian
  /gh[pousr]_[A-Za-z0-9]{36,}/,
  /github_pat_\w{22,}/,
  /gl(?:pat|dt|rt|rtr|ptt|cbt|soat|imt|ft|agent|oas|ffct)-[\w.-]{20,}/,
  /ATATT3[\w=-]{50,}/,
  /ATBB[A-Za-z0-9]{32}/,
  // Slack, Discord, Telegram
  /xox[abceoprs]-[A-Za-z0-9-]{10,}/,
  /xapp-\d-[A-Za-z0-9-]{10,}/,
  /(?<=hooks\.slack\.com\/(?:services|workflows)\/)[\w/]{20,}/,
  /(?<=discord(?:app)?\.com\/api\/webhooks\/\d{15,20}\/)[\w-]{30,}/,
  /[MNO][A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,}/,
  /\d{6,12}:AA[\w-]{33}/,
  // Stripe, Square, Shopify
  /[sr]k_(?:live|test)_[A-Za-z0-9]{10,}/,
  /whsec_[A-Za-z0-9+/=]{24,}/,
  /sq0(?:atp|csp)-[\w-]{22,}/,
  /shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/,
  // Models
  /sk-(?:ant|or|proj|svcacct|admin|lf)-[\w-]{20,}/,
  /sk-[A-Za-z0-9]{20,}(?:-[\w-]{20,})?/,
  /hf_[A-Za-z0-9]{30,}/,
  /gsk_[A-Za-z0-9]{40,}/,
  /xai-[A-Za-z0-9]{20,}/,
  /pplx-[A-Za-z0-9]{40,}/,
  /r8_[A-Za-z0-9]{37}/,
  /nvapi-[\w-]{60,}/,
  /lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}/,
  /tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,}/,
  // Registries of packages and images
  /npm_[A-Za-z0-9]{36}/,
  /pypi-AgEIcHlwaS5vcmc[\w-]{50,}/,
  /rubygems_[0-9a-f]{48}/,
  /dckr_(?:pat|oat)_[\w-]{20,}/,
  // Mail and telephone
  /SG\.[\w-]{16,32}\.[\w-]{16,64}/,
  /SK[0-9a-f]{32}/,
  /key-[0-9a-f]{32}/,
  /[0-9a-f]{32}-us\d{1,2}/,
  // Clouds and tools
  /do[opr]_v1_[0-9a-f]{64}/,
  /dapi[0-9a-f]{32}(?:-\d)?/,
  /dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}/,
  /[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}/,
  /hv[sbr]\.[\w-]{24,}/,
  /pscale_(?:tkn|pw|oauth)_[\w.=-]{32,}/,
  /lin_(?:api|oauth)_[A-Za-z0-9]{32,}/,
  /(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,})/,
  /glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}/,
  /sntr[yu]s_[\w=+/-]{20,}/,
  /NRAK-[A-Z0-9]{27}/,
  /figd_[\w-]{30,}/,
  /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/,
  /sb(?:_secret_[\w-]{20,}|p_[0-9a-f]{40})/,
  /AGE-SECRET-KEY-1[0-9A-Z]{58}/,
];

/**
 * A token starts after a character that is no letter or digit, or after an escape of JSON, a URL or a terminal, or
 * `/bot`.
 */
const start = "(?:(?<![A-Za-z0-9])|(?<=\\\\(?:[nrtbf]|u[0-9a-fA-F]{4})|%[0-9a-fA-F]{2}|\\[[\\d;]{0,12}m|/bot))";

/** A token starts and ends at the border of a word. No character of its own alphabet may precede a JSON Web Token. */
const token = new RegExp(
  `${start}(?:${shapes.map(({ source }) => source).join("|")})(?![A-Za-z0-9])|(?<![\\w-])eyJ[\\w-]{8,}(?:\\.[\\w-]*){2,4}`,
  "g",
);

/** Text that starts like a token but may also be an ordinary name: it is a token if a part of it looks random. */
const wordy = /(?<![A-Za-z0-9-])(?:sk|BSA)[\w-]{24,}|(?<=\b[Bb]earer[ \t]{1,4})[\w.~+/-]{16,}={0,2}/g;

function isRandom(text: string): boolean {
  return text.split(/[-_.~+/]/).some((part) => part.length >= 12 && /\d/.test(part) && /[A-Za-z]/.test(part));
}
