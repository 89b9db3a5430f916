import { phrase, say, texts } from '../wording/wording.ts';
import { asCondition } from './as-condition.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** Kinds of files that the call touches, by the end of their names. */
export interface FileKindPredicate {
  readonly is: 'file_kind';
  readonly endings: readonly string[];
}

export const fileKind: PredicateKind<FileKindPredicate> = {
  is: 'file_kind',
  fields: { endings: { type: 'texts' } },
  wording: phrase(say('touches a file that ends in'), texts('endings')),
  match: asCondition(({ endings }) => ({ test: 'extension', extensions: [...endings] })),
};
