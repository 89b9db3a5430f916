import { useState, type PointerEvent } from 'react';
import { cn } from './cn.ts';

/** One part of every bar. */
export interface Series {
  readonly name: string;
  /** CSS class with the colour. */
  readonly className: string;
}

export interface Bar {
  readonly key: string;
  /** Full name, such as the date and hour. */
  readonly title: string;
  /** Label below the bar, if any. */
  readonly tick?: string | undefined;
  /** One value per series, from the bottom up; null if unknown. */
  readonly values: readonly (number | null)[];
}

interface Chart {
  /** Name of the table of values for screen readers. */
  readonly label: string;
  /** The unit of a bar, such as “Hour”. */
  readonly per: string;
  readonly bars: readonly Bar[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** Of the SVG. */
  readonly height?: string;
}

const sumOf = ({ values }: Bar) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

/** The end of the axis: the smallest round number that no bar exceeds. */
function roundedUp(most: number): number {
  if (most <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(most));
  return unit * ([1, 2, 4, 6, 8, 10].find((step) => step * unit >= most) ?? 10);
}

/** A stacked bar chart, drawn by hand, so that the first page needs no chart library. */
export function BarChart({ label, per, bars, series, format, height = 'h-44' }: Chart) {
  const [pointed, setPointed] = useState<number>();
  const top = roundedUp(Math.max(...bars.map(sumOf), 0));
  const lines = top === 1 ? [1, 0] : [top, top / 2, 0];
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(Math.min(bars.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * bars.length))));
  };
  const shown = pointed === undefined ? undefined : bars[pointed];
  return (
    <figure className="relative">
      <div className="flex gap-3" aria-hidden>
        <div
          className={cn(
            'flex flex-col justify-between text-right text-xs whitespace-nowrap text-ink-soft tabular-nums',
            height,
          )}
        >
          {lines.map((line) => (
            <span key={line} className="-my-2 leading-4">
              {format(line)}
            </span>
          ))}
        </div>
        <div className="min-w-0 flex-1">
          <div
            className={cn('relative', height)}
            onPointerMove={point}
            onPointerLeave={() => setPointed(undefined)}
          >
            <div className="absolute inset-0 flex flex-col justify-between">
              {lines.map((line) => (
                <div key={line} className={cn('h-px', line === 0 ? 'bg-line-strong' : 'bg-line')} />
              ))}
            </div>
            <div className="absolute inset-0 flex items-end gap-px sm:gap-1">
              {bars.map((bar, i) => (
                <div
                  key={bar.key}
                  className={cn('flex h-full min-w-0 flex-1 flex-col-reverse', i === pointed && 'bg-raised')}
                >
                  {series.map(({ name, className }, part) => (
                    <Part key={name} of={bar.values[part] ?? 0} top={top} className={className} />
                  ))}
                </div>
              ))}
            </div>
            {shown !== undefined && pointed !== undefined && (
              <Values at={(pointed + 0.5) / bars.length} {...{ bar: shown, series, format }} />
            )}
          </div>
          <div className="mt-1.5 flex h-4 gap-px text-xs text-ink-soft tabular-nums sm:gap-1">
            {bars.map(({ key, tick }) => (
              <span key={key} className="relative min-w-0 flex-1">
                <span className="absolute left-1/2 -translate-x-1/2 whitespace-nowrap">{tick}</span>
              </span>
            ))}
          </div>
        </div>
      </div>
      {series.length > 1 && (
        <figcaption className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-[13px] text-ink-soft" aria-hidden>
          {series.toReversed().map(({ name, className }) => (
            <span key={name} className="flex items-center gap-1.5">
              <span className={cn('size-2.5 rounded-sm', className)} /> {name}
            </span>
          ))}
        </figcaption>
      )}
      <ValueTable {...{ label, per, bars, series, format }} />
    </figure>
  );
}

const Part = ({ of, top, className }: { of: number; top: number; className: string }) =>
  of === 0 ? null : (
    <div
      className={cn('shrink-0 last:rounded-t-[3px]', className)}
      style={{ height: `${(of / top) * 100}%`, minHeight: '2px' }}
    />
  );

/** A tooltip with the values of the bar under the pointer. */
const Values = ({
  at,
  bar: { title, values },
  series,
  format,
}: { at: number; bar: Bar } & Pick<Chart, 'series' | 'format'>) => (
  <div
    className="pointer-events-none absolute top-0 z-10 rounded-lg border border-line bg-panel px-3 py-2 text-xs shadow-panel"
    style={at > 0.5 ? { right: `${(1 - at) * 100 + 3}%` } : { left: `${at * 100 + 3}%` }}
  >
    <p className="mb-1 font-medium whitespace-nowrap">{title}</p>
    {series.map(({ name, className }, part) => (
      <p key={name} className="flex items-center gap-1.5 whitespace-nowrap text-ink-soft">
        <span className={cn('size-2 rounded-sm', className)} /> {name}
        <span className="ml-auto pl-4 text-ink tabular-nums">{told(values[part], format)}</span>
      </p>
    ))}
  </div>
);

const told = (value: number | null | undefined, format: Chart['format']) =>
  value === null || value === undefined ? '–' : format(value);

/** The values as a table, for screen readers. */
const ValueTable = ({ label, per, bars, series, format }: Omit<Chart, 'height'>) => (
  <div className="sr-only">
    <table>
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">{per}</th>
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map(({ key, title, values }) => (
          <tr key={key}>
            <th scope="row">{title}</th>
            {series.map(({ name }, part) => (
              <td key={name}>{told(values[part], format)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
