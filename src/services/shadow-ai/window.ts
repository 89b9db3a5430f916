import type { Clock } from '#base/clock.ts';
import { lastMoment } from '#base/contract/fields.ts';
import { invalid } from '#base/errors.ts';

const dayMs = 86_400_000;

/** No entry is older, and PostgreSQL knows no year 0. */
const moment = (ms: number) => new Date(Math.min(lastMoment, Math.max(0, ms)));

/**
 * What a query asks for; the last 24 hours unless it says otherwise.
 * @param names of the two fields, for the message
 * @throws AppError 422 where it ends before it begins
 */
export function windowOf(
  clock: Clock,
  start: string | undefined,
  end: string | undefined,
  names: readonly [string, string],
): { from: Date; to: Date } {
  const to = moment(end === undefined ? clock.now() : Date.parse(end));
  const from = moment(start === undefined ? to.getTime() - dayMs : Date.parse(start));
  if (from > to)
    throw invalid(
      end === undefined
        ? `'${names[0]}' lies in the future.`
        : `'${names[0]}' lies after '${names[1]}'; swap them.`,
    );
  return { from, to };
}
