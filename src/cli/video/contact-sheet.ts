/** A page with the flagged moments of a video: one file, without scripts and without anything from elsewhere. */
import type { VideoReport } from './open.ts';

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

const style = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1b1b1f}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}
.flag{color:#a3231f;font-weight:600}.soft{color:#5c5c66}.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:1rem}
figure{margin:0}img{width:100%;aspect-ratio:16/9;object-fit:fill;border-radius:.5rem;filter:blur(14px)}
#clear:checked~.grid img{filter:none}svg{width:100%;height:1rem;background:#eee;border-radius:.25rem}`;

/** A category's clips as bars over the length of the video. */
const lane = ({ clips, duration_seconds: duration }: VideoReport, category: string): string =>
  `<svg viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="${escaped(category)} over time">${clips
    .filter(({ probs }) => (probs[category] ?? 0) >= 0.01)
    .map(({ start_seconds: start, end_seconds: end, probs, categories }) => {
      const [x, width] = [start, end - start].map((value) => (1000 * value) / Math.max(duration, 0.001));
      const isFlagged = categories[category] === true;
      const opacity = isFlagged ? 1 : 0.15 + 0.6 * (probs[category] ?? 0);
      return `<rect x="${x?.toFixed(1)}" width="${width?.toFixed(1)}" height="10" fill="${isFlagged ? '#c0392b' : '#3366aa'}" opacity="${opacity.toFixed(2)}"/>`;
    })
    .join('')}</svg>`;

export function contactSheet(name: string, report: VideoReport): string {
  const { summary, coverage, frames, findings, notes } = report;
  const rows = Object.entries(coverage).map(([category, level]) => {
    const isFlagged = summary.categories[category] === true;
    return `<tr${isFlagged ? ' class="flag"' : ''}><td>${escaped(category)}</td><td>${(summary.probs[category] ?? 0).toFixed(2)}</td><td>${level === 'none' ? 'not looked for' : level}</td><td>${lane(report, category)}</td></tr>`;
  });
  const figures = frames
    .filter(({ thumbnail }) => thumbnail !== undefined && /^data:image\/png;base64,[\w+/=]+$/.test(thumbnail))
    .map(({ timestamp_seconds: at, thumbnail, categories }) => {
      const named = Object.entries(categories).flatMap(([category, flagged]) => (flagged ? [category] : []));
      return `<figure><img src="${thumbnail}" alt="Frame at ${at.toFixed(1)} s"><figcaption>${at.toFixed(1)} s<br><span class="soft">${escaped(named.join(', '))}</span></figcaption></figure>`;
    });
  const seen = findings
    .slice(0, 100)
    .map(
      (each) =>
        `<tr><td>${each.start_seconds.toFixed(1)}–${each.end_seconds.toFixed(1)} s</td><td>${escaped(each.category)}</td><td>${each.probability.toFixed(2)}</td><td>${escaped(each.detector)} (${each.level})</td><td>${escaped(each.explanation)}</td></tr>`,
    );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(name)}</title>
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<style>${style}</style>
<h1>${escaped(name)}: ${report.flag ? '<span class="flag">flagged</span>' : 'nothing flagged'}</h1>
<p class="soft">${report.duration_seconds.toFixed(1)} s, ${report.media.width} × ${report.media.height}, ${escaped(report.media.codec)}; ${frames.length} frames judged.</p>
<table><thead><tr><th>Category</th><th>Probability</th><th>Looked for by</th><th>Over the video</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>
${figures.length === 0 ? '' : `<h2>Flagged frames</h2><input type="checkbox" id="clear"> <label for="clear">Show pictures clearly</label><div class="grid">${figures.join('\n')}</div>`}
${seen.length === 0 ? '' : `<h2>What was seen</h2><table><tbody>${seen.join('\n')}</tbody></table>`}
${notes.length === 0 ? '' : `<h2>Not looked at</h2><ul>${notes.map(({ message }) => `<li>${escaped(message)}</li>`).join('')}</ul>`}
</html>
`;
}
