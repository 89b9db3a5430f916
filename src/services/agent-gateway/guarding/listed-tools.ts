/**
 * What the descriptions of tools tell agents to do: they reach an agent before its first call, as the answer of a tool
 * does, and may be poisoned like one. The action guard gets them as a step of their own.
 */
import { isFields } from '#mcp/json-rpc.ts';
import type { Offer } from '../upstreams/catalog.ts';
import type { CallStep } from './trace.ts';

/** A path, an address or a mailbox: without one a description names nothing that a call could take from it. */
const namesSomething = /(?:^|[\s"'`(<])(?:~?\/[\w.-]+|[A-Za-z]:\\|https?:\/\/|[\w.+-]{1,64}@[\w-]+\.\w)/;
const maxCharacters = 20_000;
const maxDepth = 6;

/** Every description in a tool's definition, those of its arguments included. */
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

// The list is the same one until a server changes what it offers.
const steps = new WeakMap<readonly Offer[], readonly CallStep[]>();

/** The step before all others; none where no description names anything that a call could take from it. */
export function listedStep(offers: readonly Offer[]): readonly CallStep[] {
  const known = steps.get(offers);
  if (known !== undefined) return known;
  const said = offers
    .flatMap(({ definition }) => descriptionsIn(definition))
    .filter((text) => namesSomething.test(text))
    .join('\n\n')
    .slice(0, maxCharacters);
  // A name without a verb: the step did nothing that a rule could ask for.
  const metadata = {
    tool_name: 'tools',
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
