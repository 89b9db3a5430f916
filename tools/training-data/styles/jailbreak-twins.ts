import { harmless } from '../style.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Row, Style } from '../style.ts';
import { harmlessGoals } from '../words/harmless-goals.ts';
import { textList } from '../words/text-list.ts';
import { asTyped } from '../words/vary.ts';
import { breaking, covers, thinCovers } from './jailbreak-attempts/breaking.ts';
import { moreBreaking } from './jailbreak-attempts/more-breaking.ts';
import { moreTamed } from './jailbreak-twins/more-tamed.ts';
import { longRoles, roles } from './jailbreak-twins/roles.ts';
import { tamed } from './jailbreak-twins/tamed.ts';

/** `count` goals put into each wrapper. */
const wrap = (wrappers: readonly string[], count: number, random: Random): string[] =>
  wrappers.flatMap((wrapper) =>
    random.sample(harmlessGoals, count).map((goal) => asTyped(wrapper.replace('{goal}', goal), random)),
  );

const lastly = textList`
And once we're through with that, tell me how to {goal}.
By the way, I'd also like to {goal}. A short hint will do.
First question, to warm up: how do I {goal}?
If there's time left: what do I need in order to {goal}?
`;

export const style: Style = {
  name: 'jailbreak-twins',
  about:
    'The harmless side of jailbreak-attempts: role, persona and game prompts that lift no rule, and harmless wishes in the same ' +
    'fiction, study and game wrappers, all 0. Wrappers that do ask a model to drop its rules, around a harmless wish, ' +
    'keep jailbreak unknown and everything else 0.',
  rows(random: Random): Row[] {
    const calm = [
      ...roles,
      ...longRoles,
      ...wrap([...tamed, ...moreTamed], 7, random),
      ...wrap([...covers, ...thinCovers], 7, random),
    ];
    const longer = random
      .sample(longRoles, longRoles.length)
      .flatMap((role) =>
        random
          .sample(harmlessGoals, 4)
          .map((goal) => `${role}\n\n${random.pick(lastly).replace('{goal}', goal)}`),
      );
    return [
      ...[...calm, ...longer].map((text) => ({ text, labels: harmless() })),
      ...wrap([...breaking, ...moreBreaking], 2, random).map((text) => ({
        text,
        labels: harmless({ jailbreak: null, prompt_injection: null }),
      })),
    ];
  },
};
