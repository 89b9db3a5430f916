import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { video, videoKey, type LiveSession } from '../../api/video.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Ago } from '../../parts/time.tsx';
import { LiveView } from './live-view.tsx';
import { NewSession } from './new-session.tsx';

const sessionsKey = [...videoKey, 'sessions'] as const;
const refreshMs = 3000;

const tones = { running: 'good', stopped: 'plain', ended: 'plain', failed: 'flag' } as const;

/** Live sessions: start one, watch its events as they come, stop it. */
export function LiveTab() {
  const queries = useQueryClient();
  const [watchedId, setWatchedId] = useState<string>();
  const sessions = useQuery({
    queryKey: sessionsKey,
    queryFn: () => video.listStreams({ query: { limit: 20 } }),
    refetchInterval: refreshMs,
  });
  const stop = useMutation({
    mutationFn: (streamId: string) => video.deleteStream({ params: { stream_id: streamId } }),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsKey }),
  });
  return (
    <div className="grid gap-5">
      <NewSession
        onCreated={(streamId) => {
          setWatchedId(streamId);
          void queries.invalidateQueries({ queryKey: sessionsKey });
        }}
      />
      {watchedId !== undefined && <LiveView key={watchedId} streamId={watchedId} />}
      <Panel title="Sessions" note="The newest twenty of your tenant.">
        <QueryView query={sessions}>
          {({ streams }) =>
            streams.length === 0 ? (
              <p className="text-sm text-ink-soft">None yet.</p>
            ) : (
              <ul className="grid gap-3 text-sm">
                {streams.map((each) => (
                  <Session
                    key={each.stream_id}
                    session={each}
                    onWatch={() => setWatchedId(each.stream_id)}
                    onStop={() => stop.mutate(each.stream_id)}
                  />
                ))}
              </ul>
            )
          }
        </QueryView>
      </Panel>
    </div>
  );
}

function Session({
  session,
  onWatch,
  onStop,
}: {
  session: LiveSession;
  onWatch: () => void;
  onStop: () => void;
}) {
  const { stream_id: id, status, transport, source_url: source, ingest_state: state } = session;
  return (
    <li className="flex flex-wrap items-center justify-between gap-2">
      <span className="min-w-0 break-all">
        <Badge tone={tones[status]}>{status === 'running' ? state : status}</Badge>{' '}
        <span className="font-medium">{transport}</span> {source ?? id}{' '}
        <span className="text-ink-soft">
          {session.frames_analyzed} frames, {session.frames_dropped} dropped · <Ago at={session.created_at} />
        </span>
        {session.error !== null && <span className="block text-ink-soft">{session.error}</span>}
      </span>
      <span className="flex gap-2">
        <Button size="small" onClick={onWatch} aria-label={`Watch ${id}`}>
          Watch
        </Button>
        {status === 'running' && (
          <Button size="small" onClick={onStop} aria-label={`Stop ${id}`}>
            Stop
          </Button>
        )}
      </span>
    </li>
  );
}
