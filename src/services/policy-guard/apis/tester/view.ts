import { threeDecimals } from '#base/three-decimals.ts';
import type { Answer } from '#base/contract/operation.ts';
import type { testerOperations } from '../../contract/tester.ts';
import { groupVerdictToWire } from '../verdicts/view.ts';
import type { TestedText } from './tester.ts';

export const testedTextToWire = ({
  verdict,
  spans,
}: TestedText): Answer<typeof testerOperations.testPolicyGroup> => ({
  ...groupVerdictToWire(verdict),
  spans: spans.map(({ policy, start, end, quote, readAs, view, reason, weight }) => ({
    policy,
    start,
    end,
    quote,
    read_as: readAs,
    view,
    reason,
    weight: threeDecimals(weight),
  })),
});
