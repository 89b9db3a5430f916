/** What a scan says of itself in a few sentences. */
import { isSuppressed, type Finding } from '#findings/finding.ts';
import { isAtLeast, severities } from '#findings/severity.ts';
import { countOffers } from './offers.ts';
import { type Unread, unreadIn, withNotSeen } from './unread.ts';
import type { Coverage, DepsChecked, ScannedTool, ScanResult, TextGuardItem } from './result.ts';

/** What is said besides the findings. */
export interface Summarised {
  packages: readonly unknown[];
  depsChecked: DepsChecked;
  tools: readonly ScannedTool[];
  textguard: readonly TextGuardItem[];
  coverage?: Coverage | undefined;
  lookedUp?: number | undefined;
  notSeen?: Unread | undefined;
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const entries = (count: number) => `${count} dependency ${count === 1 ? 'entry' : 'entries'}`;

type LookedAt = Pick<Summarised, 'tools' | 'coverage' | 'notSeen'>;

/** How many of each severity; undefined for none. */
function countsOf(findings: readonly Finding[]): string | undefined {
  if (findings.length === 0) return undefined;
  const counts = severities.flatMap((severity) => {
    const count = findings.filter((each) => each.severity === severity).length;
    return count > 0 ? [`${count} ${severity}`] : [];
  });
  return `${plural(findings.length, 'finding')}: ${counts.join(', ')}.`;
}

function nothingIn({ tools, coverage, notSeen }: LookedAt): string {
  if ((coverage?.analysedBytes ?? 0) === 0 && tools.length === 0) return 'There was nothing to look at.';
  const { grave } = withNotSeen(unreadIn(coverage), notSeen);
  return grave.length > 0 ? 'Nothing was found in what was read and understood.' : 'Nothing was found.';
}

/** The summary of a result with the suppressions of now: only findings that count are counted. */
export function summaryNow(
  result: Pick<ScanResult, 'findings' | 'summary'>,
  findings: readonly Finding[],
  now: Date,
): string {
  const counting = findings.filter((finding) => !isSuppressed(finding, now));
  const [before, left] = [countsOf(result.findings), findings.length - counting.length];
  if (before === undefined || left === 0 || !result.summary.startsWith(before)) return result.summary;
  const said =
    counting.length === 0
      ? `${plural(left, 'finding')}, of which none counts, as somebody has decided.`
      : `${countsOf(counting) ?? ''} ${left === 1 ? 'One more does' : `${left} more do`} not count, as somebody has decided.`;
  return `${said}${result.summary.slice(before.length)}`;
}

/** Of a scan that has not seen its server. */
export const summaryOfConfiguration = (findings: readonly Finding[]): string =>
  `${countsOf(findings) ?? 'Nothing was found.'} Only the configuration was looked at, not the server.`;

/** How many tools lead to a weakness of the code, by their names. */
function weakTools({ tools }: Pick<ScanResult, 'tools'>, findings: readonly Finding[]): number {
  const ways = findings.filter(
    ({ tags, severity }) => tags.includes('kind:taint') && isAtLeast(severity, 'medium'),
  );
  const names = new Set(
    ways.flatMap(({ subject, tags }) => [
      ...(subject === undefined ? [] : [subject]),
      ...tags.filter((tag) => tag.startsWith('tool:')).map((tag) => tag.slice('tool:'.length)),
    ]),
  );
  const offered = tools.filter(({ kind }) => kind === 'tool').map(({ name }) => name);
  return new Set(offered.filter((name) => names.has(name))).size;
}

/** Tools always, and what else there is, each with how many of it are flagged. */
function offersIn(seen: Pick<ScanResult, 'tools' | 'textguard'>, findings: readonly Finding[]): string {
  const { tool, prompt, resource, instructions } = countOffers(seen);
  const offered = seen.tools.filter(({ kind }) => kind === 'tool').length;
  const weak = weakTools(seen, findings);
  const parts = [
    `${plural(offered, 'tool')} seen, ${tool.flagged} flagged${weak === 0 ? '' : ` for what they say, ${weak} for what their code does`}`,
    ...(prompt.total > 0 ? [`${plural(prompt.total, 'prompt')}, ${prompt.flagged} flagged`] : []),
    ...(resource.total > 0 ? [`${plural(resource.total, 'resource')}, ${resource.flagged} flagged`] : []),
    ...(instructions.total > 0 ? [`instructions${instructions.flagged > 0 ? '' : ' not'} flagged`] : []),
  ];
  return `${parts.join('; ')}.`;
}

/** In plain sentences: what was looked at, what was found, and what was not looked at. */
export function summaryOf(
  { tools, packages, depsChecked, lookedUp = 0, coverage, textguard, notSeen }: Summarised,
  findings: readonly Finding[],
): string {
  const sentences = [countsOf(findings) ?? nothingIn({ tools, coverage, notSeen })];
  if (coverage !== undefined && coverage.sourceBytes > 0) {
    const share = Math.floor((100 * coverage.analysedBytes) / coverage.sourceBytes);
    sentences.push(
      `${share} % of the source was analysed (${coverage.analysedBytes} of ${coverage.sourceBytes} bytes).`,
    );
  } else if (coverage !== undefined)
    sentences.push(
      'No source in a language that is analysed was found (TypeScript, JavaScript, Python, Go, Java, Rust).',
    );
  const { grave, said } = withNotSeen(unreadIn(coverage), notSeen);
  sentences.push(...grave, ...said);
  sentences.push(offersIn({ tools: [...tools], textguard: [...textguard] }, findings));
  if (packages.length > 0)
    sentences.push(
      depsChecked === 'none'
        ? `${entries(packages.length)} read; known vulnerabilities were not looked up.`
        : lookedUp === packages.length
          ? `${entries(lookedUp)} checked against OSV.`
          : `${lookedUp} of ${entries(packages.length)} checked against OSV; the notes say which were not.`,
    );
  return sentences.join(' ');
}
