/** How bad what was found is, by what the tool is there for, by whose code it is and by who can get there. */
import { isAtLeast, oneStepDown, type Severity } from '#findings/severity.ts';
import { capabilityOf, says } from './capability.ts';
import { libraryAt } from './library/library-parts.ts';
import { whose } from './library/whose.ts';
import type { SourceModule } from './modules.ts';
import type { DetectorRule, PatternRule } from './rules/rule.ts';
import { firstStep, type Report } from './taint/frame.ts';

const aside =
  /(?:^|\/)(?:tests?|__tests__|testing|spec|specs|examples?|samples?|demos?|benchmarks?|bench|scripts?|fixtures?|e2e|docs)\/|(?:\.|_)(?:test|spec)\.[a-z]+$|(?:^|\/)(?:test_[^/]*|conftest|setup|build)\.(?:py|rs|[jt]s)$/i;

/** Whether a file is a test, an example or a build script. */
const isAside = ({ path, isStarted }: Pick<SourceModule, 'path' | 'isStarted'>): boolean =>
  isStarted !== true && aside.test(path.replace(/(?:com|org|net)\/example\//, ''));

const atMost = (severity: Severity, most: Severity): Severity =>
  isAtLeast(severity, most) ? most : severity;

/** What a command line does is asked for by whoever sits before it. */
const commandLine = /(?:^|\/)cli(?:\/|[-.][^/]*$)/i;

/**
 * Whoever calls an exported function was not seen. In a server a way from one of its tools may have been lost, and such a
 * way is as bad as any; a library leaves it to its users.
 */
function exportedSeverity({ sink, isWhole, taint }: Report, isUnlikely: boolean): Severity {
  const { severity, purpose } = sink.rule;
  const isPurpose = isWhole && says(purpose, taint.source.name);
  const isLeft = isUnlikely || commandLine.test(firstStep(taint.step).module.path);
  if (!isPurpose && (!isLeft || severity === 'critical')) return atMost(severity, 'medium');
  return oneStepDown(atMost(oneStepDown(severity), 'medium'));
}

/**
 * What lies in a library is the library's where nothing of the project leads there. A tool that says what it is is the
 * project's, whatever stands above it: marks in a file are its author's.
 */
function inLibrary(report: Report, severity: Severity): Severity {
  if (libraryAt(report.module, report.at) === undefined) return severity;
  const { source, step } = report.taint;
  const first = firstStep(step);
  const isLibrarys = libraryAt(first.module, first.at) !== undefined;
  if (isLibrarys && (source.kind !== 'tool' || source.description === '')) return atMost(severity, 'low');
  return severity === 'medium' ? 'low' : severity;
}

/** Programs whose first word is the one that gets the options. */
const runners = /^(?:npx|bunx|uvx|pipx|xcrun)$/;

/** Whether the program that is started, where it is known, is one of those that a rule names. */
function isKnownToHarm({ sink, command }: Report): boolean {
  const { programs } = sink.rule;
  const [first = '', second = ''] = command?.split(' ') ?? [];
  const program = runners.test(first) && /^\w/.test(second) ? second : first;
  return programs === undefined || program === '' || new RegExp(programs).test(program);
}

/** @param isUnlikely whether a way from a tool to what is exported is unlikely: of a library, or where tools lead to most of the rest */
export function severityOfReport(report: Report, isUnlikely: boolean): Severity {
  let severity =
    report.taint.source.kind === 'exported'
      ? exportedSeverity(report, isUnlikely)
      : (capabilityOf(report) ?? report.sink.rule.severity);
  // A tool beside it gives its callers as much by design.
  if (report.isSurpassed === true) severity = atMost(severity, 'medium');
  // Clients are told what may stand there, and most keep to it: whether the server does was not seen.
  if (report.declared?.isNarrow === true || report.taint.isPort === true)
    severity = atMost(severity, 'medium');
  if (!isKnownToHarm(report)) severity = atMost(severity, 'medium');
  // Nobody knows for certain that the call leads there.
  if (report.isMatchedByName === true) severity = atMost(severity, 'medium');
  severity = inLibrary(report, severity);
  return isAside(report.module) ? oneStepDown(severity) : severity;
}

interface Hit {
  rule: PatternRule | DetectorRule;
  module: Pick<SourceModule, 'path' | 'text' | 'isStarted'>;
  at: number;
  severity: Severity;
}

/** Of secrets in a page, everybody who visits it reads them: they are seldom meant to be any. */
function inPage({ rule }: Hit, severity: Severity): Severity {
  return rule.kind === 'secret' ? oneStepDown(severity) : atMost(severity, 'low');
}

/** Whether a rule tells what nobody means to do, so that in a library it is the library's. */
const mayBeOversight = (rule: Hit['rule']): boolean =>
  ((rule.kind === 'pattern' || rule.kind === 'project') && !isAtLeast(rule.severity, 'high')) ||
  (rule.kind === 'pattern' && rule.oversight === true);

/** Who wrote what is found: a weakness of a library, or of the script of a page, is not the server's. */
function byOwner(hit: Hit): Severity {
  const { rule, module, at, severity } = hit;
  // What a server does on purpose is its own, wherever its author put it; so is what is worse than an oversight.
  const isOversight = mayBeOversight(rule);
  if (rule.kind !== 'secret' && !isOversight) return severity;
  const { library, minified } = whose(module, at);
  if (isOversight && library !== undefined) return atMost(severity, 'low');
  if (minified === 'page') return inPage(hit, severity);
  // How the server as a whole is reached can be told from any file.
  const isOfServer = rule.kind === 'pattern' && rule.per === 'server';
  return minified === 'bundle' && isOversight && !isOfServer ? atMost(severity, 'low') : severity;
}

/** How bad is what is found by how it is written. */
export function severityOfHit(hit: Hit): Severity {
  const severity = byOwner(hit);
  return isAside(hit.module) ? oneStepDown(oneStepDown(severity)) : severity;
}
