import { groupVerdictToWire } from '../evaluate/view.ts';
import type { GroupVerdict } from '../evaluate/verdict.ts';

/** What was flagged, in text up to `offset` of which the part up to `passed` was let through before. */
export const viewFlag = (
  { received, passed }: { received: number; passed: number },
  groups: readonly GroupVerdict[],
) => ({ offset: received, passed, results: groups.map(groupVerdictToWire) });
