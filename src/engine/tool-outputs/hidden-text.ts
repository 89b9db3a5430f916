/** What stands in a text where nobody sees it: spelled in hidden characters, or shown in another direction. Pure. */
import { hiddenCharacters } from '../descriptions/views.ts';

/** Nobody writes these by chance, and nobody sees them; those that join letters of scripts and emoji are none of them. */
export const hiddenClass = String.raw`\u{E0000}-\u{E007F}\u{E0100}-\u{E01EF}\u200B\u2060-\u2064\uFEFF\u180E\u202A-\u202E\u2066-\u2069`;
const hidden = new RegExp(`[${hiddenClass}]`, 'u');
const runs = new RegExp(`(?:${hidden.source})+`, 'gu');
/** Shown from right to left. */
const turned = /[\u202E\u2067]([^\u202C\u2069\n]{4,2000})/gu;

/** Whether the text has characters that nobody sees. */
export const hasHidden = (text: string): boolean => hidden.test(text);

/** What the hidden characters say by themselves, and what is shown where the direction is turned. */
export function hiddenTexts(text: string): string[] {
  const shown = [...text.matchAll(turned)].map(([, run = '']) => Array.from(run).toReversed().join(''));
  return [hiddenCharacters(text).spelled, ...shown].filter((each) => each.trim() !== '');
}

/** The text with gaps in the place of hidden characters: what is said only with their help is gone. */
export const withGaps = (text: string): string => text.replaceAll(runs, ' ');
