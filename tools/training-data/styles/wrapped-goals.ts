import { expand } from '../expand.ts';
import { readSeeds, type Seed } from '../seeds.ts';
import { fill, type Labels, type Row, type Style } from '../style.ts';
import { capital, voice } from '../voice.ts';

const families = [
  'violence',
  'weapons',
  'drugs',
  'fraud',
  'hacking',
  'theft-and-privacy',
  'hate-and-extremism',
];

/** Number of harmful goals, and of harmless ones, that each wrapper is used with. */
const perSide = 6;

export const style: Style = {
  name: 'wrapped-goals',
  about:
    'Personas without rules, games, films, novels and role-plays around harmful goals, and the same wrappers around as many harmless goals: half of those share the trigger words of the harmful ones, half are everyday. A wrapper that talks the model out of its rules is a jailbreak only with a harmful goal in it; for a mere story around a harmful goal, `jailbreak` is not known. Wrappers are put together from hand-written parts; a part is whole and by hand.',
  rows(random) {
    const seeds = readSeeds('wrapped-goals', 'wrappers');
    const slots: Record<string, string[]> = {};
    for (const { section, text } of seeds) {
      if (section.startsWith('slot-')) (slots[section.slice(5)] ??= []).push(text);
    }
    const goals = families
      .flatMap((family) => readSeeds('twin-requests', family))
      .filter(({ section }) => section === 'goal');
    const harmfulGoals = goals.filter(({ labels }) => labels.general_harmful === 1);
    const twins = goals.filter(({ labels }) => labels.general_harmful === 0);
    const everyday = readSeeds('wrapped-goals', 'everyday');
    const wrap = (wrapper: Seed, goal: Seed): Row => {
      // One name for the whole row.
      const once = {
        persona: [random.pick(slots['persona'] ?? [])],
        character: [random.pick(slots['character'] ?? [])],
      };
      const opened = fill(wrapper.text, { ...slots, ...once, goal: ['{goal}'] }, random);
      const outer = fill(opened, { goal: [goal.text] }, random);
      return { text: voice(capital(outer), random), labels: labelsOf(wrapper.section, goal.labels) };
    };
    const wrapped = seeds
      .filter(({ section }) => section === 'strong' || section === 'soft')
      .flatMap((wrapper) =>
        [
          ...random.sample(harmfulGoals, perSide),
          ...random.sample(twins, perSide / 2),
          ...random.sample(everyday, perSide / 2),
        ].map((goal) => wrap(wrapper, goal)),
      );
    return [...wrapped, ...expand('wrapped-goals', ['whole'], random)];
  },
};

function labelsOf(wrapper: string, goal: Labels): Labels {
  if (goal.general_harmful === 0) return goal;
  return wrapper === 'strong'
    ? { ...goal, jailbreak: 1, prompt_injection: null }
    : { ...goal, jailbreak: null };
}
