import { createHmac, randomBytes } from 'node:crypto';

/** Untrusted text, delimited for use in a prompt. */
export interface Fenced {
  /** 128 unpredictable bits, hexadecimal. */
  readonly mark: string;
  /** Three lines: the opening mark, the value as JSON, the closing mark. */
  readonly block: string;
}

/**
 * Special tokens of chat templates begin with `<` or `[`: `<|im_start|>`, `</s>`, `<start_of_turn>`, `<<SYS>>`,
 * `[INST]`. As an escape of JSON they stay readable and are no tokens. Characters that cannot be seen are escaped
 * as well, so that the model sees them.
 */
const notPlain = /<(?=[^\s\d=])|\[(?=\/?[A-Z_]{2,40}\])|[\p{Cf}\u2028\u2029]/gu;

const unitEscapes = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');

/** The value as one line of JSON without anything that a chat template would interpret; `JSON.parse` restores it. */
export const neutralised = (value: unknown): string =>
  ((JSON.stringify(value) as string | undefined) ?? 'null').replaceAll(notPlain, unitEscapes);

/**
 * Delimits untrusted values in a prompt. The mark is derived from a secret of this process and the value: it
 * is unpredictable, and equal values make equal requests, which can share one answer.
 */
export function createFence(secret: Uint8Array = randomBytes(32)): (value: unknown) => Fenced {
  return (value) => {
    const line = neutralised(value);
    const mark = createHmac('sha256', secret).update(line).digest('hex').slice(0, 32);
    return { mark, block: `<<<DATA ${mark}>>>\n${line}\n<<<END ${mark}>>>` };
  };
}
