/** The kinds of tests by what they look at, in the order in which they are offered. */

export interface KindGroup {
  readonly name: string;
  readonly kinds: readonly string[];
}

export const kindGroups: readonly KindGroup[] = [
  {
    name: 'What is done',
    kinds: ['action', 'effect', 'changes', 'tool', 'spoken_tool', 'signal'],
  },
  {
    name: 'What it concerns',
    kinds: [
      'resource',
      'data',
      'path',
      'file_kind',
      'records',
      'destination',
      'state',
      'field',
      'other_than',
      'own_work',
    ],
  },
  {
    name: 'Amounts and numbers',
    kinds: ['amount', 'quantity', 'count', 'total', 'sum', 'repeat', 'more_than_named', 'nothing_of'],
  },
  { name: 'Who and when', kinds: ['approval', 'role', 'user', 'user_asked', 'user_said', 'time', 'dates'] },
  {
    name: 'What happened before',
    kinds: [
      'earlier_step',
      'earlier_call',
      'looked_up',
      'answer',
      'answer_text',
      'done_again',
      'told',
      'mentioned',
    ],
  },
  { name: 'Words and arguments', kinds: ['argument', 'named_argument', 'text', 'within_text'] },
];

/** Kinds that no group names, so that none is lost. */
export const otherKinds = 'Other';

/** The group of a kind of test. */
export const groupOfKind = (is: string): string =>
  kindGroups.find(({ kinds }) => kinds.includes(is))?.name ?? otherKinds;
