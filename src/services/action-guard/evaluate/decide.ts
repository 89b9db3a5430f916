/** From what the engine found to what happens: which violations block, which warn. Pure. */
import type { RuleFinding, Severity, ThreatCategory } from '#engine/actions/types.ts';
import type { BlockingConfig, BlockingMode } from '../sets/policy-set.ts';
import { approvalsOf } from '../approvals/approval.ts';
import { onePerCause, type Violation } from './one-per-cause.ts';
import { isDoubtful } from '../rules/rule.ts';
import type { LiveRule, LiveSet } from '../sets/live-sets.ts';

export interface Blocking {
  readonly mode: BlockingMode;
  readonly level: Severity;
  readonly threshold: number;
}

export interface Decision {
  readonly allowed: boolean;
  /** Blocking ones, gravest first. */
  readonly violations: readonly Violation[];
  readonly warnings: readonly Violation[];
  readonly threatCategory: ThreatCategory;
  readonly blocking: Blocking;
  readonly highestSeverity: Severity | null;
  /** Surely violated rules / all rules that were judged. */
  readonly violatedShare: number;
}

const rank: Readonly<Record<Severity, number>> = { High: 3, Medium: 2, Low: 1 };

/** The call's own wishes before the set's, before the defaults. */
export const blockingOf = (set: BlockingConfig, override: BlockingConfig): Blocking => ({
  mode: override.blockingMode ?? set.blockingMode ?? 'severity_level',
  level: override.blockingLevel ?? set.blockingLevel ?? 'Medium',
  threshold: override.blockingThreshold ?? set.blockingThreshold ?? 0,
});

/** What becomes of findings of rules that were understood in part and that nobody has confirmed. */
export type Unconfirmed = 'ask' | 'warn' | 'deny';

export interface DecideOptions {
  readonly unconfirmed?: Unconfirmed | undefined;
  /** Rules for which a person has approved the call. */
  readonly approved?: ReadonlySet<string> | undefined;
  /** The call in one line: of rules with one cause the nearest leads. */
  readonly action?: string | undefined;
}

/** Decides over findings; those of rules that the set does not have are passed over. */
export function decide(
  findings: readonly RuleFinding[],
  set: Pick<LiveSet, 'byRuleId' | 'rules'>,
  blocking: Blocking,
  { unconfirmed = 'ask', approved = new Set(), action = '' }: DecideOptions = {},
): Decision {
  const found = [...strongest(findings).values()]
    .flatMap((finding) => {
      const live = set.byRuleId.get(finding.ruleId);
      return live === undefined ? [] : [{ ...live, finding }];
    })
    .sort(
      (a, b) => rank[b.rule.severity] - rank[a.rule.severity] || b.finding.confidence - a.finding.confidence,
    );
  // What is merely likely never blocks: neither by itself nor by adding to the share.
  const sure = found.filter(({ finding }) => finding.certainty === 'sure');
  const violatedShare = set.rules.length === 0 ? 0 : sure.length / set.rules.length;
  const blocks = ({ finding, rule }: (typeof found)[number]): boolean => {
    if (finding.certainty !== 'sure') return false;
    if (unconfirmed === 'warn' && isDoubtful(rule)) return false;
    if (approved.has(rule.ruleId) && isLifted({ finding, rule }, unconfirmed)) return false;
    switch (blocking.mode) {
      case 'strict':
        return true;
      case 'severity_level':
        return rank[rule.severity] >= rank[blocking.level];
      case 'rule_threshold':
        return violatedShare >= blocking.threshold;
    }
  };
  const violations = onePerCause(
    found.filter(blocks).map((each) => ({ ...each, action: actionOn(each, unconfirmed) })),
    action,
  );
  return {
    allowed: violations.length === 0,
    violations,
    warnings: onePerCause(
      found.filter((each) => !blocks(each)).map((each) => ({ ...each, action: 'allow' as const })),
    ),
    threatCategory: violations[0]?.finding.threatCategory ?? 'none',
    blocking,
    highestSeverity: sure[0]?.rule.severity ?? null,
    violatedShare,
  };
}

function actionOn(
  { finding, rule }: Pick<Violation, 'finding' | 'rule'>,
  unconfirmed: Unconfirmed,
): 'ask' | 'deny' {
  if (isDoubtful(rule)) return unconfirmed === 'deny' ? 'deny' : 'ask';
  return finding.wantsPerson ? 'ask' : 'deny';
}

/**
 * A rule that asks for a person is content with one who approves; one that says who may approve is not judged here: the
 * engine is told who has, and finds nothing where that is enough. What was found by words of the rule goes by no form.
 */
const isLifted = (each: Pick<LiveRule, 'rule'> & { finding: RuleFinding }, unconfirmed: Unconfirmed) =>
  actionOn(each, unconfirmed) === 'ask' &&
  (each.finding.isByWords === true || approvalsOf(each.rule.form).length === 0);

/** Of several findings on one rule the one that weighs most: what is sure before what is likely. */
function strongest(findings: readonly RuleFinding[]): Map<string, RuleFinding> {
  const best = new Map<string, RuleFinding>();
  const weight = ({ certainty, confidence }: RuleFinding) => Number(certainty === 'sure') + confidence / 2;
  for (const finding of findings) {
    const known = best.get(finding.ruleId);
    if (known === undefined || weight(finding) > weight(known)) best.set(finding.ruleId, finding);
  }
  return best;
}
