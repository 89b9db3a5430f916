/** The three levels of a scan, each with its reasons. For all of them `high` means more concern. */
import { isSuppressed, type Finding } from '#findings/finding.ts';
import { isAtLeast, severities, type Severity } from '#findings/severity.ts';
import { labelsOf } from './labels.ts';
import { argumentNames, type DescribedTool } from '#engine/descriptions/tool.ts';

export type Level = 'low' | 'medium' | 'high';

export interface Rating {
  level: Level;
  reasoning: string;
}

export interface Ratings {
  security: Rating;
  complexity: Rating;
  sensitivity: Rating;
}

export interface RatedScan {
  findings: readonly Finding[];
  tools: readonly (DescribedTool & { isUnread?: true })[];
  /** Undefined where no source was analysed. */
  source?: { presentBytes: number; analysedBytes: number; lines: number };
  /** What was not read or not understood, in sentences: with `grave` ones the level is not low. */
  unread?: { grave: readonly string[]; said: readonly string[] };
  directDependencies: number;
  now: Date;
}

const named = (findings: readonly Finding[], most = 3): string =>
  findings
    .slice(0, most)
    .map(({ rule, title, location, subject }) => {
      const where =
        location?.startLine === undefined
          ? (location?.path ?? subject)
          : `${location.path}:${location.startLine}`;
      return `${title} (${rule}${where === undefined ? '' : ` at ${where}`})`;
    })
    .join('; ') + (findings.length > most ? `; and ${findings.length - most} more` : '');

const leastCoverage = 0.8;

/** The level of security that a finding alone gives a scan. */
export function levelOf({ severity, confidence }: Pick<Finding, 'severity' | 'confidence'>): Level {
  if (severity === 'critical' || (severity === 'high' && confidence === 'high')) return 'high';
  return isAtLeast(severity, 'medium') ? 'medium' : 'low';
}

/** Where a finding of high severity gives no high level, why. */
function whyNotHigh(findings: readonly Finding[]): string {
  const { length } = findings.filter(({ severity }) => severity === 'high');
  if (length === 0) return '';
  return ` ${length === 1 ? 'One is' : `${length} are`} of high severity, but not of high confidence: a high level takes a critical finding, or one of high severity and high confidence.`;
}

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** What a low level does not cover. */
function unreadIn(tools: RatedScan['tools']): string[] {
  const count = tools.filter(({ isUnread }) => isUnread).length;
  return count === 0
    ? []
    : [
        `${counted(count, 'description was', 'descriptions were')} not read as a whole: what they say is not known.`,
      ];
}

const nothingRead = { presentBytes: 0, analysedBytes: 0 };
const allRead = { grave: [], said: [] };

/** Why nothing notable does not mean that there is nothing. */
function whatIsNotKnown(
  { presentBytes, analysedBytes }: { presentBytes: number; analysedBytes: number },
  hasTools: boolean,
  { grave, said }: NonNullable<RatedScan['unread']>,
): string | undefined {
  const unread = [...grave, ...said];
  if (presentBytes > 0 && analysedBytes / presentBytes < leastCoverage)
    return [
      `Nothing notable was found, but only ${Math.round((100 * analysedBytes) / presentBytes)} % of the source was read: the rest is not known to be safe.`,
      ...unread,
    ].join(' ');
  if (presentBytes === 0 && !hasTools)
    return 'Neither source that can be read nor tools were found: nothing is known of it.';
  return grave.length > 0
    ? `Nothing notable was found in what was read. ${unread.join(' ')} What is behind that is not known.`
    : undefined;
}

function securityOf({ findings, source, tools, unread, now }: RatedScan): Rating {
  const open = findings.filter((finding) => !isSuppressed(finding, now));
  const severe = open.filter((finding) => levelOf(finding) === 'high');
  if (severe.length > 0) return { level: 'high', reasoning: `Severe findings: ${named(severe)}.` };
  const notable = open.filter((finding) => levelOf(finding) !== 'low');
  if (notable.length > 0)
    return {
      level: 'medium',
      reasoning: `Findings of medium weight: ${named(notable)}.${whyNotHigh(notable)}`,
    };
  const notKnown = whatIsNotKnown(source ?? nothingRead, tools.length > 0, unread ?? allRead);
  if (notKnown !== undefined) return { level: 'medium', reasoning: notKnown };
  const counts = severities.flatMap((severity) => {
    const count = open.filter((finding) => finding.severity === severity).length;
    return count > 0 ? [`${count} ${severity}`] : [];
  });
  const nothing =
    findings.length === 0
      ? 'Nothing was found.'
      : 'Of what was found nothing counts, as somebody has decided.';
  return {
    level: 'low',
    reasoning: [
      counts.length === 0 ? nothing : `Only minor findings (${counts.join(', ')}).`,
      ...unreadIn(tools),
      ...(unread?.said ?? []),
    ].join(' '),
  };
}

