import type { Answer } from '#base/contract/operation.ts';
import type { testerOperations } from '../contract/tester.ts';
import { groupVerdictToWire } from '../evaluate/view.ts';
import type { TestedText } from './tester.ts';

export const testedTextToWire = ({
  verdict,
  spans,
}: TestedText): Answer<typeof testerOperations.testPolicyGroup> => ({
  ...groupVerdictToWire(verdict),
  spans: spans.map(({ policy, start, end, quote, view, reason, weight }) => ({
    policy,
    start,
    end,
    quote,
    view,
    reason,
    weight: Math.round(weight * 1000) / 1000,
  })),
});
