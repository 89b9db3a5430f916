import { type FlowStep, type FrameworkRef, type Location, type Observation } from '#findings/finding.ts';
import { type Confidence, oneStepDown, type Severity } from '#findings/severity.ts';
import type { SourceModule } from './modules.ts';
import type { DetectorRule, PatternRule, SourceRule } from './rules/rule.ts';
import type { Report } from './taint/frame.ts';
import type { Source, Step } from './taint/value.ts';

/** A text with places in it. */
type Placed = Pick<SourceModule, 'path' | 'text'>;

const lineStarts = new WeakMap<Placed, number[]>();

function startsOf(module: Placed): number[] {
  let starts = lineStarts.get(module);
  if (starts === undefined) {
    starts = [0];
    for (let at = module.text.indexOf('\n'); at >= 0; at = module.text.indexOf('\n', at + 1))
      starts.push(at + 1);
    lineStarts.set(module, starts);
  }
  return starts;
}

function placeOf(module: Placed, offset: number): { line: number; column: number } {
  const starts = startsOf(module);
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
}

const longestLine = 300;

/** A place with the lines around it, at most three before and behind. */
function locationOf(module: Placed, at: number, end: number, around = 3): Location {
  const [start, stop] = [placeOf(module, at), placeOf(module, Math.max(at, end))];
  const starts = startsOf(module);
  const first = Math.max(0, start.line - 1 - around);
  const last = Math.min(starts.length, Math.min(stop.line, start.line + 5) + around);
  const snippet = module.text
    .slice(starts[first] ?? 0, starts[last] ?? module.text.length)
    .split('\n')
    .map((line) => line.slice(0, longestLine))
    .join('\n')
    .trimEnd();
  return {
    path: module.path,
    startLine: start.line,
    endLine: stop.line,
    startColumn: start.column,
    endColumn: stop.column,
    snippet,
  };
}

export const lineOf = (module: Placed, at: number): number => placeOf(module, at).line;

function flowOf(last: Step, sink: Location, sinkText: string): FlowStep[] {
  const steps: Step[] = [];
  for (let step: Step | undefined = last; step !== undefined; step = step.before) steps.push(step);
  const flow = steps.toReversed().map(({ module, at, end, text }, index): FlowStep => ({
    location: locationOf(module, at, end, 0),
    role: index === 0 ? 'source' : 'step',
    text: (text === '' ? module.text.slice(at, Math.min(end, at + 120)).split('\n')[0] : text) ?? '',
  }));
  return [...flow, { location: sink, role: 'sink', text: sinkText }];
}

const aside =
  /(?:^|\/)(?:tests?|__tests__|testing|spec|specs|examples?|samples?|demos?|benchmarks?|bench|scripts?|fixtures?|e2e|docs)\/|(?:\.|_)(?:test|spec)\.[a-z]+$|(?:^|\/)(?:test_[^/]*|conftest|setup|build)\.(?:py|rs|[jt]s)$/i;

