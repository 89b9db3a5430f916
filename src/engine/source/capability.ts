/** Tools that are there for what is found: what they say of themselves, and what they are given for it. */
import { lastWord, shownAt, stepsOf, takenOut, wordAt } from './parameter-words.ts';
import type { Step } from './taint/taints.ts';
import { isAtLeast, oneStepDown, type Severity } from '#findings/severity.ts';
import type { Report } from './taint/frame.ts';

/** Whether a text has what a rule looks for. */
export const says = (pattern: string | undefined, text: string): boolean =>
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

/** Where its schema is known, a variable that it is put into has a name of its own. */
function namedBySchema({ taint: { source } }: Report, steps: readonly Step[]): string | undefined {
  const { inputs } = source;
  if (inputs === undefined) return undefined;
  for (const step of steps) {
    const code = shownAt(step);
    const words = [lastWord(code), takenOut.exec(code)?.[1]];
    const found = words.find((word) => word !== undefined && inputs.has(word));
    if (found !== undefined) return found;
  }
  return inputs.size === 1 ? [...inputs][0] : '';
}

/** What the tool calls the value that it was given: the first name on the way that is not one of all it was given. */
function parameterOf(report: Report): string {
  const { taint, module, at, end, declared } = report;
  if (declared !== undefined) return declared.name;
  const steps = stepsOf(taint.step);
  const inSchema = namedBySchema(report, steps);
  if (inSchema !== undefined && inSchema !== '') return inSchema;
  for (const step of inSchema === undefined ? steps : []) {
    const word = wordAt(step);
    if (word !== undefined) return word;
  }
  return takenOut.exec(module.text.slice(at, Math.min(end, at + 200)))?.[1] ?? '';
}

/** Whether nothing is put around what was given that makes it something else than the tool says it is. */
function isAsGiven({ sink, taint, isWhole }: Report, isNamed: boolean): boolean {
  if (isWhole) return true;
  const { around } = sink.rule;
  if (around === 'nothing' || !isNamed) return false;
  return around === 'anything' || taint.isBehind !== true;
}

/** Whether all that is said of the parameter says that its caller may choose this. */
function saysParameter({ declared, sink }: Report): boolean {
  const { choice } = sink.rule;
  return choice !== undefined && declared !== undefined && declared.said.every((each) => says(choice, each));
}

/** Whether a tool says in full what it lets its callers do, and does not promise less. */
function isPlain(report: Report, isSaid: boolean): boolean {
  const { sink, taint } = report;
  const { capability, limits } = sink.rule;
  // Only a tool that says what it does can be judged by that.
  if (capability === 'low' && taint.source.description !== '' && !breaksPromise(report)) return true;
  return isSaid && limits !== undefined && report.isLimited !== true;
}

/**
 * How bad it is where the tool is there for exactly this: its name, what it says of itself, what it calls the value or
 * what it says of that. Undefined where it is not.
 */
export function capabilityOf(report: Report): Severity | undefined {
  const { sink, taint } = report;
  const { purpose, said, parameter, severity } = sink.rule;
  const { kind, name, description } = taint.source;
  if (kind !== 'tool') return undefined;
  const isSaid = saysParameter(report);
  const isNamed = isSaid || (parameter !== undefined && says(parameter, spaced(parameterOf(report))));
  if (!isNamed && !says(purpose, spaced(name)) && !says(said, description)) return undefined;
  if (!isAsGiven(report, isNamed)) return undefined;
  if (isPlain(report, isSaid)) return 'low';
  return isAtLeast(severity, 'high') ? 'medium' : oneStepDown(severity);
}

/** Rules whose weakness is no more than what a tool that takes whole statements gives anybody. */
const ofStatements = new Set(['sql-injection']);

/** Whether a report shows that the server has a tool for any statement, which promises no less. */
const takesAny = (report: Report): boolean =>
  ofStatements.has(report.sink.rule.id) && report.isMatchedByName !== true && capabilityOf(report) === 'low';

/**
 * Reports of tools beside one that runs any statement for its callers: what they let in, that one asks for. Whoever leaves
 * that tool out, has a weakness still.
 */
export function withSurpassed(
  reports: readonly Report[],
  packageOf: (path: string) => string,
): readonly Report[] {
  const packages = new Set(reports.filter(takesAny).map(({ module }) => packageOf(module.path)));
  if (packages.size === 0) return reports;
  return reports.map((report) =>
    ofStatements.has(report.sink.rule.id) &&
    report.taint.source.kind === 'tool' &&
    packages.has(packageOf(report.module.path))
      ? { ...report, isSurpassed: true }
      : report,
  );
}
