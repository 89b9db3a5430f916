import type { Result } from '../../api/video.ts';
import { Panel } from '../../parts/page.tsx';
import { atTime, categoryName } from './names.ts';

/** Flagged frames, blurred until asked for. */
export function Thumbnails({
  frames,
  clear,
  onSeek,
}: {
  frames: Result['frames'];
  clear: boolean;
  onSeek: (seconds: number) => void;
}) {
  const shown = frames.filter(({ thumbnail }) => thumbnail !== undefined);
  if (shown.length === 0) return null;
  return (
    <Panel title="Flagged frames" note={clear ? undefined : 'Blurred. “Show pictures clearly” shows them.'}>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-3">
        {shown.map(({ timestamp_seconds: at, thumbnail, categories }) => (
          <li key={at}>
            <button type="button" className="block w-full text-left" onClick={() => onSeek(at)}>
              <span className="block overflow-hidden rounded-lg">
                <img
                  src={thumbnail}
                  alt={`Frame at ${at.toFixed(1)} s`}
                  className={`aspect-video w-full object-fill ${clear ? '' : 'blur-xl'}`}
                />
              </span>
              <span className="mt-1 block text-[13px] tabular-nums">{atTime(at)}</span>
              <span className="block text-[13px] text-ink-soft">
                {Object.entries(categories)
                  .filter(([, flagged]) => flagged)
                  .map(([category]) => categoryName(category))
                  .join('; ')}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
