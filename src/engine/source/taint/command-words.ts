/** The words of a command, and which of them another program reads. */
import type { SinkOf } from '../rules/rule-set.ts';
import type { Called, Given } from './frame.ts';
import type { Taint } from './taints.ts';
import { allTaints, type Value } from './value.ts';

const isListOf = ({ fields }: Value): boolean =>
  fields !== undefined && fields.size > 0 && [...fields.keys()].every((name) => /^(?:\*|\d+)$/.test(name));

const isWord = ({ constant, fields, taints, beginning, ref }: Value): boolean =>
  constant !== undefined ||
  fields !== undefined ||
  taints.length > 0 ||
  beginning !== undefined ||
  ref === 'sys.executable';

/** A word of a command, or several in one place: of a list that is put in. */
type Word = readonly [word: Value, isSeveral: boolean];

function placesIn(values: readonly Value[]): Word[] {
  const words: Word[] = [];
  for (const value of values)
    if (isListOf(value))
      words.push(...[...(value.fields ?? [])].map(([name, word]): Word => [word, name === '*']), [
        { taints: value.taints },
        true,
      ]);
    else words.push([value, false]);
  return words.filter(([word]) => isWord(word));
}

/** The words of a command in their order: `exec.Command("git", "log", "--", file)`, and what a list of them holds. */
export const wordsIn = (values: readonly Value[]): Value[] => placesIn(values).map(([word]) => word);

/** The same as a list, from the first of some places on. */
export function wordsFrom(places: readonly number[], positional: readonly Given[]): Value {
  const given = positional.slice(Math.min(...places));
  const words = given.flatMap(({ value, isSpread }): Word[] =>
    isSpread && !isListOf(value) && isWord(value) ? [[value, true]] : placesIn([value]),
  );
  return {
    taints: [],
    fields: new Map(words.map(([word, isSeveral], at) => [`${at}${isSeveral ? '*' : ''}`, word])),
  };
}

const shells = /(?:^|\/)(?:ba|z|da|k|a)?sh$|^cmd(?:\.exe)?$|^powershell|^pwsh/;
/** The option of a shell behind which its script stands. */
export const takesScript = /^-\w*c$|^\/[cC]$|^-(?:Command|EncodedCommand)$/;

/** Shells that read one word as their script: what stands behind it is given to the script. */
const posixShell = /(?:^|\/)(?:ba|z|da|k|a)?sh$/;
/** The same as behind `-c` of `sh`, where what stands before is the program. */
export const readsOneWord = (program: string, option: Value['constant']): boolean =>
  posixShell.test(program) && typeof option === 'string' && /^-\w*c$/.test(option);

/** Languages that take a program's text behind an option. */
const interpreters: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/(?:^|\/)(?:python[\d.]*|pypy3?|ipython)$/, /^-\w*c$/],
  [/(?:^|\/)(?:node|bun|deno|tsx)$/, /^(?:-e|-p|-pe|--eval|--print|eval)$/],
  [/(?:^|\/)(?:perl|ruby|lua|luajit|Rscript|julia|elixir|groovy|osascript|scala|ghc|swipl)$/, /^-\w*[eE]$/],
  [/(?:^|\/)php\d*$/, /^-[rBRE]$/],
];

const takesText = (program: string, option: string): boolean =>
  interpreters.some(([name, taking]) => name.test(program) && taking.test(option));

/** Whether a program is a shell. */
export const isShell = (program: string): boolean => shells.test(program);

/** What runs Python is Python, wherever it lies. */
const textOfWord = ({ constant, ref }: Value): string =>
  typeof constant === 'string' ? constant : ref === 'sys.executable' ? 'python' : '';

/** `adb shell`, `su -c` */
const startsByWord = (program: string, word: string): boolean =>
  (/(?:^|\/)adb$/.test(program) && /^(?:shell|exec-out)$/.test(word)) ||
  (/(?:^|\/)(?:su|runuser|script)$/.test(program) && word === '-c');

/** What a shell of another machine or container reads, or an interpreter: behind `adb shell`, `docker exec … sh -c`, `su -c`. */
function innerShell(words: readonly Value[]): readonly Value[] {
  const texts = words.map(textOfWord);
  const [program = ''] = texts;
  for (const [at, word] of texts.entries()) {
    if (at === 0) continue;
    const next = texts[at + 1] ?? '';
    // What stands behind a script is given to it.
    if (readsOneWord(word, next)) return words.slice(at + 2, at + 3);
    if (shells.test(word) && takesScript.test(next)) return words.slice(at + 2);
    if (takesText(texts[at - 1] ?? '', word)) return words.slice(at + 1, at + 2);
    if (startsByWord(program, word)) return words.slice(at + 1);
  }
  return [];
}

/** What a shell reads that another program starts. */
export const taintsOfInner = (words: readonly Value[]): readonly Taint[] =>
  innerShell(words).flatMap(allTaints);

/** Of a list that begins with a shell, or has one within: what that reads. */
export function taintsOfScript(list: Value): readonly Taint[] {
  if (!isListOf(list)) return [];
  const words = wordsIn([list]);
  return innerShell([{ taints: [], constant: '' }, ...words]).flatMap(allTaints);
}

const isFirstWord = /^[a-z][a-z-]*$/;

/** A program and the first of its words that is no option, as `git clone`; undefined where the program is not known. */
function commandOf(words: readonly Value[]): string | undefined {
  const texts = words.map(({ constant }) => (typeof constant === 'string' ? constant : ''));
  const [program = '', ...others] = texts;
  const name =
    program
      .split(/[/\\]/)
      .at(-1)
      ?.replace(/\.exe$/, '') ?? '';
  if (name === '' || /\s/.test(name)) return undefined;
  const first = others.find((word) => isFirstWord.test(word));
  return first === undefined ? name : `${name} ${first}`;
}

const ofArguments: ReadonlySet<string> = new Set(['rest', 'options', 'words']);

/** The program that a call gives options to, for those who read of it. */
export function commandIn(
  { sink }: SinkOf,
  { object }: Called,
  args: readonly Given[],
): { command?: string } {
  if (sink.elements === undefined || !ofArguments.has(sink.elements)) return {};
  const command = commandOf(
    wordsIn([...(object === undefined ? [] : [object]), ...args.map(({ value }) => value)]),
  );
  return command === undefined ? {} : { command };
}
