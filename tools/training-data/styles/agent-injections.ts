import { harmless } from '../style.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Labels, Row, Style } from '../style.ts';
import { agentOrders, goodFaith, results } from './agent-injections/results.ts';

const injected: Labels = harmless({
  prompt_injection: 1,
  jailbreak: null,
  general_harmful: null,
  unethical_illegal: null,
});

export const style: Style = {
  name: 'agent-injections',
  about:
    'What tools return to an agent and how tools describe themselves, with an order to the agent in it, and the same results ' +
    'without one or with a remark in good faith (all 0).',
  rows(random: Random): Row[] {
    const put = (result: string, note: string): string => result.replace('{note}', () => note);
    return [
      ...results.flatMap((result): Row[] => [
        { text: put(result, '').replace(/ {2,}/g, ' '), labels: harmless() },
        ...random.sample(goodFaith, 3).map((note) => ({ text: put(result, note), labels: harmless() })),
        ...random.sample(agentOrders, 4).map((order) => ({ text: put(result, order), labels: injected })),
      ]),
      ...agentOrders.map((text) => ({ text, labels: injected })),
      ...goodFaith.map((text) => ({ text, labels: harmless() })),
    ];
  },
};
