/** Prints findings as text: what, where, why, and how to fix it. */
import { styleText } from 'node:util';
import type { Finding, Location } from '#findings/finding.ts';
import { isAtLeast, severities, type Severity } from '#findings/severity.ts';
import type { ScanHere } from '#services/mcp-scan/scan-here.ts';
import { plain } from '#base/log/plain.ts';
import { unscanned } from './unscanned.ts';

type Style = Parameters<typeof styleText>[0];

const styles: Record<Severity, Style> = {
  critical: ['bold', 'red'],
  high: 'red',
  medium: 'yellow',
  low: 'cyan',
  info: 'gray',
};
const roles = { source: 'comes in', step: 'goes on', guard: 'is checked', sink: 'does harm' } as const;
const width = 100;
const indent = '      ';

const paint = (style: Style, text: string) =>
  // Without a terminal, or with NO_COLOR, the text has no colours.
  styleText(style, text, { stream: process.stdout });

/** Source of strangers as a terminal may have it, with its indentation. */
const shown = (line: string): string =>
  line
    .replaceAll('\t', '    ')
    .replaceAll(
      // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- that is what is taken out.
      /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E01EF}]/gu,
      '\uFFFD',
    )
    .slice(0, 160);

function wrapped(text: string, before = indent): string {
  const lines: string[] = [''];
  for (const word of plain(text).split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + word.length + 1 > width - before.length) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((line) => `${before}${line}`).join('\n');
}

/** The snippet begins at most three lines before the finding. */
function codeFrame({ location }: Finding): string[] {
  const { snippet, startLine, endLine = startLine } = location ?? {};
  if (snippet === undefined || startLine === undefined || endLine === undefined) return [];
  const lines = snippet.split('\n');
  const first = lines.length === 1 ? startLine : Math.max(1, startLine - 3);
  const digits = String(first + lines.length).length;
  return lines.map((line, at) => {
    const number = first + at;
    const isIt = number >= startLine && number <= endLine;
    const text = `${isIt ? '>' : ' '} ${String(number).padStart(digits)} | ${shown(line)}`;
    return `${indent}${isIt ? paint('bold', text) : paint('gray', text)}`;
  });
}

function trace({ flow = [] }: Finding): string[] {
  if (flow.length < 2) return [];
  return [
    `${indent}How it gets there:`,
    ...flow.map(({ location: { path, startLine }, role, text = '' }, at) => {
      const place = `${plain(path)}${startLine === undefined ? '' : `:${startLine}`}`;
      return `${indent}  ${at + 1}. ${place}  ${paint('bold', plain(text).slice(0, 80))}  ${paint('gray', roles[role])}`;
    }),
  ];
}

const lineOf = ({ path, startLine }: Location): string =>
  startLine === undefined ? path : `${path}:${startLine}`;

const placeOf = ({ location, subject }: Finding): string =>
  location === undefined ? (subject ?? '') : lineOf(location);

const mostPlaces = 10;

/** Where the same weakness shows as well. */
function alsoAt({ otherPlaces = [] }: Finding): string[] {
  if (otherPlaces.length === 0) return [];
  const left = otherPlaces.length - mostPlaces;
  return [
    `${indent}Also here:`,
    ...otherPlaces.slice(0, mostPlaces).map((place) => `${indent}  ${plain(lineOf(place))}`),
    ...(left > 0 ? [`${indent}  and ${left} more`] : []),
  ];
}

function printFinding(finding: Finding): void {
  const { severity, title, rule, frameworks, description, remedy, evidence, location } = finding;
  const ids = [rule, ...frameworks.filter(({ framework }) => framework === 'cwe').map(({ id }) => id)].join(
    ' · ',
  );
  const lines = [
    `${paint(styles[severity], severity.toUpperCase().padEnd(8))} ${paint('bold', plain(title))}  ${paint('gray', plain(ids))}`,
    `${indent}${plain(placeOf(finding))}`,
    ...codeFrame(finding),
    '',
    wrapped(description),
    ...(location?.snippet === undefined && evidence !== undefined
      ? evidence
          .split('\n')
          .slice(0, 12)
          .map((line) => `${indent}  ${shown(line)}`)
      : []),
    ...trace(finding),
    ...alsoAt(finding),
    ...(remedy === undefined ? [] : [`${indent}What to do:`, wrapped(remedy, `${indent}  `)]),
    '',
  ];
  console.log(lines.join('\n'));
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const countsOf = (findings: readonly Finding[]): string =>
  severities
    .flatMap((severity) => {
      const count = findings.filter((each) => each.severity === severity).length;
      return count === 0 ? [] : [paint(styles[severity], `${count} ${severity}`)];
    })
    .join(', ');

export interface Shown {
  here: ScanHere;
  /** New ones, without those of the baseline. */
  findings: readonly Finding[];
  known: number;
  isAll: boolean;
}

function printScan({ name, result }: ScanHere['scans'][number]): void {
  console.log(`\n${paint('bold', plain(name))}`);
  for (const each of ['security', 'complexity', 'sensitivity'] as const) {
    const { level, reasoning } = result.ratings[each];
    const style: Style = level === 'high' ? 'red' : level === 'medium' ? 'yellow' : 'green';
    console.log(`  ${each.padEnd(12)} ${paint(style, level.padEnd(6))}  ${plain(reasoning)}`);
  }
  console.log(`  ${plain(result.summary)}`);
  const { coverage } = result;
  const shownSkips = (coverage?.skipped ?? []).filter(({ reason }) => reason !== 'history').slice(0, 5);
  for (const { path, reason } of shownSkips)
    console.log(paint('gray', `  not read: ${plain(path)} (${plain(reason)})`));
  const more = (coverage?.skippedTotal ?? 0) - shownSkips.length;
  if (more > 0 && shownSkips.length > 0) console.log(paint('gray', `  not read: ${more} more`));
  for (const note of result.notes.slice(0, 10)) console.log(paint('gray', `  note: ${plain(note)}`));
}

const ofPart = 'Nothing was found in what was read and understood';

/** Where a scan could not read or understand a part, nothing is known of that. */
const nothingIn = ({ scans }: ScanHere): string =>
  scans.some(({ result }) => result.summary.startsWith(ofPart))
    ? `${ofPart}; what was not is said above.`
    : 'Nothing was found.';

/** Everything that was found, worst first; how much there is stands last, above the prompt. */
export function printHere({ here, findings, known, isAll }: Shown): void {
  const full = isAll ? findings : findings.filter(({ severity }) => isAtLeast(severity, 'medium'));
  const most = isAll ? full.length : 30;
  for (const finding of full.slice(0, most)) printFinding(finding);
  for (const scan of here.scans) printScan(scan);
  for (const { name, reason } of here.failed)
    console.log(`\n${paint('bold', plain(name))}\n  ${paint('red', 'not scanned')}  ${plain(reason)}`);
  const hidden = findings.length - Math.min(full.length, most);
  const rest = unscanned(here);
  const found =
    findings.length > 0
      ? `${plural(findings.length, 'finding')}: ${countsOf(findings)}.`
      : rest === undefined
        ? nothingIn(here)
        : '';
  console.log(
    `\n${[found, ...(rest === undefined ? [] : [paint('red', plain(rest))])].filter((part) => part !== '').join(' ')}` +
      (known === 0 ? '' : ` ${known} known from the baseline.`) +
      (hidden === 0 ? '' : ` ${hidden} minor ones are not shown; --all shows them.`),
  );
}
