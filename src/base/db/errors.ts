import { AppError, unavailable } from '#base/errors.ts';

/** The SQLSTATE of an error of the database, such as `23505`; undefined for anything else. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Whether a row was refused because another has the same key; `constraint` narrows it to one constraint or index. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  sqlState(error) === '23505' &&
  (constraint === undefined || (error as { constraint?: unknown }).constraint === constraint);

/** Whether a row was refused because the row that it points to is gone. */
export const isForeignKeyViolation = (error: unknown): boolean => sqlState(error) === '23503';

/** Serialization failure and deadlock: the same transaction may succeed when it is run again. */
export const isRetryable = (error: unknown): boolean => {
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
};

/** SQLSTATEs of a server that is gone, going, starting or full (PostgreSQL appendix A). */
const lostStates = new Set(['57P01', '57P02', '57P03', '53300', '25P03', '57P05']);
const lostCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOENT',
]);
/** What pg and PGlite say, without a code, about a connection that has ended. */
const lostMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end|Client was closed|PGlite is clos)/;

/** Whether the error tells of a lost connection and not of the statement. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionLoss);
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return lostMessages.test(error.message);
  return lostCodes.has(code) || lostStates.has(code) || (code.length === 5 && code.startsWith('08'));
}

/** The server ended a statement that took too long. */
const isCancelled = (error: unknown): boolean => sqlState(error) === '57014';

/** An error as it leaves this room: a lost connection or too slow a statement as 503 `unavailable`, else as it is. */
export function surfaced(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (isConnectionLoss(error))
    return unavailable('The database cannot be reached or has no free connection; try again shortly.', error);
  return isCancelled(error)
    ? unavailable('The database took too long; try again, or ask for less.', error)
    : error;
}
