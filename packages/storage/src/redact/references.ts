/** Whether a text refers to a secret, such as `$TOKEN`, or is a placeholder for one, such as `your-key`. */
export function isReference(text: string): boolean {
  return reference.test(text);
}

const reference =
  /^(?:\$(?:[A-Za-z_{(].*|.)?|\{.*\}|<.*>|%\w+%|\[.*\]|[*x.•…-]+|(?:process|import|os|env|config|settings|self|this|vars|secrets)(?:[.[(].*)?|your\b.*|my\s.*|my-(?:api-)?(?:key|token|secret|password)|example.*|changeme|change-me|placeholder|todo|none|null|nil|undefined|true|false|string|str|text|boolean|number|required|optional|unknown|empty|hidden|redacted|env(?:ironment)?)$/is;
