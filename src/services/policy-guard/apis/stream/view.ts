import { groupVerdictToWire } from '../verdicts/view.ts';
import type { GroupVerdict, Verdict } from '../../judging/verdicts/verdict.ts';
import type { Guard } from '../../guards/guard.ts';
import type { CheckBounds } from './windowed-check.ts';

/** How the text is judged, and whether `pass` carries it. */
export const viewOpen = ({ window, step, holdBack }: CheckBounds, { settings }: Guard) => ({
  window,
  step,
  hold_back: holdBack,
  ...(settings.redact !== null && { redacted: true }),
  ...(settings.mode === 'observe' && { mode: 'observe' }),
});

/** What was flagged, in text up to `offset` of which the part up to `passed` was let through before. */
export const viewFlag = (
  { received, shown }: { received: number; shown: number },
  groups: readonly GroupVerdict[],
) => ({ offset: received, passed: shown, results: groups.map(groupVerdictToWire) });

/** The result of the check; the text may be shown up to `offset`. */
export const viewEnd = ({ flagged, allowedBy, groups }: Verdict, offset: number) => ({
  offset,
  flagged,
  ...(allowedBy !== null && { allowed_by: allowedBy }),
  engine: 'embedded',
  degraded: groups.some(({ isDegraded }) => isDegraded),
});
