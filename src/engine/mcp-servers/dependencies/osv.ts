/** Advisories in the OSV format: which versions they are about, and how grave they are. */
import type { Observation } from '#findings/finding.ts';
import { severityOfScore, type Severity } from '#findings/severity.ts';
import type { Package } from './package.ts';
import { compareVersions } from './versions.ts';

interface RangeEvent {
  introduced?: string;
  fixed?: string;
  last_affected?: string;
}

/** What is read of an advisory. */
export interface Advisory {
  id: string;
  aliases?: string[];
  summary?: string;
  details?: string;
  withdrawn?: string;
  severity?: { type: string; score: string }[];
  database_specific?: { severity?: string };
  affected?: {
    package?: { ecosystem?: string; name?: string };
    versions?: string[];
    ranges?: { type: string; events?: RangeEvent[] }[];
  }[];
}

function inRange(version: string, events: readonly RangeEvent[], each: Package): boolean {
  const at = (other: string) => (other === '0' ? 1 : compareVersions(each.ecosystem, version, other));
  let isIn = false;
  for (const { introduced, fixed, last_affected: last } of events) {
    if (introduced !== undefined && at(introduced) >= 0) isIn = true;
    if (fixed !== undefined && at(fixed) >= 0) isIn = false;
    if (last !== undefined && at(last) > 0) isIn = false;
  }
  return isIn;
}

/** Whether an advisory is about this version of the package. */
export function affects({ affected = [], withdrawn }: Advisory, each: Package): boolean {
  const { version } = each;
  if (version === undefined || withdrawn !== undefined) return false;
  return affected.some(
    ({ package: named, versions = [], ranges = [] }) =>
      named?.name === each.name &&
      named.ecosystem === each.ecosystem &&
      (versions.includes(version) ||
        ranges.some(({ type, events = [] }) => type !== 'GIT' && inRange(version, events, each))),
  );
}

/** The base score of a CVSS 3 vector (FIRST, CVSS v3.1 specification, section 7.1). */
export function cvss3Score(vector: string): number | undefined {
  const parts = new Map(vector.split('/').map((part) => part.split(':', 2) as [string, string]));
  const of = (metric: string, values: Record<string, number>) => values[parts.get(metric) ?? ''];
  const isChanged = parts.get('S') === 'C';
  const impactOf = { H: 0.56, L: 0.22, N: 0 };
  const values = [
    of('AV', { N: 0.85, A: 0.62, L: 0.55, P: 0.2 }),
    of('AC', { L: 0.77, H: 0.44 }),
    of('PR', isChanged ? { N: 0.85, L: 0.68, H: 0.5 } : { N: 0.85, L: 0.62, H: 0.27 }),
    of('UI', { N: 0.85, R: 0.62 }),
    of('C', impactOf),
    of('I', impactOf),
    of('A', impactOf),
  ];
  if (values.some((value) => value === undefined)) return undefined;
  const [av = 0, ac = 0, pr = 0, ui = 0, c = 0, i = 0, a = 0] = values;
  const iss = 1 - (1 - c) * (1 - i) * (1 - a);
  const impact = isChanged ? 7.52 * (iss - 0.029) - 3.25 * (iss - 0.02) ** 15 : 6.42 * iss;
  if (impact <= 0) return 0;
  const exploitability = 8.22 * av * ac * pr * ui;
  const sum = Math.min(isChanged ? 1.08 * (impact + exploitability) : impact + exploitability, 10);
  return Math.ceil(Math.round(sum * 100_000) / 10_000) / 10;
}

const named: Readonly<Record<string, Severity>> = {
  CRITICAL: 'critical',
  HIGH: 'high',
  MODERATE: 'medium',
  MEDIUM: 'medium',
  LOW: 'low',
};

function severityOf({ severity = [], database_specific: own }: Advisory): Severity {
  const said = named[own?.severity?.toUpperCase() ?? ''];
  if (said !== undefined) return said;
  const vector = severity.find(({ type }) => type === 'CVSS_V3')?.score;
  const score = vector === undefined ? undefined : cvss3Score(vector);
  return score === undefined ? 'medium' : severityOfScore(score);
}

/** The first version without the weakness, above the one in use. */
function fixedIn(
  { affected = [] }: Advisory,
  { name, ecosystem, version = '0' }: Package,
): string | undefined {
  return affected
    .filter((each) => each.package?.name === name && each.package.ecosystem === ecosystem)
    .flatMap(({ ranges = [] }) =>
      ranges.flatMap(({ events = [] }) => events.flatMap(({ fixed }) => fixed ?? [])),
    )
    .filter((fixed) => compareVersions(ecosystem, fixed, version) > 0)
    .toSorted((a, b) => compareVersions(ecosystem, a, b))[0];
}

/** Dependencies of development do not run with the server: one step less. */
export function advisoryObservation(each: Package, advisory: Advisory): Observation {
  const { name, version = '', path, line, isDirect } = each;
  const fixed = fixedIn(advisory, each);
  const alias = advisory.aliases?.find((id) => id.startsWith('CVE-'));
  const isMalicious = advisory.id.startsWith('MAL-');
  const summary = advisory.summary ?? advisory.details?.split('\n')[0] ?? 'a known vulnerability';
  return {
    rule: isMalicious ? 'dependency-malicious' : 'dependency-vulnerable',
    title: isMalicious ? 'A dependency is known to be malicious' : 'A dependency has a known vulnerability',
    description: `${name} ${version}: ${summary.slice(0, 500)} (${[advisory.id, alias].filter((id) => id !== undefined).join(', ')}).`,
    severity: isMalicious ? 'critical' : each.isDevelopment ? 'low' : severityOf(advisory),
    confidence: isDirect ? 'high' : 'medium',
    location: { path, ...(line !== undefined && { startLine: line, endLine: line }) },
    subject: name,
    evidence: `${name}@${version} ${advisory.id}`,
    remedy:
      fixed === undefined
        ? 'No fixed version is known: replace the package, or check that the part is not used.'
        : `Use ${name} ${fixed} or later.`,
    tags: ['dependency', advisory.id, ...(alias === undefined ? [] : [alias])],
    frameworks: [
      { framework: 'cwe', id: isMalicious ? 'CWE-506' : 'CWE-1395' },
      { framework: 'owasp-mcp', id: 'MCP04:2025' },
    ],
  };
}
