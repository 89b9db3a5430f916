/**
 * Instructions in tool descriptions: agents read descriptions before their first call, so descriptions can carry
 * injections just as outputs can. The action guard receives them as a separate step.
 */
import { listingStep } from '#engine/actions/types.ts';
import { isFields } from '#mcp/json-rpc.ts';
import type { Offer } from '../upstreams/catalog.ts';
import type { CallStep } from './trace.ts';

/** Matches paths, URLs and e-mail addresses: what injected calls need most. */
const namesSomething = /(?:^|[\s"'`(<])(?:~?\/[\w.-]+|[A-Za-z]:\\|https?:\/\/|[\w.+-]{1,64}@[\w-]+\.\w)/;
const maxCharacters = 20_000;
const maxDepth = 6;

/** All descriptions in a tool's definition, including those of its arguments. */
function descriptionsIn(value: unknown, depth = 0): string[] {
  if (depth > maxDepth) return [];
  if (Array.isArray(value)) return value.flatMap((each) => descriptionsIn(each, depth + 1));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    (key === 'description' || key === 'title') && typeof each === 'string'
      ? [each]
      : descriptionsIn(each, depth + 1),
  );
}

// Cached: the list object is the same until a server changes what it offers.
const steps = new WeakMap<readonly Offer[], readonly CallStep[]>();

/** The first step of the trace; none if nothing is described. */
export function listedStep(offers: readonly Offer[]): readonly CallStep[] {
  const known = steps.get(offers);
  if (known !== undefined) return known;
  const said = offers
    .flatMap(({ definition }) => descriptionsIn(definition))
    // What is cut off should be what matters least.
    .sort((a, b) => Number(namesSomething.test(b)) - Number(namesSomething.test(a)))
    .join('\n\n')
    .slice(0, maxCharacters);
  const metadata = {
    tool_name: listingStep,
    tool_params: {},
    tool_description: '',
    server_name: '',
    server_id: '',
    tool_output: said,
  };
  const made: readonly CallStep[] = said === '' ? [] : [{ role: 'agent', step_id: 0, metadata }];
  steps.set(offers, made);
  return made;
}
