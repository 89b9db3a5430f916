import { type ActionPredicate, action } from './action.ts';
import { type AmountPredicate, amount } from './amount.ts';
import { type AnswerPredicate, answer } from './answer.ts';
import { type AnswerTextPredicate, answerText } from './answer-text.ts';
import { type ApprovalPredicate, approval } from './approval.ts';
import { type ArgumentPredicate, argument } from './argument.ts';
import { type ChangesPredicate, changes } from './changes.ts';
import { type CountPredicate, count } from './count.ts';
import { type DataPredicate, data } from './data.ts';
import { type DatesPredicate, dates } from './dates.ts';
import { type DestinationPredicate, destination } from './destination.ts';
import { type DoneAgainPredicate, doneAgain } from './done-again.ts';
import { type EarlierCallPredicate, earlierCall } from './earlier-call.ts';
import { type EarlierStepPredicate, earlierStep } from './earlier-step.ts';
import { type EffectPredicate, effect } from './effect.ts';
import { type FieldPredicate, field } from './field.ts';
import { type FileKindPredicate, fileKind } from './file-kind.ts';
import { type LookedUpPredicate, lookedUp } from './looked-up.ts';
import { type MentionedPredicate, mentioned } from './mentioned.ts';
import { type MoreThanNamedPredicate, moreThanNamed } from './more-than-named.ts';
import { type NamedArgumentPredicate, namedArgument } from './named-argument.ts';
import { type NothingOfPredicate, nothingOf } from './nothing-of.ts';
import { type OtherThanPredicate, otherThan } from './other-than.ts';
import { type OwnWorkPredicate, ownWork } from './own-work.ts';
import { type PathPredicate, path } from './path.ts';
import { type QuantityPredicate, quantity } from './quantity.ts';
import { type RecordsPredicate, records } from './records.ts';
import { type RepeatPredicate, repeat } from './repeat.ts';
import { type ResourcePredicate, resource } from './resource.ts';
import { type RolePredicate, role } from './role.ts';
import { type SignalPredicate, signal } from './signal.ts';
import { type SpokenToolPredicate, spokenTool } from './spoken-tool.ts';
import { type StatePredicate, state } from './state.ts';
import { type SumPredicate, sum } from './sum.ts';
import { type TextPredicate, text } from './text.ts';
import { type TimePredicate, time } from './time.ts';
import { type ToldPredicate, told } from './told.ts';
import { type ToolPredicate, tool } from './tool.ts';
import { type TotalPredicate, total } from './total.ts';
import { type UserAskedPredicate, userAsked } from './user-asked.ts';
import { type UserAttributePredicate, userAttribute } from './user-attribute.ts';
import { type UserSaidPredicate, userSaid } from './user-said.ts';
import { type WithinTextPredicate, withinText } from './within-text.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** One test that a rule makes of a call. The set is closed: what is not here cannot be said. */
export type Predicate =
  | ActionPredicate
  | AmountPredicate
  | AnswerPredicate
  | AnswerTextPredicate
  | ApprovalPredicate
  | ArgumentPredicate
  | ChangesPredicate
  | CountPredicate
  | DataPredicate
  | DatesPredicate
  | DestinationPredicate
  | DoneAgainPredicate
  | EarlierCallPredicate
  | EarlierStepPredicate
  | EffectPredicate
  | FieldPredicate
  | FileKindPredicate
  | LookedUpPredicate
  | MentionedPredicate
  | MoreThanNamedPredicate
  | NamedArgumentPredicate
  | NothingOfPredicate
  | OtherThanPredicate
  | OwnWorkPredicate
  | PathPredicate
  | QuantityPredicate
  | RecordsPredicate
  | RepeatPredicate
  | ResourcePredicate
  | RolePredicate
  | SignalPredicate
  | SpokenToolPredicate
  | StatePredicate
  | SumPredicate
  | TextPredicate
  | TimePredicate
  | ToldPredicate
  | ToolPredicate
  | TotalPredicate
  | UserAskedPredicate
  | UserAttributePredicate
  | UserSaidPredicate
  | WithinTextPredicate;

type Kinds = { readonly [P in Predicate as P['is']]: PredicateKind<P> };

/** By what a predicate is. */
const kinds: Kinds = {
  action,
  amount,
  answer,
  answer_text: answerText,
  approval,
  argument,
  changes,
  count,
  data,
  dates,
  destination,
  done_again: doneAgain,
  earlier_call: earlierCall,
  earlier_step: earlierStep,
  effect,
  field,
  file_kind: fileKind,
  looked_up: lookedUp,
  mentioned,
  more_than_named: moreThanNamed,
  named_argument: namedArgument,
  nothing_of: nothingOf,
  other_than: otherThan,
  own_work: ownWork,
  path,
  quantity,
  records,
  repeat,
  resource,
  role,
  signal,
  spoken_tool: spokenTool,
  state,
  sum,
  text,
  time,
  told,
  tool,
  total,
  user_asked: userAsked,
  user: userAttribute,
  user_said: userSaid,
  within_text: withinText,
};

type AnyKind = PredicateKind<{ readonly is: string }>;

const byName: ReadonlyMap<string, AnyKind> = new Map(
  Object.entries(kinds as unknown as Readonly<Record<string, AnyKind>>),
);

/** All kinds, each to be used with predicates that are it. */
export const allKinds: readonly AnyKind[] = [...byName.values()];

export const kindOf = (is: string): AnyKind | undefined => byName.get(is);
