import type { BuiltPlace, Step } from './taint/taints.ts';
import { type FlowStep, type FrameworkRef, type Location, type Observation } from '#findings/finding.ts';
import { keyOf } from '#findings/fingerprint.ts';
import { bySeverity, type Confidence, type Severity } from '#findings/severity.ts';
import { withPlaces } from './fold.ts';
import { locationOf, type Placed } from './locations.ts';
import type { DetectorRule, PatternRule, SourceRule } from './rules/rule.ts';
import { severityOfHit, severityOfReport } from './severity.ts';
import { capabilityOf } from './capability.ts';
import { firstStep, type Report } from './taint/frame.ts';
import { whose, type Whose } from './library/whose.ts';
import { type Served, textOfSource } from './source-texts.ts';
import { exampleOf } from './options-of-programs.ts';
import { type AlsoReached, alsoReached, isWithin } from './reached.ts';

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

function frameworksOf(rule: SourceRule): FrameworkRef[] {
  return [
    ...rule.cwe.map((id) => ({ framework: 'cwe', id })),
    ...(rule.owasp_mcp === undefined ? [] : [{ framework: 'owasp-mcp', id: rule.owasp_mcp }]),
  ];
}

const confidenceOf = ({ taint, isMatchedByName }: Report): Confidence =>
  isMatchedByName === true ? 'low' : taint.source.kind === 'exported' ? 'medium' : 'high';

const matchedByName = ' Which function a call on this way leads to was told by its name alone.';

/** The tools that a report may be of, where its source answers for all. */
const servedOf = ({ taint: { source, step } }: Report, served: Served): string[] =>
  source.isForAll === true && source.offers === undefined ? served(firstStep(step).module.path) : [];

/** Whose code it is, where it is not the project's own. */
const ownerText = ({ library, minified }: Whose): string => {
  if (library !== undefined) return ` It lies in the library ${library}, which the file contains.`;
  if (minified === 'page') return ' It lies in the script of a page, not in the server.';
  return minified === undefined
    ? ''
    : ' The file was made small by a machine: whose code it is cannot be told.';
};

const ownerTags = ({ library, minified }: Whose): string[] => [
  ...(library === undefined ? [] : ['library']),
  ...(minified === undefined ? [] : [`minified:${minified}`]),
];

/** What is said of such calls, or of all that the rule knows. */
const messageOf = ({ sink: { rule, sink } }: Report): string => sink.message ?? rule.message;

/** Found at its sink, or where a text is `built` that a function runs for several callers. */
function observe({ report, built, also }: Found, isUnlikely: boolean, served: Served): Observation {
  const { source } = report.taint;
  const names = servedOf(report, served);
  const { rule } = report.sink;
  const sink = locationOf(report.module, report.at, report.end);
  const callee = report.callee.replace(/^\?/, '').slice(0, 80);
  const library = whose(report.module, report.at);
  const isCapability = capabilityOf(report) !== undefined;
  const observed: Observation = {
    rule: rule.id,
    title: rule.title,
    description:
      messageOf(report)
        .replace('{source}', textOfSource(source, names))
        .replace('{sink}', callee)
        .replace('{example}', exampleOf(report.command)) +
      also.text +
      (report.isMatchedByName === true ? matchedByName : '') +
      (library.library === undefined ? '' : ownerText(library)),
    severity: severityOfReport(report, isUnlikely),
    confidence: confidenceOf(report),
    location: built === undefined ? sink : locationOf(built.module, built.at, built.end),
    remedy: rule.remediation,
    flow: flowOf(report.taint.step, sink, callee),
    tags: [
      'kind:taint',
      report.taint.source.kind,
      ...(isCapability ? ['capability'] : []),
      ...(report.isSurpassed === true && !isCapability ? ['surpassed'] : []),
      ...(library.library === undefined ? [] : ['library']),
      ...also.tags,
    ],
    frameworks: frameworksOf(rule),
    ...(source.kind === 'tool' ? { subject: source.name } : {}),
  };
  return withPlaces(source.isForAll === true ? ofOneTool(observed, names) : observed, also.places);
}

/** With the tool that it is of, where there is but one; its fingerprint is that of the function that answers. */
function ofOneTool(observed: Observation, names: readonly string[]): Observation {
  const { subject: _, ...others } = observed;
  const [only] = names.length === 1 ? names : [];
  return { ...others, fingerprintKey: keyOf(observed), ...(only !== undefined && { subject: only }) };
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
  /** A place that it was told by as well, such as where credentials are read that are sent away. */
  beside?: { at: number; end: number };
}

/** What is shown of a secret. */
export const masked = (text: string): string =>
  text.length <= 8 ? '****' : `${text.slice(0, 3)}…${'*'.repeat(6)}`;

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
  beside,
}: PlacedHit): Observation {
  const location = locationOf(module, at, end);
  const owner = whose(module, at);
  const isOwned = ['pattern', 'secret', 'project'].includes(rule.kind);
  if (isSecret && location.snippet !== undefined) {
    const secret = module.text.slice(at, end);
    location.snippet = location.snippet.split(secret).join(masked(secret));
  }
  return {
    rule: rule.id,
    title: rule.title,
    description: rule.message.replace('{source}', what) + (isOwned ? ownerText(owner) : ''),
    severity: severityOfHit({ rule, module, at, severity }),
    confidence,
    location,
    remedy: rule.remediation,
    tags: [`kind:${rule.kind}`, ...(isOwned ? ownerTags(owner) : [])],
    frameworks: frameworksOf(rule),
    ...(subject === undefined ? {} : { subject }),
    ...(beside === undefined ? {} : { flow: flowOfBoth(module, beside, location) }),
  };
}

