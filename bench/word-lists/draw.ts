/** The figures as a picture that is readable on light and dark ground. */

interface Measured {
  readonly name: string;
  readonly found: number;
  readonly falseAlarms: number;
  readonly cpuMicroseconds: number;
}
interface Compared {
  readonly name: string;
  readonly measured: readonly Measured[];
}

const width = 960;
const names = 200;
const left = 310;
const barWidth = 240;
const rowHeight = 22;
const groupGap = 20;
const top = 92;
const seconds = left + barWidth + 70;

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const shown = (share: number) => share.toFixed(2).replace(/^0/, '');
const time = (us: number) =>
  us >= 1000 ? `${(us / 1000).toFixed(1)} ms` : `${Math.max(1, Math.round(us))} µs`;

/** @param terms how many words and phrases the list has */
export function drawComparison(sets: readonly Compared[], terms: number): string {
  const parts: string[] = [];
  let y = top;
  for (const { name, measured } of sets) {
    parts.push(`<text class="ink head" x="24" y="${y + rowHeight + 15}">${name}</text>`);
    measured.forEach(({ name: who, found, falseAlarms }, at) => {
      const line = y + at * rowHeight;
      const [a, b] = [found * barWidth, falseAlarms * barWidth];
      const kind = at === 0 ? 'ours' : 'theirs';
      parts.push(
        `<text class="soft small" x="${names}" y="${line + 16}">${who}</text>`,
        `<rect class="${kind}" x="${left}" y="${line + 4}" width="${a.toFixed(1)}" height="14" rx="3"/>`,
        `<text class="ink small" x="${left + a + 6}" y="${line + 16}">${shown(found)}</text>`,
        `<rect class="alarm" x="${seconds}" y="${line + 4}" width="${b.toFixed(1)}" height="14" rx="3"/>`,
        `<text class="ink small" x="${seconds + b + 6}" y="${line + 16}">${shown(falseAlarms)}</text>`,
      );
    });
    y += measured.length * rowHeight + groupGap;
  }
  const judges = sets[0]?.measured.map(({ name }) => name) ?? [];
  const speeds = judges
    .map(
      (name, at) => `${name} ${time(median(sets.map(({ measured }) => measured[at]?.cpuMicroseconds ?? 0)))}`,
    )
    .join(' · ');
  const height = y + 58;
  const described = sets
    .map(
      ({ name, measured }) =>
        `${name}: ${measured.map((each) => `${each.name} ${shown(each.found)}`).join(', ')}`,
    )
    .join('; ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc" font-family="ui-sans-serif, system-ui, 'Segoe UI', Helvetica, Arial, sans-serif">
  <title id="title">What is found, and what is flagged wrongly</title>
  <desc id="desc">Share of harmful texts that are found. ${described}.</desc>
  <style>
    .ink { fill: #1d2433 } .soft { fill: #5b6577 } .ours { fill: #2f6fed } .theirs { fill: #9aa5b8 } .alarm { fill: #c8372d }
    .room { fill: #f3f6fb; stroke: #c9d1df } text { font-size: 14px } .small { font-size: 12px } .head { font-weight: 600 }
    @media (prefers-color-scheme: dark) {
      .ink { fill: #e8ecf4 } .soft { fill: #9aa6ba } .ours { fill: #6d9dff } .theirs { fill: #5a6780 } .alarm { fill: #ff7a70 }
      .room { fill: #131925; stroke: #36415a }
    }
  </style>
  <rect class="room" x="1" y="1" width="${width - 2}" height="${height - 2}" rx="14"/>
  <text class="ink head" x="${left}" y="40">Found, of the harmful texts</text>
  <text class="soft small" x="${left}" y="60">longer is better</text>
  <text class="ink head" x="${seconds}" y="40">False alarms, of the harmless texts</text>
  <text class="soft small" x="${seconds}" y="60">shorter is better</text>
  ${parts.join('\n  ')}
  <text class="soft small" x="24" y="${height - 36}">CPU time of a text: ${speeds}. The list has ${terms.toLocaleString('en')} words and phrases.</text>
  <text class="soft small" x="24" y="${height - 16}">None of these texts was trained on, by anybody; texts like the jailbreaks were.</text>
</svg>
`;
}