const points = (value: number, [few, many]: readonly [number, number]): number =>
  value <= few ? 0 : value <= many ? 1 : 2;

function complexityOf({ tools, source, directDependencies }: RatedScan): Rating {
  const offered = tools.filter(({ kind }) => kind === 'tool');
  const parameters = offered.reduce((sum, { inputSchema }) => sum + argumentNames(inputSchema).length, 0);
  const lines = source?.lines ?? 0;
  const parts: [string, number, readonly [number, number]][] = [
    [counted(offered.length, 'tool'), offered.length, [5, 20]],
    [`${counted(lines, 'line')} of source`, lines, [2000, 15_000]],
    [counted(directDependencies, 'direct dependency', 'direct dependencies'), directDependencies, [10, 40]],
    [counted(parameters, 'parameter'), parameters, [20, 100]],
  ];
  const sum = parts.reduce((total, [, value, steps]) => total + points(value, steps), 0);
  const level = sum <= 1 ? 'low' : sum <= 4 ? 'medium' : 'high';
  return { level, reasoning: `${parts.map(([name]) => name).join(', ')}: ${sum} of 8 points.` };
}

const grave =
  /\b(?:e-?mails?|inbox|direct messages?|bank|payments?|invoices?|salary|tax|credit card|patients?|medical|health|passports?|identity|social security|passwords?|credentials?|secrets?|vault|private keys?|production)\b/i;

function sensitivityOf({ tools }: RatedScan): Rating {
  const offered = tools
    .filter(({ kind }) => kind === 'tool')
    .map((tool) => ({ tool, labels: labelsOf(tool) }));
  const names = (which: typeof offered) =>
    which
      .slice(0, 3)
      .map(({ tool }) => tool.name)
      .join(', ');
  const worst = offered.filter(
    ({ tool, labels }) =>
      (labels.private_data >= 0.7 || labels.destructive >= 0.8) &&
      grave.test(`${tool.name.replaceAll(/[_-]/g, ' ')} ${tool.description.slice(0, 400)}`),
  );
  if (worst.length > 0)
    return {
      level: 'high',
      reasoning: `Tools reach messages, money, health, identity or secrets: ${names(worst)}.`,
    };
  const some = offered.filter(({ labels }) => labels.private_data >= 0.7 || labels.destructive >= 0.7);
  const has = (label: 'untrusted_content' | 'private_data' | 'public_sink') =>
    offered.some(({ labels }) => labels[label] >= 0.7);
  const isTrifecta = has('untrusted_content') && has('private_data') && has('public_sink');
  if (offered.length === 0)
    return { level: 'low', reasoning: 'No tools were found, so that nothing is known of what they reach.' };
  if (some.length === 0)
    return {
      level: 'low',
      reasoning: 'No tool says of itself that it reaches private data or destroys anything.',
    };
  const reasoning = `Tools reach files, databases or change things: ${names(some)}.`;
  return isTrifecta
    ? {
        level: 'high',
        reasoning: `${reasoning} Content of strangers, private data and a way out meet in one server.`,
      }
    : { level: 'medium', reasoning };
}

export const ratingsOf = (scan: RatedScan): Ratings => ({
  security: securityOf(scan),
  complexity: complexityOf(scan),
  sensitivity: sensitivityOf(scan),
});

const weights: Record<Severity, number> = { critical: 25, high: 15, medium: 8, low: 3, info: 1 };

/** From 0 to 100, for the leaderboard: 100 less a weight for each finding. */
export const scoreOf = (findings: readonly Finding[], now: Date): number =>
  Math.max(
    0,
    100 -
      findings
        .filter((finding) => !isSuppressed(finding, now))
        .reduce((sum, { severity }) => sum + weights[severity], 0),
  );
