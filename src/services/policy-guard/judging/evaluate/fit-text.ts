import { invalid } from '#base/errors.ts';
import type { GuardSettings } from '../../guards/guard.ts';

/** The index in UTF-16 units where the code point with the number `count` begins; the length where there are fewer. */
function indexOfCodePoint(text: string, count: number): number {
  let index = 0;
  for (let seen = 0; seen < count && index < text.length; seen += 1)
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return index;
}

/**
 * The text as the guard takes it: whole, or its first `maxTextLength` code points. A surrogate pair is never split.
 * @throws AppError 422 when it is longer and `overflow` is `throw`.
 */
export function fitText(
  text: string,
  { maxTextLength, overflow }: Pick<GuardSettings, 'maxTextLength' | 'overflow'>,
): string {
  if (maxTextLength === null || text.length <= maxTextLength) return text;
  const end = indexOfCodePoint(text, maxTextLength);
  if (end >= text.length) return text;
  if (overflow === 'truncate') return text.slice(0, end);
  throw invalid(
    `The text must have at most ${maxTextLength} characters, as the guard's settings.max_text_length says. ` +
      "Shorten it, or set the guard's settings.overflow to truncate.",
  );
}