/** The two places that a behaviour was told by. */
function flowOfBoth(
  module: Placed,
  { at, end }: { at: number; end: number },
  location: Location,
): FlowStep[] {
  const text = (place: Location): string => (place.snippet ?? '').trim().slice(0, 120);
  const first = locationOf(module, at, end, 0);
  const line = module.text.split('\n', location.startLine)[(location.startLine ?? 1) - 1] ?? '';
  return [
    { location: first, role: 'source', text: text(first) },
    { location, role: 'sink', text: line.trim().slice(0, 120) },
  ];
}

const rank = { tool: 0, http: 0, archive: 0, token: 0, exported: 1 };

/** Of two ways to one place the one that counts: from a handler rather than from an exported function, the worse. */
function isWorse(report: Report, known: Report, isUnlikely: boolean): boolean {
  // Of a parameter that is known more can be told than of all that the function before it was given.
  const isSpecific = report.isUnspecific !== true;
  if (report.taint.source.kind === 'tool' && known.taint.source.kind === 'tool')
    if (isSpecific !== (known.isUnspecific !== true)) return isSpecific;
  const difference = rank[report.taint.source.kind] - rank[known.taint.source.kind];
  if (difference !== 0 || known.taint.source.kind === 'exported') return difference < 0;
  return bySeverity(severityOfReport(report, isUnlikely), severityOfReport(known, isUnlikely)) < 0;
}

/**
 * Reports of one weakness. Nobody knows who gives an exported function what it is given: what it does with that in one
 * function, by the same call, is said once.
 */
function weaknessesOf(reports: readonly Report[]): Report[][] {
  const groups = new Map<string, Report[]>();
  for (const report of reports) {
    const { sink, module, taint, at, fn, callee } = report;
    const place =
      taint.source.kind === 'exported'
        ? `from ${firstStep(taint.step).at} in ${fn?.at ?? ''}: ${callee}`
        : `at ${at}`;
    const key = `${sink.rule.id}\0${module.path}\0${place}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [report]);
    else group.push(report);
  }
  return [...groups.values()];
}

/** A report, where it is told of if that is not its sink, and what else gets there. */
interface Found {
  report: Report;
  built?: BuiltPlace;
  also: AlsoReached;
}

const placeKey = ({ sink, module, at }: Report): string => `${sink.rule.id}:${module.path}:${at}`;

const placed = (place: string, { report }: { report: Report }): string => `${report.sink.rule.id} ${place}`;

/**
 * Texts that one function runs for several callers: each caller's is a weakness of its own, which is mended where it is
 * put together.
 */
function ofCallers(reports: readonly Report[]): Found[] {
  const bySink = new Map<string, Map<string, { report: Report; built: BuiltPlace; all: Report[] }>>();
  for (const report of reports) {
    const { builtAt: built, source } = report.taint;
    // Lists that are given to one function are one weakness: it starts what none of them keeps in bounds.
    if (built === undefined || built.isList === true || isWithin(built, report)) continue;
    if (source.kind === 'exported' || source.kind === 'token') continue;
    // Who calls is known by a name alone.
    if (report.isMatchedByName === true) continue;
    const key = placeKey(report);
    const callers =
      bySink.get(key) ?? new Map<string, { report: Report; built: BuiltPlace; all: Report[] }>();
    bySink.set(key, callers);
    const place = `${built.module.path}:${built.at}`;
    const known = callers.get(place);
    if (known === undefined) callers.set(place, { report, built, all: [report] });
    else known.all.push(report);
  }
  const several = [...bySink.values()].filter(({ size }) => size > 1).flatMap((callers) => [...callers]);
  const once = new Map(several.toReversed().map(([place, each]) => [placed(place, each), each]));
  return [...once.values()].map(({ report, built, all }) => ({
    report,
    built,
    also: alsoReached(report, all),
  }));
}

/** Whether a way leads on from a place where a statement was only made ready. */
function leadsThrough({ sink, taint }: Report, prepared: Report): boolean {
  if (sink.rule.id !== prepared.sink.rule.id || sink.sink.prepares === true) return false;
  for (let step: Step | undefined = taint.step; step !== undefined; step = step.before)
    if (step.module === prepared.module && step.at === prepared.at) return true;
  return false;
}

/** Without the places where a statement was made ready that another place then runs. */
function withoutPrepared(reports: readonly Report[]): readonly Report[] {
  const prepared = reports.filter(({ sink }) => sink.sink.prepares === true);
  if (prepared.length === 0) return reports;
  const told = new Set(prepared.filter((each) => reports.some((report) => leadsThrough(report, each))));
  return reports.filter((each) => !told.has(each));
}

/** One observation for each weakness, and of each place once. */
export function observeAll(all: readonly Report[], isUnlikely: boolean, served: Served): Observation[] {
  const reports = withoutPrepared(all);
  const byPlace = Map.groupBy(reports, placeKey);
  const best = new Map<string, Report>();
  for (const report of reports) {
    const key = placeKey(report);
    const known = best.get(key);
    if (known === undefined || isWorse(report, known, isUnlikely)) best.set(key, report);
  }
  const found = weaknessesOf([...best.values()]).flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [
          withPlaces(
            observe(
              { report: first, also: alsoReached(first, byPlace.get(placeKey(first)) ?? []) },
              isUnlikely,
              served,
            ),
            others.map(({ module, at, end }) => locationOf(module, at, end)),
          ),
        ],
  );
  return [...found, ...ofCallers(reports).map((each) => observe(each, isUnlikely, served))];
}
