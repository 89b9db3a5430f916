import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { replayDraft, type Replayed, type ReplayState } from '../../api/policy-drafts.ts';
import type { PolicyDraft, PolicyGroup, TestCase } from '../../api/policy-guard.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { count } from '../../parts/numbers.ts';
import { Failure } from '../../parts/states.tsx';

/** What the draft would change in the texts of the last week, before it is saved. */
export function Replay({
  group,
  draft,
  onCase,
}: {
  group: PolicyGroup;
  draft: PolicyDraft;
  onCase: (added: TestCase) => void;
}) {
  const [state, setState] = useState<ReplayState>();
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);
  const replay = useMutation({
    mutationFn: (policy: PolicyDraft) => {
      setState(undefined);
      stopping.current = new AbortController();
      const { signal } = stopping.current;
      return replayDraft(group.group_uuid, policy, { onProgress: setState, signal });
    },
  });
  return (
    <section aria-label="Last week" className="border-t border-line pt-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h3 className="font-semibold tracking-tight">Last week</h3>
          <p className="mt-0.5 text-[13px] text-ink-soft">
            What would change in the texts that your guards have judged and kept.
          </p>
        </div>
        <Button
          size="small"
          busy={replay.isPending}
          disabled={draft.name.trim() === ''}
          onClick={() => replay.mutate(draft)}
        >
          Replay it
        </Button>
      </div>
      <div className="mt-3" aria-live="polite">
        {replay.isPending && (
          <progress
            aria-label="Replay"
            className="h-2 w-full accent-(--accent)"
            {...(state !== undefined && { value: state.done, max: state.total })}
          />
        )}
        {replay.isError && <Failure error={replay.error} />}
        {replay.data !== undefined && !replay.isPending && <Outcome replayed={replay.data} onCase={onCase} />}
      </div>
    </section>
  );
}

function Outcome({ replayed, onCase }: { replayed: Replayed; onCase: (added: TestCase) => void }) {
  if (replayed.texts === 0)
    return (
      <p className="text-sm text-ink-soft">
        No text of the last week was kept. Guards keep them once “Log requests” is on in their settings.
      </p>
    );
  const { texts, scope, now_flagged: flagged, now_passing: passing } = replayed;
  const whose = scope === 'group' ? 'that guards judged by this group' : 'of all your guards';
  return (
    <>
      <p className="text-sm">
        {replayed.is_complete ? '' : 'The newest '}
        <span className="tabular-nums">{count(texts)}</span> {texts === 1 ? 'text' : 'different texts'}{' '}
        {whose}:{' '}
        {flagged + passing === 0 ? (
          'nothing would change.'
        ) : (
          <>
            <strong className="tabular-nums">{count(flagged)}</strong> would be flagged that pass now,{' '}
            <strong className="tabular-nums">{count(passing)}</strong> would pass that are flagged now.
          </>
        )}{' '}
        <span className="text-ink-soft">
          Flagged in all: {count(replayed.flagged_before)} before, {count(replayed.flagged_after)} after.
        </span>
      </p>
      {replayed.changes.length > 0 && (
        <ul className="mt-3 divide-y divide-line">
          {replayed.changes.map((change) => (
            <li key={change.query_id} className="grid gap-1.5 py-2 text-sm">
              <span className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-3">
                <span className="line-clamp-2 break-words" title={change.text}>
                  {change.text}
                </span>
                <Badge tone={change.now_flagged ? 'flag' : 'good'}>
                  {change.now_flagged ? 'would be flagged' : 'would pass'}
                </Badge>
              </span>
              <span className="flex flex-wrap gap-2">
                <Button
                  size="small"
                  kind="quiet"
                  onClick={() => onCase({ text: change.text.trim(), violates: true })}
                  aria-label={`Test case, must be found: ${change.text.slice(0, 60)}`}
                >
                  Must be found
                </Button>
                <Button
                  size="small"
                  kind="quiet"
                  onClick={() => onCase({ text: change.text.trim(), violates: false })}
                  aria-label={`Test case, must pass: ${change.text.slice(0, 60)}`}
                >
                  Must pass
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
