import { AppError, unavailable } from '#base/errors.ts';

/** The SQLSTATE of an error of the database, such as `23505`; undefined for anything else. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Whether a unique constraint was violated; `constraint` narrows it to one constraint or index. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  sqlState(error) === '23505' &&
  (constraint === undefined || (error as { constraint?: unknown }).constraint === constraint);

/** Whether a foreign key was violated: the referenced row is gone. */
export const isForeignKeyViolation = (error: unknown): boolean => sqlState(error) === '23503';

/** Serialization failure or deadlock: the same transaction may succeed on retry. */
export const isRetryable = (error: unknown): boolean => {
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
};

/** SQLSTATEs of a server that is down, stopping, starting or out of connections (PostgreSQL appendix A). */
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
/** Messages of pg and PGlite, which carry no code, about a closed connection. */
const lostMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end|Client was closed|PGlite is clos)/;

/** Whether the error means a lost connection rather than a failed statement. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionLoss);
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return lostMessages.test(error.message);
  return lostCodes.has(code) || lostStates.has(code) || (code.length === 5 && code.startsWith('08'));
}

/** The server cancelled a statement that exceeded its timeout. */
const isCancelled = (error: unknown): boolean => sqlState(error) === '57014';

/** Maps a lost connection or a statement timeout to 503 `unavailable`; other errors are unchanged. */
export function surfaced(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (isConnectionLoss(error))
    return unavailable('The database cannot be reached or has no free connection; try again shortly.', error);
  return isCancelled(error)
    ? unavailable('The database took too long; try again, or ask for less.', error)
    : error;
}
