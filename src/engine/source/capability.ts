/** Tools that are there for what is found: what they say of themselves, and what they are given for it. */
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

/** Names of all that a tool was given, of the tool, and of what only passes on. */
const generic =
  /^_?(?:raw|parsed|validated|safe|tool|call|typed)?_?(?:args?|arguments|params?|parameters|input|inputs|req|request|body|data|payload|options|opts|props|message|call|event|name|tool|values?|result|this|self|_?[a-z])\d*$/i;

const shownAt = ({ module, at, end }: Step): string => module.text.slice(at, Math.min(end, at + 200));

/** `query` of `args.query.trim()`, of `args["query"]` and of `query: str` */
function lastWord(code: string): string | undefined {
  const bare = code
    .replace(/\.(?:trim|strip|toString|to_string|to_owned|clone|as_str)\(\)$/, '')
    .replace(/\[["'](\w+)["']\]$/, '.$1')
    .replace(/^(\w+)\s*[:=].*$/s, '$1');
  return /^[\w.?!$]*?(\w+)$/.exec(bare)?.[1];
}

/** `params.url` in the call itself, where all of what was given comes as far as that. */
const takenOut = /\b(?:args?|arguments|params|input|request|body|data|payload|options)\??\.(\w+)/;

/** A variable whose text is put together, `command = `ls ${args.path}``, is the server's and no name of what was given. */
const putTogether = /^\s*(?::[^=\n]{0,60})?(?:\+=|=(?!=)\s*(?=[fF]?["'`]|[^;\n]*(?:\$\{|\s\+\s)))(.*)/;

/** What a step calls the value; empty where it is put into a text there, behind which names are of that text. */
function wordAt(step: Step): string | undefined {
  const { module, end } = step;
  const built = putTogether.exec(module.text.slice(end, end + 200));
  if (built !== null) return takenOut.exec(built[1] ?? '')?.[1] ?? '';
  const word = lastWord(shownAt(step));
  return word !== undefined && generic.test(word) ? undefined : word;
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
  const { taint, module, at, end } = report;
  const steps: Step[] = [];
  for (let step: Step | undefined = taint.step; step !== undefined; step = step.before) steps.push(step);
  steps.reverse();
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

/**
 * How bad it is where the tool is there for exactly this: its name, what it says of itself or what it calls the value
 * tells. Undefined where it is not.
 */
export function capabilityOf(report: Report): Severity | undefined {
  const { sink, taint } = report;
  const { purpose, said, parameter, severity, capability } = sink.rule;
  const { kind, name, description } = taint.source;
  if (kind !== 'tool') return undefined;
  const isNamed = parameter !== undefined && says(parameter, spaced(parameterOf(report)));
  if (!isNamed && !says(purpose, spaced(name)) && !says(said, description)) return undefined;
  if (!isAsGiven(report, isNamed)) return undefined;
  // Only a tool that says what it does can be judged by that.
  if (capability === 'low' && description !== '' && !breaksPromise(report)) return 'low';
  return isAtLeast(severity, 'high') ? 'medium' : oneStepDown(severity);
}
