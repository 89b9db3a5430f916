/** What a call registers, by the name of what is called. */
import { isSeveral } from './definitions.ts';
import { kindByMethod } from './kinds-of-calls.ts';
import { mayListen } from './listeners.ts';
import type { EntranceKind } from './offer.ts';
import { registersRoute } from './routes.ts';

type Meaning = EntranceKind | 'several' | 'route' | 'listener';

const meanings = new Map<string, Meaning | undefined>();
const mostMeanings = 20_000;

/** What a function of this name registers. */
export function meaningOf(name: string): Meaning | undefined {
  if (meanings.has(name)) return meanings.get(name);
  const kind = kindByMethod.find(([pattern]) => pattern.test(name))?.[1];
  const ofRoutes = mayListen(name) ? 'listener' : registersRoute(name) ? 'route' : undefined;
  const meaning = kind === undefined ? ofRoutes : isSeveral.test(name) ? 'several' : kind;
  // Names are the scanned project's: no table of them may grow without end.
  if (meanings.size >= mostMeanings) meanings.clear();
  meanings.set(name, meaning);
  return meaning;
}
