/** How bad what was found is, by what the tool is there for, by whose code it is and by who can get there. */
import { isAtLeast, oneStepDown, type Severity } from '#findings/severity.ts';
import { libraryAt } from './library/library-parts.ts';
import { whose } from './library/whose.ts';
import type { SourceModule } from './modules.ts';
import type { DetectorRule, PatternRule } from './rules/rule.ts';
import type { Report } from './taint/frame.ts';
import { firstStep } from './taint/value.ts';

const aside =
  /(?:^|\/)(?:tests?|__tests__|testing|spec|specs|examples?|samples?|demos?|benchmarks?|bench|scripts?|fixtures?|e2e|docs)\/|(?:\.|_)(?:test|spec)\.[a-z]+$|(?:^|\/)(?:test_[^/]*|conftest|setup|build)\.(?:py|rs|[jt]s)$/i;

/** Whether a file is a test, an example or a build script. */
const isAside = (path: string): boolean => aside.test(path.replace(/(?:com|org|net)\/example\//, ''));

const says = (pattern: string | undefined, text: string): boolean =>
  pattern !== undefined && new RegExp(pattern, 'i').test(text);

const spaced = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, '$1_$2');

/** The line that sets what a method is called on: `lite` of `lite.prepare(sql)`. */
function openingOf({ module, at }: Report): string {
  const receiver = /^[\w.]*?(\w+)\.\w+\(/.exec(module.text.slice(at, at + 200))?.[1];
  if (receiver === undefined) return '';
  return new RegExp(String.raw`\b${receiver}\s*(?::[^=\n]*)?=[^=].*`).exec(module.text)?.[0] ?? '';
}

/**
 * A tool that says that it does less than it can: `Runs a read-only query`, or a check that was meant to make it one.
 * Only how the connection was opened keeps that.
 */
function breaksPromise(report: Report): boolean {
  const { promises, keeps } = report.sink.rule;
  const { name, description } = report.taint.source;
  const own = report.fn === undefined ? '' : report.module.text.slice(report.fn.at, report.fn.end);
  if (!says(promises, `${spaced(name)} ${description}\n${own}`)) return false;
  return !says(keeps, `${own}\n${openingOf(report)}`);
}

/**
 * How bad it is where the tool is there for exactly this, with nothing put around what it is given; undefined where it
 * is not.
 */
export function capabilityOf(report: Report): Severity | undefined {
  const { sink, taint, isWhole } = report;
  const { purpose, said, severity, capability } = sink.rule;
  const { kind, name, description } = taint.source;
  if (!isWhole || kind !== 'tool') return undefined;
  if (!says(purpose, spaced(name)) && !says(said, description)) return undefined;
  const declared = sink.sink.capability ?? capability;
  if (declared === 'low' && !breaksPromise(report)) return 'low';
  return isAtLeast(severity, 'high') ? 'medium' : oneStepDown(severity);
}

/** Where handlers are known and none of them comes by, it is less likely that anybody outside does. */
function exportedSeverity({ sink, isWhole, taint }: Report, hasHandlers: boolean): Severity {
  const { severity, purpose } = sink.rule;
  const isPurpose = isWhole && says(purpose, taint.source.name);
  const lower = oneStepDown(severity);
  if (isPurpose || (hasHandlers && severity !== 'critical'))
    return oneStepDown(lower === 'high' ? 'medium' : lower);
  return lower === 'high' ? 'medium' : lower;
}

const atMost = (severity: Severity, most: Severity): Severity => (isAtLeast(severity, most) ? most : severity);

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

export function severityOfReport(report: Report, hasHandlers: boolean): Severity {
  let severity =
    report.taint.source.kind === 'exported'
      ? exportedSeverity(report, hasHandlers)
      : (capabilityOf(report) ?? report.sink.rule.severity);
  // Nobody knows for certain that the call leads there.
  if (report.isMatchedByName === true) severity = atMost(severity, 'medium');
  severity = inLibrary(report, severity);
  return isAside(report.module.path) ? oneStepDown(severity) : severity;
}

interface Hit {
  rule: PatternRule | DetectorRule;
  module: Pick<SourceModule, 'path' | 'text'>;
  at: number;
  severity: Severity;
}

/** Of secrets in a page, everybody who visits it reads them: they are seldom meant to be any. */
function inPage({ rule }: Hit, severity: Severity): Severity {
  return rule.kind === 'secret' ? oneStepDown(severity) : atMost(severity, 'low');
}

/** Who wrote what is found: a weakness of a library, or of the script of a page, is not the server's. */
function byOwner(hit: Hit): Severity {
  const { rule, module, at, severity } = hit;
  // What a server does on purpose is its own, wherever its author put it.
  if (rule.kind !== 'pattern' && rule.kind !== 'secret') return severity;
  const { library, minified } = whose(module, at);
  if (rule.kind === 'pattern' && library !== undefined) return atMost(severity, 'low');
  if (minified === 'page') return inPage(hit, severity);
  // How the server as a whole is reached can be told from any file.
  const isOfServer = rule.kind === 'pattern' && rule.per === 'server';
  return minified === 'bundle' && rule.kind === 'pattern' && !isOfServer ? atMost(severity, 'low') : severity;
}

/** How bad is what is found by how it is written. */
export function severityOfHit(hit: Hit): Severity {
  const severity = byOwner(hit);
  return isAside(hit.module.path) ? oneStepDown(oneStepDown(severity)) : severity;
}
