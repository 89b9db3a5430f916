/** What the code on a way calls the value that goes along it. */
import type { Step } from './taint/taints.ts';

/** Names of all that a tool was given, of the tool, and of what only passes on. */
export const generic =
  /^_?(?:raw|parsed|validated|safe|tool|call|typed)?_?(?:args?|arguments|params?|parameters|input|inputs|req|request|body|data|payload|options|opts|props|message|call|event|name|tool|values?|result|this|self|_?[a-z])\d*$/i;

export const shownAt = ({ module, at, end }: Step): string => module.text.slice(at, Math.min(end, at + 200));

/** `query` of `args.query.trim()`, of `args["query"]` and of `query: str` */
export function lastWord(code: string): string | undefined {
  const bare = code
    .replace(/\.(?:trim|strip|toString|to_string|to_owned|clone|as_str)\(\)$/, '')
    .replace(/\[["'](\w+)["']\]$/, '.$1')
    .replace(/^(\w+)\s*[:=].*$/s, '$1');
  return /^[\w.?!$]*?(\w+)$/.exec(bare)?.[1];
}

/** `params.url` in the call itself, where all of what was given comes as far as that. */
export const takenOut =
  /\b(?:args?|arguments|params|input|request|body|data|payload|options)(?:\??\.(?:args|arguments|params|input|body|data|options)\b)*\??\.(\w+)/;

/** A variable whose text is put together, `command = `ls ${args.path}``, is the server's and no name of what was given. */
export const putTogether = /^\s*(?::[^=\n]{0,60})?(?:\+=|=(?!=)\s*(?=[fF]?["'`]|[^;\n]*(?:\$\{|\s\+\s)))(.*)/;

/** What a step calls the value; empty where it is put into a text there, behind which names are of that text. */
export function wordAt(step: Step): string | undefined {
  const { module, end } = step;
  const built = putTogether.exec(module.text.slice(end, end + 200));
  if (built !== null) return takenOut.exec(built[1] ?? '')?.[1] ?? '';
  const word = lastWord(shownAt(step));
  return word !== undefined && generic.test(word) ? undefined : word;
}

/** A way from its beginning. */
export function stepsOf(last: Step): Step[] {
  const steps: Step[] = [];
  for (let step: Step | undefined = last; step !== undefined; step = step.before) steps.push(step);
  return steps.toReversed();
}
