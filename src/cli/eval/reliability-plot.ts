import type { Report } from './report-schema.ts';

const plot = { left: 40, top: 34, size: 180, counts: 44, right: 20, bottom: 34 };
const panel = {
  width: plot.left + plot.size + plot.right,
  height: plot.top + plot.size + 8 + plot.counts + plot.bottom,
};
const perRow = 3;
const headHeight = 58;

const style = `
  text { font: 11px system-ui, sans-serif; fill: #333 }
  .title { font-size: 15px; font-weight: 600 } .name { font-size: 12px; font-weight: 600 }
  .quiet { fill: #6b7280 } .page { fill: #fff } .frame { fill: none; stroke: #d1d5db }
  .ideal { stroke: #9ca3af; stroke-dasharray: 4 3 } .line { fill: none; stroke: #1d4ed8; stroke-width: 1.5 }
  .dot { fill: #1d4ed8 } .count { fill: #93c5fd } .small { font-size: 9px }
  @media (prefers-color-scheme: dark) {
    text { fill: #e5e7eb } .quiet { fill: #9ca3af } .page { fill: #111827 } .frame { stroke: #374151 }
    .ideal { stroke: #6b7280 } .line { stroke: #93c5fd } .dot { fill: #93c5fd } .count { fill: #1e40af }
  }`;

/** XML has no place for control characters, not even as references. */
const escaped = (text: string) =>
  text
    // oxlint-disable-next-line no-control-regex -- these are what must go
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '\uFFFD')
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const short = (name: string) => (name.length > 30 ? `${name.slice(0, 29)}…` : name);
const coordinate = (value: number) => String(Math.round(value * 100) / 100);

type Bins = Report['reliability'][number]['bins'];

const x = (score: number) => coordinate(plot.left + score * plot.size);
const y = (share: number) => coordinate(plot.top + (1 - share) * plot.size);

/** How many rows each bin has, on a logarithmic scale: most scores lie in the first. */
function countBars(bins: Bins): string {
  const most = Math.max(1, ...bins.map(({ rows }) => rows));
  const base = plot.top + plot.size + 8 + plot.counts;
  const bars = bins.map(({ from, to, rows }) => {
    const height = rows === 0 ? 0 : Math.max(1, (Math.log1p(rows) / Math.log1p(most)) * (plot.counts - 10));
    return `<rect class="count" x="${coordinate(plot.left + from * plot.size + 1)}" y="${coordinate(base - height)}" width="${coordinate((to - from) * plot.size - 2)}" height="${coordinate(height)}"><title>${from} to ${to}: ${rows} rows</title></rect>`;
  });
  const most_ = `<text class="quiet small" x="${plot.left}" y="${plot.top + plot.size + 16}">rows; the fullest bin has ${most.toLocaleString('en')}</text>`;
  return bars.join('') + most_;
}

function curve(bins: Bins): string {
  const told = bins.flatMap(({ rows, mean_score: score, positive_share: share }) =>
    score === null || share === null ? [] : [{ rows, score, share }],
  );
  const line = told.map(({ score, share }) => `${x(score)},${y(share)}`).join(' ');
  const dots = told.map(
    ({ rows, score, share }) =>
      `<circle class="dot" cx="${x(score)}" cy="${y(share)}" r="${rows < 10 ? 2 : 3.5}"><title>said ${score.toFixed(3)}, was ${share.toFixed(3)}, ${rows} rows</title></circle>`,
  );
  return `<polyline class="line" points="${line}"/>${dots.join('')}`;
}

function axes(): string {
  const ticks = [0, 0.5, 1].map(
    (at) =>
      `<text class="quiet" x="${plot.left - 6}" y="${Number(y(at)) + 4}" text-anchor="end">${at}</text>` +
      `<text class="quiet" x="${x(at)}" y="${plot.top + plot.size + 8 + plot.counts + 14}" text-anchor="middle">${at}</text>`,
  );
  return (
    `<rect class="frame" x="${plot.left}" y="${plot.top}" width="${plot.size}" height="${plot.size}"/>` +
    `<line class="ideal" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}"/>${ticks.join('')}`
  );
}

/**
 * A reliability plot for each detector as one SVG: what was said (mean score of a bin) against what was so (share of
 * positives), the ideal as a diagonal, the bins' rows below; in the colours of the reader's light or dark mode.
 */
export function reliabilityPlot({ reliability, pooled, engine, created_at }: Report): string {
  const panels = reliability.filter(({ bins }) => bins.some(({ rows }) => rows > 0));
  const width = panel.width * Math.max(1, Math.min(perRow, panels.length)) + 120 * Number(panels.length < 2);
  const height = headHeight + panel.height * Math.ceil(panels.length / perRow);
  const drawn = panels.map(({ detector, bins }, i) => {
    const found = pooled.find((each) => each.detector === detector);
    const ece = found?.calibration_error;
    const error = typeof ece === 'number' ? `ECE ${ece.toFixed(3)} · ` : '';
    const at = `translate(${(i % perRow) * panel.width} ${headHeight + Math.floor(i / perRow) * panel.height})`;
    return (
      `<g transform="${at}"><text class="name" x="${plot.left}" y="12">${escaped(short(detector))}</text>` +
      `<text class="quiet small" x="${plot.left}" y="26">${error}${found?.positives ?? 0} positive, ${found?.negatives ?? 0} negative</text>` +
      `${axes()}${curve(bins)}${countBars(bins)}</g>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">`,
    '<title id="title">Reliability of each detector</title>',
    '<desc id="description">Mean score of a bin against its share of positives; on the dashed line what is said is what is so.</desc>',
    `<style>${style}\n</style><rect class="page" width="${width}" height="${height}"/>`,
    '<text class="title" x="16" y="22">Said against so: score and share of positives</text>',
    `<text class="quiet" x="16" y="40">${escaped(`${engine.kind} ${engine.version} · ${created_at.slice(0, 10)}`)}</text>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}
