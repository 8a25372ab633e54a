/**
 * The model's own tokenizer. A token is up to eight letters or digits, or up to three other characters, each after an
 * optional space; or a single white space character. The joined tokens are the text.
 */
export function tokenize(text: string): string[] {
  return text.match(token) ?? [];
}

const token = / ?(?:[\p{L}\p{N}\p{M}_]{1,8}|[^\s\p{L}\p{N}\p{M}_]{1,3})|\s/gu;
