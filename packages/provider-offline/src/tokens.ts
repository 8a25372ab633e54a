/**
 * The model's own tokenizer: a space with up to eight letters or digits, or with up to three other characters, or a
 * single white space. The pieces joined are the text.
 */
export function tokenize(text: string): string[] {
  return text.match(token) ?? [];
}

const token = / ?(?:[\p{L}\p{N}\p{M}_]{1,8}|[^\s\p{L}\p{N}\p{M}_]{1,3})|\s/gu;
