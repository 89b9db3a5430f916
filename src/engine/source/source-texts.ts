/** Where something comes in, in words. */
import type { Source } from './taint/taints.ts';

/** The tools that one function of the package of a path answers for. */
export type Served = (path: string) => string[];

const mostServed = 3;

/** What a function is given that answers for all that a server offers. */
function textForAll({ offers }: Source, served: readonly string[]): string {
  if (offers !== undefined) return `the input of a ${offers} that a client asks for`;
  if (served.length === 0) return 'the input of a tool that a client calls';
  const named = served.slice(0, mostServed).map((name) => `"${name}"`);
  const others = served.length - named.length;
  return `the input of the tool${served.length === 1 ? '' : 's'} ${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

const sourceTexts: Readonly<Record<Source['kind'], (source: Source, served: readonly string[]) => string>> = {
  tool: (source, served) => {
    if (source.isForAll === true) return textForAll(source, served);
    const offers = source.offers ?? 'tool';
    return source.name === ''
      ? `the input of a ${offers} whose name is put together`
      : `the input of the ${offers} "${source.name}"`;
  },
  http: ({ name }) => `the HTTP request to "${name}"`,
  archive: () => 'the name of an entry of an archive',
  token: () => 'the token with which a caller signs in here',
  exported: ({ name }) => `a parameter of the exported function "${name}"`,
};

/** @param served the tools that a function answers for that is given all calls */
export const textOfSource = (source: Source, served: readonly string[]): string =>
  sourceTexts[source.kind](source, served);
