/** From observations of all kinds to one result: fingerprints, flows, ratings, a summary. */
import type { Package } from '#engine/mcp-servers/dependencies/package.ts';
import { flowObservation, toxicFlows } from '#engine/mcp-servers/flows.ts';
import { ratingsOf, scoreOf } from '#engine/mcp-servers/ratings.ts';
import type { Finding, Observation, Rule } from '#findings/finding.ts';
import { withFingerprints } from '#findings/fingerprint.ts';
import { bySeverity, type Confidence } from '#findings/severity.ts';
import { withFlows } from './flow-verdicts.ts';
import { summaryOf } from './summary.ts';
import { type Unread, unreadIn, withNotSeen } from './unread.ts';
import type { Coverage, DepsChecked, ScannedTool, ScanResult, TextGuardItem, Usage } from './result.ts';

export interface Parts {
  observations: readonly Observation[];
  tools: readonly ScannedTool[];
  textguard: readonly TextGuardItem[];
  packages: readonly Package[];
  depsChecked: DepsChecked;
  /** How many of the packages were looked up; undefined for none. */
  lookedUp?: number | undefined;
  coverage?: Coverage | undefined;
  lines?: number | undefined;
  servers?: readonly string[] | undefined;
  /** What was read and not understood, in sentences. */
  notSeen?: Unread | undefined;
  serverName: string;
  notes?: readonly string[] | undefined;
  server?: Record<string, unknown> | undefined;
  usage?: Usage | undefined;
  now: Date;
}

const mostFindings = 5000;
const confidenceRank: Record<Confidence, number> = { high: 0, medium: 1, low: 2 };

const byPlace = ({ location: a }: Finding, { location: b }: Finding): number =>
  (a?.path ?? '').localeCompare(b?.path ?? '') || (a?.startLine ?? 0) - (b?.startLine ?? 0);

/** Worst and surest first, then by place. */
const order = (a: Finding, b: Finding): number =>
  bySeverity(a.severity, b.severity) ||
  confidenceRank[a.confidence] - confidenceRank[b.confidence] ||
  byPlace(a, b) ||
  a.fingerprint.localeCompare(b.fingerprint);

/** What the findings say of their rules. */
function rulesOf(findings: readonly Finding[]): Rule[] {
  const rules = new Map<string, Rule>();
  for (const { rule, title, severity, remedy, tags, frameworks } of findings) {
    const known = rules.get(rule);
    if (known === undefined || bySeverity(severity, known.severity) < 0)
      rules.set(rule, {
        id: rule,
        title,
        severity,
        tags,
        frameworks,
        ...(remedy !== undefined && { remedy }),
      });
  }
  return [...rules.values()];
}

export function assemble(parts: Parts): ScanResult {
  const { tools, packages, coverage, lines = 0, notes = [], servers = [], now } = parts;
  const flows = toxicFlows([{ server: parts.serverName, tools }]);
  const textguard = withFlows(parts.textguard, flows, (at) => tools[at]?.kind);
  const all = withFingerprints([...parts.observations, ...flows.map(flowObservation)]).toSorted(order);
  const findings = all.slice(0, mostFindings);
  const directDependencies = new Set(
    packages.filter(({ isDirect }) => isDirect).map(({ ecosystem, name }) => `${ecosystem} ${name}`),
  ).size;
  return {
    findings,
    leftOut: all.length - findings.length,
    rules: rulesOf(findings),
    tools: [...tools],
    textguard,
    packages: [...packages],
    depsChecked: parts.depsChecked,
    coverage,
    lines,
    directDependencies,
    ratings: ratingsOf({
      findings,
      tools,
      directDependencies,
      now,
      ...(coverage !== undefined && {
        source: { presentBytes: coverage.sourceBytes, analysedBytes: coverage.analysedBytes, lines },
        unread: withNotSeen(unreadIn(coverage), parts.notSeen),
      }),
    }),
    score: scoreOf(findings, now),
    summary: summaryOf(parts, findings),
    servers: [...servers],
    notes: [
      ...notes,
      ...(all.length > findings.length
        ? [`${all.length - findings.length} minor findings more are left out.`]
        : []),
    ],
    server: parts.server,
    usage: parts.usage ?? { promptTokens: 0, completionTokens: 0 },
  };
}