/** Whether a file is a test, an example or a build script. */
const isAside = (path: string): boolean => aside.test(path.replace(/(?:com|org|net)\/example\//, ''));

function frameworksOf(rule: SourceRule): FrameworkRef[] {
  return [
    ...rule.cwe.map((id) => ({ framework: 'cwe', id })),
    ...(rule.owasp_mcp === undefined ? [] : [{ framework: 'owasp-mcp', id: rule.owasp_mcp }]),
  ];
}

/** A tool that is there for exactly this, with nothing put around what it is given. */
const isCapability = ({ sink, taint, isWhole }: Report): boolean => {
  const { purpose } = sink.rule;
  if (purpose === undefined || !isWhole || taint.source.kind !== 'tool') return false;
  return new RegExp(purpose, 'i').test(taint.source.name.replaceAll(/([a-z])([A-Z])/g, '$1_$2'));
};

/** Where handlers are known and none of them comes by, it is less likely that anybody outside does. */
function exportedSeverity({ sink, isWhole, taint }: Report, hasHandlers: boolean): Severity {
  const { severity, purpose } = sink.rule;
  const isPurpose = isWhole && purpose !== undefined && new RegExp(purpose, 'i').test(taint.source.name);
  const lower = oneStepDown(severity);
  if (isPurpose || (hasHandlers && severity !== 'critical'))
    return oneStepDown(lower === 'high' ? 'medium' : lower);
  return lower === 'high' ? 'medium' : lower;
}

function severityOf(report: Report, hasHandlers: boolean): Severity {
  let { severity } = report.sink.rule;
  if (report.taint.source.kind === 'exported') severity = exportedSeverity(report, hasHandlers);
  else if (isCapability(report))
    severity = severity === 'critical' || severity === 'high' ? 'medium' : oneStepDown(severity);
  // Nobody knows for certain that the call leads there.
  if (report.isMatchedByName === true && (severity === 'critical' || severity === 'high'))
    severity = 'medium';
  return isAside(report.module.path) ? oneStepDown(severity) : severity;
}

const confidenceOf = ({ taint, isMatchedByName }: Report): Confidence =>
  isMatchedByName === true ? 'low' : taint.source.kind === 'exported' ? 'medium' : 'high';

const matchedByName = ' Which function a call on this way leads to was told by its name alone.';

const sourceTexts: Readonly<Record<Source['kind'], (name: string) => string>> = {
  tool: (name) => `the input of the tool "${name}"`,
  http: (name) => `the HTTP request to "${name}"`,
  archive: () => 'the name of an entry of an archive',
  exported: (name) => `a parameter of the exported function "${name}"`,
};

const sourceText = ({ taint: { source } }: Report): string => sourceTexts[source.kind](source.name);

function observe(report: Report, hasHandlers: boolean): Observation {
  const { rule } = report.sink;
  const location = locationOf(report.module, report.at, report.end);
  const callee = report.callee.replace(/^\?/, '').slice(0, 80);
  return {
    rule: rule.id,
    title: rule.title,
    description:
      rule.message.replace('{source}', sourceText(report)).replace('{sink}', callee) +
      (report.isMatchedByName === true ? matchedByName : ''),
    severity: severityOf(report, hasHandlers),
    confidence: confidenceOf(report),
    location,
    remedy: rule.remediation,
    flow: flowOf(report.taint.step, location, callee),
    tags: ['kind:taint', report.taint.source.kind, ...(isCapability(report) ? ['capability'] : [])],
    frameworks: frameworksOf(rule),
    ...(report.taint.source.kind === 'tool' ? { subject: report.taint.source.name } : {}),
  };
}

/** What a rule finds by how it is written, without a way that leads there. */
export interface PlacedHit {
  rule: PatternRule | DetectorRule;
  module: Placed;
  at: number;
  end: number;
  /** As a reader knows it. */
  what: string;
  severity?: Severity;
  confidence?: Confidence;
  /** The place itself must not be repeated. */
  isSecret?: boolean;
  subject?: string;
}

const masked = (text: string): string => (text.length <= 8 ? '****' : `${text.slice(0, 3)}…${'*'.repeat(6)}`);

export function observeHit({
  rule,
  module,
  at,
  end,
  what,
  severity = rule.severity,
  confidence = rule.confidence,
  isSecret = false,
  subject,
}: PlacedHit): Observation {
  const location = locationOf(module, at, end);
  if (isSecret && location.snippet !== undefined) {
    const secret = module.text.slice(at, end);
    location.snippet = location.snippet.split(secret).join(masked(secret));
  }
  return {
    rule: rule.id,
    title: rule.title,
    description: rule.message.replace('{source}', what),
    severity: isAside(module.path) ? oneStepDown(oneStepDown(severity)) : severity,
    confidence,
    location,
    remedy: rule.remediation,
    tags: [`kind:${rule.kind}`],
    frameworks: frameworksOf(rule),
    ...(subject === undefined ? {} : { subject }),
  };
}

/** One observation for each rule and place: from a handler rather than from an exported function. */
export function observeAll(reports: readonly Report[], hasHandlers: boolean): Observation[] {
  const best = new Map<string, Report>();
  const rank = { tool: 0, http: 1, archive: 2, exported: 3 };
  for (const report of reports) {
    const key = `${report.sink.rule.id}:${report.module.path}:${report.at}`;
    const known = best.get(key);
    const isBetter =
      known === undefined ||
      rank[report.taint.source.kind] < rank[known.taint.source.kind] ||
      (report.taint.source.kind === known.taint.source.kind && isCapability(known) && !isCapability(report));
    if (isBetter) best.set(key, report);
  }
  return [...best.values()].map((report) => observe(report, hasHandlers));
}
