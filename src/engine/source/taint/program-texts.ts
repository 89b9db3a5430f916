/** Programs that an interpreter is given as a text: `python3 -c`, `node -e`, `php -r`. */
import type { Taint } from './taints.ts';
import { allTaints, type Value } from './value.ts';

/** Interpreters, each with the options behind which the text of a program stands. */
const interpreters: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^(?:python|pypy)[\d.]*$/, /^-\w*c$/],
  [/^(?:node|nodejs|bun|tsx|ts-node)$/, /^(?:-e|-p|-pe|--eval|--print)$/],
  [/^deno$/, /^eval$/],
  [/^(?:perl|ruby|lua|luajit|groovy|julia|elixir|scala|Rscript)$/, /^-\w*[eE]$/],
  [/^php[\d.]*$/, /^-r$/],
];

const baseName = (word: string): string =>
  word
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/\.exe$/, '') ?? '';

const textOf = ({ constant }: Value): string => (typeof constant === 'string' ? constant : '');

/** Options of other options, such as those of `docker run`, are no programs; few words are. */
function optionOf(words: readonly Value[], at: number): RegExp | undefined {
  const word = words[at];
  if (word === undefined) return undefined;
  const name = baseName(textOf(word));
  return interpreters.find(([program]) => program.test(name))?.[1];
}

const named = (value: Value): readonly Value[] =>
  ['cmd', 'Cmd', 'args', 'Entrypoint'].flatMap((name) => [
    ...(value.fields?.get(name)?.fields?.values() ?? []),
  ]);

/** What an interpreter is given to run, among the words of a command. */
export function taintsOfProgram(given: readonly Value[]): readonly Taint[] {
  const words = given.flatMap((value) => [value, ...named(value)]);
  for (let at = 0; at < words.length; at++) {
    const option = optionOf(words, at);
    if (option === undefined) continue;
    const place = words.findIndex((word, index) => index > at && option.test(textOf(word)));
    const text = place < 0 ? undefined : words[place + 1];
    if (text !== undefined) return allTaints(text);
  }
  return [];
}
