import { met } from '../../actions/judging/met.ts';
import { matchesGlob, refuseGlob } from '../comparing/glob.ts';
import { maybe, oneWay, phrase, say, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** The call is of one of these tools; `*` in a name stands for any characters. */
export interface ToolPredicate {
  readonly is: 'tool';
  readonly names?: readonly string[] | undefined;
  /** Names of the servers that offer it. */
  readonly servers?: readonly string[] | undefined;
}

const ofServer = phrase(say('of the server'), texts('servers'));

export const tool: PredicateKind<ToolPredicate> = {
  is: 'tool',
  fields: { names: { type: 'texts', optional: true }, servers: { type: 'texts', optional: true } },
  refuse({ names, servers }) {
    if (names === undefined && servers === undefined) return "'names' or 'servers' must say which tool";
    for (const [field, globs] of Object.entries({ names, servers })) {
      const reason = globs?.map(refuseGlob).find((each) => each !== undefined);
      if (reason !== undefined) return `'${field}' ${reason}`;
    }
    return undefined;
  },
  wording: oneWay(
    [
      ({ names }) => names !== undefined,
      phrase(say('is the tool'), texts('names'), maybe('servers', ofServer)),
    ],
    [() => true, phrase(say('is a tool'), ofServer)],
  ),
  match({ context: { call } }, { names, servers }) {
    if (call.toolName === '') return undefined;
    const isNamed = names?.some((glob) => matchesGlob(glob, call.toolName)) ?? true;
    const isOffered = servers?.some((glob) => matchesGlob(glob, call.step.serverName ?? '')) ?? true;
    return met(isNamed && isOffered);
  },
};
