/** How reasons name a call that was counted before. Pure. */
import type { EarlierCall } from './judged-call.ts';

/** To the second, in UTC: what people look up in a log. */
const saidTime = (at: Date) => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** `the call 0192… of 2026-11-02 10:15:00 UTC`. */
export const sayEarlier = ({ id, at }: EarlierCall): string =>
  `the call ${id === undefined ? '' : `${id} `}of ${saidTime(at)}`;
