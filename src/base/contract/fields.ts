/** Field schemas that many contracts share, with limits that protect storage and logs. */
import { z } from 'zod';

const notStorable = 'must not contain NUL characters or unpaired surrogates';
const storable = (text: string) => !text.includes('\u0000') && text.isWellFormed();

/** Text that will be stored: no NUL and no half of a surrogate pair, which PostgreSQL cannot hold. */
export const storedText = ({ min = 0, max = 10_000 }: { min?: number; max?: number } = {}) =>
  z.string().min(min).max(max).refine(storable, { error: notStorable });

function holdsStorable(value: unknown): boolean {
  let isStorable = true;
  JSON.stringify(value, (key, each: unknown) => {
    isStorable &&= storable(key) && (typeof each !== 'string' || storable(each));
    return each;
  });
  return isStorable;
}

/** Values that will be stored as JSON: their names and texts as {@link storedText}. */
export const storedValues = ({ maxName = 100 }: { maxName?: number } = {}) =>
  z.record(z.string().max(maxName), z.unknown()).refine(holdsStorable, { error: notStorable });

/** The last time with a four-digit year: programs disagree on how to write later ones. */
export const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/** ISO 8601 time with a time zone. */
export const isoTime = () =>
  z.iso
    .datetime({ offset: true })
    // What is no time at all is told of already.
    .refine((time) => !(Date.parse(time) > lastMoment), { error: 'must lie before the year 10000' });

/**
 * A time in a query string. Many clients send a day, or a time without its offset, which is UTC; a bare `+` arrives as a
 * space.
 * @param side which moment of a day is meant
 */
export const queryTime = (side: 'start' | 'end') =>
  z
    .string()
    .transform((value) => {
      if (/^\d{4}-\d{2}-\d{2}$/.test(value))
        return side === 'start' ? `${value}T00:00:00.000Z` : `${value}T23:59:59.999Z`;
      const local = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?$/.exec(value);
      if (local !== null) return `${local[1]}${local[2] ?? ':00'}Z`;
      return value.replace(/ (?=\d{2}:\d{2}$)/, '+');
    })
    .pipe(isoTime());

/** A whole number in a query string. */
export const queryInteger = ({ min, max, preset }: { min: number; max: number; preset: number }) =>
  z.coerce.number().int().min(min).max(max).default(preset);

/** Query of a list that is paged. */
export const page = {
  limit: queryInteger({ min: 1, max: 500, preset: 100 }),
  offset: queryInteger({ min: 0, max: 1_000_000, preset: 0 }),
};

/** `true` or `false` in a query string. */
export const queryBoolean = (preset: boolean) =>
  z
    .enum(['true', 'false'])
    .default(preset ? 'true' : 'false')
    .transform((value) => value === 'true');

/** A probability or a threshold, from 0 to 1. */
export const unitInterval = () => z.number().min(0).max(1);
