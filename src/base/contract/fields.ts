/** Field schemas that many contracts share, with limits that protect storage and logs. */
import { z } from 'zod';

const storable = (text: string) => !text.includes('\u0000') && text.isWellFormed();

/** Text that will be stored: no NUL and no half of a surrogate pair, which PostgreSQL cannot hold. */
export const storedText = ({ min = 0, max = 10_000 }: { min?: number; max?: number } = {}) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine(storable, { error: 'must not contain NUL characters or unpaired surrogates' });

/** The last time with a four-digit year: programs disagree on how to write later ones. */
export const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/** ISO 8601 time with a time zone. */
export const isoTime = () =>
  z.iso
    .datetime({ offset: true })
    .refine((time) => Date.parse(time) <= lastMoment, { error: 'must lie before the year 10000' });

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
