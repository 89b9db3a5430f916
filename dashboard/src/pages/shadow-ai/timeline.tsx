import { useRef, useState, type PointerEvent } from 'react';
import type { DetectionTree } from '../../api/shadow-ai.ts';
import { Button } from '../../parts/button.tsx';
import { cn } from '../../parts/cn.ts';

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const lanes = [
  { name: 'Process', className: 'bg-(--series-1)' },
  { name: 'Network', className: 'bg-(--series-2)' },
  { name: 'File', className: 'bg-(--series-3)' },
  { name: 'DNS', className: 'bg-(--series-4)' },
] as const;

const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });
/** Maximum length of a drag that counts as a click. */
const shortest = 0.01;

/** Events of a session in one lane per kind; dragging over a part zooms into it. */
export function Timeline({
  events,
  span,
  onSpan,
}: {
  events: DetectionTree['events'];
  span: Span | undefined;
  onSpan: (span: Span | undefined) => void;
}) {
  const area = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ from: number; to: number }>();
  const times = events.map(({ timestamp }) => Date.parse(timestamp));
  const first = Math.min(...times);
  const whole = { fromMs: first, toMs: Math.max(...times, first + 1000) };
  const shown = span ?? whole;
  const lengthMs = shown.toMs - shown.fromMs;
  const shareOf = ({ clientX }: PointerEvent): number => {
    const box = area.current?.getBoundingClientRect();
    return box === undefined ? 0 : Math.min(1, Math.max(0, (clientX - box.left) / box.width));
  };
  const end = () => {
    if (drag === undefined) return;
    const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
    setDrag(undefined);
    if (to - from >= shortest)
      onSpan({ fromMs: shown.fromMs + from * lengthMs, toMs: shown.fromMs + to * lengthMs });
  };
  if (events.length === 0) return <p className="text-sm text-ink-soft">There are no events.</p>;
  return (
    <figure>
      <div className="grid grid-cols-[auto_1fr] gap-x-3">
        <div className="grid gap-1">
          {lanes.map(({ name }) => (
            <span key={name} className="flex h-8 items-center text-[13px] text-ink-soft">
              {name}
            </span>
          ))}
        </div>
        <div
          ref={area}
          className="relative grid touch-pan-y cursor-crosshair gap-1 select-none"
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            setDrag({ from: shareOf(event), to: shareOf(event) });
          }}
          onPointerMove={(event) => {
            if (drag !== undefined) setDrag({ ...drag, to: shareOf(event) });
          }}
          onPointerUp={end}
          onPointerCancel={() => setDrag(undefined)}
          aria-hidden
        >
          {lanes.map(({ name, className }) => (
            <div key={name} className="relative h-8 overflow-hidden rounded-md bg-raised">
              {events.map((event, i) => {
                const at = ((times[i] ?? 0) - shown.fromMs) / lengthMs;
                return event.dimension !== name || at < 0 || at > 1 ? null : (
                  <span
                    key={i}
                    title={`${clock.format(new Date(event.timestamp))}: ${event.detail}`}
                    className={cn(
                      'absolute top-1.5 h-5 w-1 -translate-x-1/2 rounded-sm opacity-80',
                      className,
                    )}
                    style={{ left: `${0.5 + at * 99}%` }}
                  />
                );
              })}
            </div>
          ))}
          {drag !== undefined && (
            <div
              className="pointer-events-none absolute inset-y-0 border-x border-accent bg-accent/15"
              style={{
                left: `${Math.min(drag.from, drag.to) * 100}%`,
                width: `${Math.abs(drag.to - drag.from) * 100}%`,
              }}
            />
          )}
        </div>
        <span />
        <div className="mt-1.5 flex justify-between text-xs text-ink-soft tabular-nums">
          <span>{clock.format(new Date(shown.fromMs))}</span>
          <span>{clock.format(new Date(shown.toMs))}</span>
        </div>
      </div>
      {span !== undefined && (
        <Button size="small" className="mt-3" onClick={() => onSpan(undefined)}>
          Show the whole session
        </Button>
      )}
    </figure>
  );
}
