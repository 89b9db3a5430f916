import { useEffect, useMemo, useRef, useState } from 'react';
import { chartSvg, type Chart } from '#reports/charts/chart.ts';
import { palette, seriesColours } from '#reports/charts/palette.ts';

/** Colours of reports by the theme's own; a chart that shows text on coloured cells must not be drawn this way. */
const themed: readonly (readonly [string, string])[] = [
  [palette.inkSoft, 'var(--ink-soft)'],
  [palette.ink, 'var(--ink)'],
  [palette.line, 'var(--line)'],
  [seriesColours[0], 'var(--series-1)'],
  [seriesColours[1], 'var(--series-2)'],
  [seriesColours[2], 'var(--series-3)'],
  [seriesColours[3], 'var(--series-4)'],
];

/** A radar or line chart as reports have it, in the colours of the theme and as wide as its place. */
export function SvgChart({ chart }: { chart: Exclude<Chart, { kind: 'heat_map' }> }) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    if (place.current !== null) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  const svg = useMemo(
    () =>
      width === 0
        ? ''
        : themed.reduce(
            (text, [from, to]) => text.replaceAll(`"${from}"`, `"${to}"`),
            chartSvg(chart, width),
          ),
    [chart, width],
  );
  return (
    <div
      ref={place}
      className="min-h-40 w-full overflow-hidden"
      // Every text in it was escaped by the drawing, which knows no links and no scripts.
      dangerouslySetInnerHTML={{ __html: svg }}
    />
  );
}
