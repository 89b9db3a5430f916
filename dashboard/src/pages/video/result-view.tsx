import { useMemo, useRef, useState } from 'react';
import type { Result } from '../../api/video.ts';
import { Badge } from '../../parts/badge.tsx';
import { Switch } from '../../parts/field.tsx';
import { Panel } from '../../parts/page.tsx';
import { ProbabilityBar } from '../../parts/probability-bar.tsx';
import { atTime, categoryName, coverageWords } from './names.ts';
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
          // A local file: no captions are known.
          <video
            ref={player}
            src={source}
            controls
            muted
            className={`mb-4 max-h-80 w-full rounded-lg bg-black ${clear || !result.flag ? '' : 'blur-xl'}`}
            aria-label="The video"
            onTimeUpdate={({ currentTarget }) => setSeconds(currentTarget.currentTime)}
          />
        )}
        <Timeline result={result} seconds={seconds} onSeek={seek} />
      </Panel>
      <Thumbnails frames={result.frames} clear={clear} onSeek={seek} />
      <div className="grid gap-5 lg:grid-cols-2">
        <Panel title="Categories" note="A probability of 0 says nothing where a category was not looked for.">
          <ul className="grid gap-4">
            {Object.entries(result.coverage).map(([category, level]) => (
              <li key={category}>
                <ProbabilityBar
                  name={categoryName(category)}
                  probability={result.summary.probs[category] ?? 0}
                  threshold={0.5}
                  flagged={result.summary.categories[category] === true}
                />
                <p className="mt-1 text-[13px] text-ink-soft">
                  Looked for {level === 'none' ? 'by nothing' : coverageWords[level]}
                  {(result.covered_by[category] ?? [])
                    .map(({ detector, note }) => ` · ${detector}${note === undefined ? '' : `: ${note}`}`)
                    .join('')}
                </p>
              </li>
            ))}
          </ul>
        </Panel>
        <div className="grid content-start gap-5">
          <Panel title="What was seen">
            {result.findings.length === 0 ? (
              <p className="text-sm text-ink-soft">The detectors that ran have seen nothing.</p>
            ) : (
              <ul className="grid gap-3 text-sm">
                {result.findings.slice(0, 30).map((finding) => (
                  <li
                    key={`${finding.category}-${finding.detector}-${finding.start_seconds}-${finding.explanation}`}
                  >
                    <button
                      type="button"
                      className="text-left hover:underline"
                      onClick={() => seek(finding.start_seconds)}
                    >
                      <span className="font-medium">{categoryName(finding.category)}</span>{' '}
                      <span className="text-ink-soft tabular-nums">
                        {finding.probability.toFixed(2)} at {atTime(finding.start_seconds)}
                      </span>
                    </button>
                    <p className="text-[13px] break-words text-ink-soft">{finding.explanation}</p>
                  </li>
                ))}
              </ul>
            )}
          </Panel>
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
