import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStopWord } from './stems.ts';
import type { ContextMessage } from './types.ts';

const turnsRead = 4;
const charactersPerTurn = 1500;

/** Turns that a follow-up can refer to; not the operator's instructions. */
export const recentTurns = (messages: readonly ContextMessage[]): string[] =>
  messages
    .filter(({ role }) => role !== 'system')
    .slice(-turnsRead)
    .map(({ content }) => content.slice(-charactersPerTurn));

/** The user's last turn, which a text may go on with. */
export const lastUserTurn = (messages: readonly ContextMessage[]): string | undefined =>
  messages.findLast(({ role }) => role === 'user')?.content.slice(-charactersPerTurn);

interface FollowUpWords {
  pointers: ReadonlySet<string>;
  asks: ReadonlySet<string>;
  generic: ReadonlySet<string>;
  closers: ReadonlySet<string>;
}

let words: FollowUpWords | undefined;

/** `data/lexicons/follow-ups.json` */
function followUpWords(): FollowUpWords {
  if (words !== undefined) return words;
  const path = join(import.meta.dirname, '../../../data/lexicons/follow-ups.json');
  const file = JSON.parse(readFileSync(path, 'utf8')) as Record<keyof FollowUpWords, string>;
  const set = (name: keyof FollowUpWords) => new Set(file[name].split(' '));
  return (words = {
    pointers: set('pointers'),
    asks: set('asks'),
    generic: set('generic'),
    closers: set('closers'),
  });
}

const mostWords = 40;
/** Words with a subject of their own after which a text leans on nothing. */
const ownSubject = 3;

/**
 * How much a text refers to earlier turns, 0..1: 1 for a request without a subject of its own ("and how
 * much of it?", "what are the usual mistakes?"), less with each word that brings one, 0 for thanks, for greetings,
 * for statements and for long texts.
 */
export function leaning(tokens: readonly string[]): number {
  const { pointers, asks, generic, closers } = followUpWords();
  const letters = tokens.filter((word) => /^\p{L}/u.test(word));
  if (letters.length === 0 || letters.length > mostWords || closers.has(letters[0] ?? '')) return 0;
  const isRequest = tokens.some((word) => asks.has(word)) || letters.length <= 3;
  if (!isRequest || letters.some((word) => closers.has(word))) return 0;
  const own = letters.filter(
    (word) => !pointers.has(word) && !generic.has(word) && !isStopWord(word) && !asks.has(word),
  );
  return Math.max(0, 1 - own.length / ownSubject);
}
