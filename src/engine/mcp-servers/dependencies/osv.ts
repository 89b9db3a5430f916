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

const impactOf = { H: 0.56, L: 0.22, N: 0 };
const weights = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: impactOf,
  I: impactOf,
  A: impactOf,
};
const privileges = { U: { N: 0.85, L: 0.62, H: 0.27 }, C: { N: 0.85, L: 0.68, H: 0.5 } };

/** Rounds up to one decimal as the specification's appendix A does. */
const roundedUp = (value: number) => Math.ceil(Math.round(value * 100_000) / 10_000) / 10;

/** The base score of a CVSS 3 vector (FIRST, CVSS v3.1 specification, section 7.1); NaN for one that lacks a metric. */
function cvss3Score(vector: string): number {
  const parts = new Map(vector.split('/').map((part) => part.split(':', 2) as [string, string]));
  const scope = parts.get('S') === 'C' ? 'C' : 'U';
  const valueOf = (metric: string, values: Readonly<Record<string, number>>) =>
    values[parts.get(metric) ?? ''] ?? Number.NaN;
  const of = (metric: keyof typeof weights) => valueOf(metric, weights[metric]);
  const iss = 1 - (1 - of('C')) * (1 - of('I')) * (1 - of('A'));
  const impact = scope === 'C' ? 7.52 * (iss - 0.029) - 3.25 * (iss - 0.02) ** 15 : 6.42 * iss;
  if (impact <= 0) return 0;
  const exploitability = 8.22 * of('AV') * of('AC') * valueOf('PR', privileges[scope]) * of('UI');
  return roundedUp(Math.min((scope === 'C' ? 1.08 : 1) * (impact + exploitability), 10));
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
  const score = vector === undefined ? Number.NaN : cvss3Score(vector);
  return Number.isNaN(score) ? 'medium' : severityOfScore(score);
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

const known = {
  rule: 'dependency-vulnerable',
  title: 'A dependency has a known vulnerability',
  cwe: 'CWE-1395',
};
const malicious = {
  rule: 'dependency-malicious',
  title: 'A dependency is known to be malicious',
  cwe: 'CWE-506',
};

function gravity(each: Package, advisory: Advisory): Severity {
  if (advisory.id.startsWith('MAL-')) return 'critical';
  // What only development needs does not run with the server.
  return each.isDevelopment ? 'low' : severityOf(advisory);
}

const summaryOf = ({ summary, details }: Advisory): string =>
  (summary ?? details?.split('\n')[0] ?? 'a known vulnerability').slice(0, 500);

/** A package and an advisory about it, as an observation. */
export function advisoryObservation(each: Package, advisory: Advisory): Observation {
  const { name, version = '', path, line, isDirect } = each;
  const fixed = fixedIn(advisory, each);
  const ids = [advisory.id, ...(advisory.aliases ?? []).filter((id) => id.startsWith('CVE-')).slice(0, 1)];
  const { rule, title, cwe } = advisory.id.startsWith('MAL-') ? malicious : known;
  return {
    rule,
    title,
    description: `${name} ${version}: ${summaryOf(advisory)} (${ids.join(', ')}).`,
    severity: gravity(each, advisory),
    confidence: isDirect ? 'high' : 'medium',
    location: { path, ...(line !== undefined && { startLine: line, endLine: line }) },
    subject: name,
    evidence: `${name}@${version} ${advisory.id}`,
    remedy:
      fixed === undefined
        ? 'No fixed version is known: replace the package, or check that the part is not used.'
        : `Use ${name} ${fixed} or later.`,
    tags: ['dependency', ...ids],
    frameworks: [
      { framework: 'cwe', id: cwe },
      { framework: 'owasp-mcp', id: 'MCP04:2025' },
    ],
  };
}
