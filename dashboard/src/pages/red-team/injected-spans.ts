/** Where an injected text stands in another, and where canaries do. */
import type { Mark } from '../../parts/marked-text.tsx';

interface Bare {
  /** Letters and digits alone, in lower case. */
  readonly text: string;
  /** The place of each in the text that it was taken from. */
  readonly places: readonly number[];
}

/** Outputs are JSON: quoting, escapes and line breaks on the way do not matter. */
function bareOf(text: string): Bare {
  let bare = '';
  const places: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '\\' && /[nrt"]/.test(text.charAt(i + 1))) {
      i++;
      continue;
    }
    for (const each of char.normalize('NFKC').toLowerCase())
      if (/[\p{L}\p{N}]/u.test(each)) {
        bare += each;
        for (let unit = 0; unit < each.length; unit++) places.push(i);
      }
  }
  return { text: bare, places };
}

/** All places of the injected text. */
export function injectedMarks(text: string, injected: string): Mark[] {
  const wanted = bareOf(injected).text;
  const { text: bare, places } = bareOf(text);
  if (wanted === '') return [];
  const marks: Mark[] = [];
  for (let at = bare.indexOf(wanted); at >= 0; at = bare.indexOf(wanted, at + wanted.length)) {
    const start = places[at];
    const last = places[at + wanted.length - 1];
    if (start !== undefined && last !== undefined)
      marks.push({ start, end: last + 1, title: 'Injected text' });
  }
  return marks;
}

/** All places of texts by which an attack is recognised, in any case. */
export function canaryMarks(text: string, canaries: readonly string[]): Mark[] {
  const lower = text.toLowerCase();
  return canaries.flatMap((canary) => {
    const wanted = canary.toLowerCase();
    const marks: Mark[] = [];
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length))
      marks.push({ start: at, end: at + wanted.length, title: 'Canary: what the judge looks for' });
    return marks;
  });
}
