import { useMemo, useRef, useState } from 'react';
import type { Result } from '../../api/video.ts';
import { Badge } from '../../parts/badge.tsx';
import { Switch } from '../../parts/field.tsx';
import { Panel } from '../../parts/page.tsx';
import { CategoryList } from './category-list.tsx';
import { Findings } from './findings.tsx';
import { categoryName } from './names.ts';
import { Thumbnails } from './thumbnails.tsx';
import { Timeline } from './timeline.tsx';

/** What was found in a video, where, and what could not be looked for. */
export function ResultView({ result, source }: { result: Result; source: string | undefined }) {
  const player = useRef<HTMLVideoElement>(null);
  const [seconds, setSeconds] = useState(0);
  const [clear, setClear] = useState(false);
  const seek = (to: number) => {
    setSeconds(to);
    if (player.current !== null) player.current.currentTime = to;
  };
  const flagged = useMemo(
    () => Object.entries(result.summary.categories).filter(([, each]) => each),
    [result],
  );
  return (
    <div className="grid gap-5">
      <Panel
        title={
          <span className="flex flex-wrap items-center gap-2">
            {result.flag ? <Badge tone="flag">Flagged</Badge> : <Badge tone="good">Nothing flagged</Badge>}
            {flagged.map(([category]) => (
              <Badge key={category} tone="flag">
                {categoryName(category)}
              </Badge>
            ))}
          </span>
        }
        note={`${result.duration_seconds.toFixed(1)} s · ${result.media.width} × ${result.media.height} · ${result.media.codec} · ${result.frames.length} frames and ${result.clips.length} clips judged in ${(result.latency_ms / 1000).toFixed(1)} s`}
        actions={<Switch label="Show pictures clearly" checked={clear} onChange={setClear} />}
      >
        {source !== undefined && (
          <div className="mb-4 overflow-hidden rounded-lg">
            <video
              ref={player}
              src={source}
              controls
              muted
              className={`max-h-80 w-full bg-black ${clear || !result.flag ? '' : 'blur-xl'}`}
              aria-label="The video"
              onTimeUpdate={({ currentTarget }) => setSeconds(currentTarget.currentTime)}
            />
          </div>
        )}
        <Timeline result={result} seconds={seconds} onSeek={seek} />
      </Panel>
      <Thumbnails frames={result.frames} clear={clear} onSeek={seek} />
      <div className="grid gap-5 lg:grid-cols-2">
        <CategoryList result={result} />
        <div className="grid content-start gap-5">
          <Findings findings={result.findings} onSeek={seek} />
          {result.notes.length > 0 && (
            <Panel title="Not looked at">
              <ul className="grid gap-2 text-sm">
                {result.notes.map(({ code, message }) => (
                  <li key={`${code}-${message}`}>{message}</li>
                ))}
              </ul>
            </Panel>
          )}
        </div>
      </div>
    </div>
  );
}
