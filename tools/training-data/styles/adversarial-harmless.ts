import { harmless } from '../style.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Row, Style } from '../style.ts';
import { harmlessGoals } from '../words/harmless-goals.ts';
import { asTyped } from '../words/vary.ts';
import { byHand } from './adversarial-harmless/by-hand.ts';
import { scenarios } from './jailbreak-scenarios/scenarios.ts';

export const style: Style = {
  name: 'adversarial-harmless',
  about:
    'Harmless wishes told the way attacks are told: spies, hackers, secrets, bans, threats and villains in jest, class and ' +
    'stage, and the long scenarios of jailbreak-scenarios around harmless wishes. All 0.',
  rows(random: Random): Row[] {
    const wrapped = scenarios.flatMap((scenario) =>
      random.sample(harmlessGoals, 7).map((goal) => scenario.replace('{goal}', goal)),
    );
    return [...byHand, ...wrapped].map((text) => ({ text: asTyped(text, random), labels: harmless() }));
  },
};
