import { type Fields, number, oneWay, phrase, say, type Wording } from '../wording/wording.ts';

/** Limits of a number, each with or without the limit itself. */
export interface Bounds {
  readonly over?: number | undefined;
  readonly atleast?: number | undefined;
  readonly under?: number | undefined;
  readonly atmost?: number | undefined;
}

const one = (key: keyof Bounds, words: string) =>
  [(fields: Fields) => fields[key] !== undefined, phrase(say(words), number(key))] as const;

const lower = oneWay(one('over', 'more than'), one('atleast', 'at least'));
const upper = oneWay(one('under', 'less than'), one('atmost', 'at most'));
const hasLower = ({ over, atleast }: Fields) => over !== undefined || atleast !== undefined;
const hasUpper = ({ under, atmost }: Fields) => under !== undefined || atmost !== undefined;

/** "more than 5", "at least 5 and less than 9". */
export const bounds: Wording = oneWay(
  [(fields) => hasLower(fields) && hasUpper(fields), phrase(lower, say('and'), upper)],
  [hasLower, lower],
  [() => true, upper],
);

export const boundFields = {
  over: { type: 'number', optional: true },
  atleast: { type: 'number', optional: true },
  under: { type: 'number', optional: true },
  atmost: { type: 'number', optional: true },
} as const;

export function refuseBounds({ over, atleast, under, atmost }: Bounds): string | undefined {
  if ([over, atleast, under, atmost].every((bound) => bound === undefined))
    return "one of 'over', 'atleast', 'under' and 'atmost' must give the limit";
  if (over !== undefined && atleast !== undefined) return "'over' and 'atleast' must not stand together";
  return under !== undefined && atmost !== undefined
    ? "'under' and 'atmost' must not stand together"
    : undefined;
}

/** Whether the value keeps to all that is said. */
export const isWithinBounds = (value: number, { over, atleast, under, atmost }: Bounds): boolean =>
  (over === undefined || value > over) &&
  (atleast === undefined || value >= atleast) &&
  (under === undefined || value < under) &&
  (atmost === undefined || value <= atmost);
