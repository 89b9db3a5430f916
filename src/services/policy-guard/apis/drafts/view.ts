import { toIsoTime } from '#base/clock.ts';
import { threeDecimals } from '#base/three-decimals.ts';
import type { z } from 'zod';
import type { Answer, Checked } from '#base/contract/operation.ts';
import type { draftOperations, ReplayResult } from '../../contract/drafts.ts';
import { timeOfId } from '../../observing/queries/query.ts';
import type { SentDraft } from './draft.ts';
import type { JudgedDraft } from './judge-draft.ts';
import type { Replayed } from './replay.ts';

type Operations = typeof draftOperations;

const shownCharacters = 500;

export const draftFromWire = (sent: Checked<Operations['replayDraft']>['body']['policy']): SentDraft => ({
  id: sent._id,
  name: sent.name,
  description: sent.description,
  blockActivities: sent.block_activities,
  safeActivities: sent.safe_activities,
  enabled: sent.enabled,
});

export const judgedDraftToWire = ({
  sensitivity,
  results,
  suggestions,
}: JudgedDraft): Answer<Operations['judgeDraft']> => ({
  threshold: sensitivity.threshold,
  strictness_level: sensitivity.strictnessLevel,
  results: results.map((result) => ({ ...result })),
  suggestions: suggestions.map(({ list, activity, fixes, breaks }) => ({
    list: list === 'blockActivities' ? 'block_activities' : 'safe_activities',
    activity,
    fixes: [...fixes],
    breaks: [...breaks],
  })),
});

export const replayToWire = (replayed: Replayed): z.output<typeof ReplayResult> => ({
  texts: replayed.texts,
  is_complete: replayed.isComplete,
  scope: replayed.scope,
  flagged_before: replayed.flaggedBefore,
  flagged_after: replayed.flaggedAfter,
  now_flagged: replayed.nowFlagged,
  now_passing: replayed.nowPassing,
  changes: replayed.changes.map(({ query, nowFlagged, before, after }) => ({
    query_id: query.queryId,
    timestamp: toIsoTime(timeOfId(query.queryId)),
    text: (query.text ?? '').slice(0, shownCharacters).toWellFormed(),
    now_flagged: nowFlagged,
    probability_before: threeDecimals(before),
    probability_after: threeDecimals(after),
  })),
});
