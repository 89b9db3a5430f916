import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { followSession, video, videoKey, type LiveEvent, type LiveSession } from '../../api/video.ts';
import { Badge } from '../../parts/badge.tsx';
import { Folded } from '../../parts/folded.tsx';
import { Panel } from '../../parts/page.tsx';
import { ProbabilityBar } from '../../parts/probability-bar.tsx';
import { Failure } from '../../parts/states.tsx';
import { atTime, categoryName, coverageWords } from './names.ts';
import { thresholdOf, useDeployment } from './use-deployments.ts';

const mostShown = 60;
const refreshMs = 3000;

interface Followed {
  readonly shown: readonly LiveEvent[];
  readonly frames: number;
  readonly latest: LiveEvent | undefined;
  readonly summary: LiveEvent | undefined;
  readonly worst: Readonly<Record<string, number>>;
  readonly flagged: ReadonlySet<string>;
}

const nothing: Followed = {
  shown: [],
  frames: 0,
  latest: undefined,
  summary: undefined,
  worst: {},
  flagged: new Set(),
};

/** Frames without a flag only move the figures; everything else is listed. */
function withEvent(before: Followed, event: LiveEvent): Followed {
  const isListed = event.type !== 'frame' || event.flag;
  const worst = { ...before.worst };
  for (const [id, value] of Object.entries(event.probs)) worst[id] = Math.max(worst[id] ?? 0, value);
  const flagged = Object.entries(event.categories).filter(([, is]) => is);
  return {
    shown: isListed ? [event, ...before.shown].slice(0, mostShown) : before.shown,
    frames: before.frames + (event.type === 'frame' ? 1 : 0),
    latest: event,
    summary: event.type === 'summary' ? event : before.summary,
    worst,
    flagged:
      flagged.length === 0 ? before.flagged : new Set([...before.flagged, ...flagged.map(([id]) => id)]),
  };
}

/** The events of one session as they come, and what is looked for in it. */
export function LiveView({ streamId }: { streamId: string }) {
  const [followed, setFollowed] = useState(nothing);
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    const stopping = new AbortController();
    followSession(
      streamId,
      (event) => setFollowed((before) => withEvent(before, event)),
      stopping.signal,
    ).catch(setFailure);
    return () => stopping.abort();
  }, [streamId]);
  const session = useQuery({
    queryKey: [...videoKey, 'session', streamId],
    queryFn: () => video.getStream({ params: { stream_id: streamId } }),
    refetchInterval: followed.summary === undefined ? refreshMs : false,
  });
  return (
    <div className="grid gap-5 lg:grid-cols-2">
      <Panel
        title={<State followed={followed} ingestState={session.data?.ingest_state ?? 'live'} />}
        note={figures(followed, session.data?.frames_dropped ?? 0)}
      >
        {failure !== undefined && <Failure error={failure} />}
        <Folded heightPx={384}>
          <ol className="grid gap-2 text-sm" aria-label="Events" aria-live="polite">
            {followed.shown.map((event) => (
              <EventLine key={event.seq} event={event} />
            ))}
            {followed.shown.length === 0 && <li className="text-ink-soft">Waiting for the first clip.</li>}
          </ol>
        </Folded>
      </Panel>
      <Categories followed={followed} session={session.data} />
    </div>
  );
}

function figures({ frames, latest }: Followed, dropped: number): string {
  const at = atTime(latest?.timestamp_seconds ?? 0);
  const latency = (latest?.latency_ms ?? 0).toFixed(0);
  return `${frames} frames · at ${at} · ${dropped} dropped · the last event came ${latency} ms after its picture`;
}

function State({ followed: { summary, flagged }, ingestState }: { followed: Followed; ingestState: string }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      {summary === undefined ? (
        <Badge tone="good">{ingestState}</Badge>
      ) : (
        <Badge tone="plain">{(summary.reason ?? 'ended').replaceAll('_', ' ')}</Badge>
      )}
      {flagged.size > 0 ? <Badge tone="flag">Flagged</Badge> : <Badge tone="plain">Nothing flagged</Badge>}
    </span>
  );
}

function Categories({
  followed: { worst, flagged, summary },
  session,
}: {
  followed: Followed;
  session: LiveSession | undefined;
}) {
  const deployment = useDeployment(session?.deployment_id);
  const looked = Object.entries(summary?.coverage ?? session?.coverage ?? {});
  return (
    <Panel title="Categories" note="A probability of 0 says nothing where a category was not looked for.">
      {looked.length === 0 && <p className="text-sm text-ink-soft">Nothing has been looked at yet.</p>}
      <ul className="grid gap-4">
        {looked.map(([category, level]) => (
          <li key={category}>
            <ProbabilityBar
              name={categoryName(category)}
              probability={worst[category] ?? 0}
              threshold={thresholdOf(deployment, category)}
              flagged={flagged.has(category)}
            />
            <p className="mt-1 text-[13px] text-ink-soft">
              Looked for {level === 'none' ? 'by nothing' : coverageWords[level]}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function EventLine({ event }: { event: LiveEvent }) {
  const flagged = Object.entries(event.categories).filter(([, is]) => is);
  return (
    <li className="break-words">
      <span className="tabular-nums text-ink-soft">{atTime(event.timestamp_seconds)}</span> {event.type}{' '}
      {flagged.map(([id]) => (
        <Badge key={id} tone="flag">
          {categoryName(id)} {(event.probs[id] ?? 0).toFixed(2)}
        </Badge>
      ))}
      {event.message !== undefined && <span> {event.message}</span>}
      {event.type === 'clip' && flagged.length === 0 && (
        <span className="text-ink-soft">nothing flagged</span>
      )}
    </li>
  );
}
