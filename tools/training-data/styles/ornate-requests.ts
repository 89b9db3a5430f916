import { readSeeds, type Seed } from '../seeds.ts';
import { fill, type Labels, type Style } from '../style.ts';
import { capital, voice } from '../voice.ts';

const families = ['violence', 'weapons', 'drugs', 'fraud', 'hacking', 'theft-and-privacy', 'exploitation'];

/** Harmful requests, and harmless ones of each of three kinds. */
const count = { harmful: 120, delicate: 70, twins: 45, everyday: 25 };

export const style: Style = {
  name: 'ornate-requests',
  about:
    'Long, well-mannered requests with a setting, a background and wishes for the form, in which the aim takes up one line: harmful ones, and harmless ones on delicate ground (racism, abuse, spies, prison), with trigger words, and of everyday life. No persona here is without rules. Parts by hand, joined at random.',
  rows(random) {
    const parts = readSeeds('ornate-requests', 'parts');
    const slots: Record<string, string[]> = {};
    for (const { section, text } of parts) (slots[section.replace('slot-', '')] ??= []).push(text);
    const goals = families
      .flatMap((family) => readSeeds('twin-requests', family))
      .filter(({ section }) => section === 'goal');
    const chosen = [
      ...random.sample(goals.filter(isHarmful), count.harmful),
      ...random.sample(repeated(readSeeds('ornate-requests', 'delicate')), count.delicate),
      ...random.sample(
        goals.filter((goal) => !isHarmful(goal)),
        count.twins,
      ),
      ...random.sample(readSeeds('wrapped-goals', 'everyday'), count.everyday),
    ];
    return chosen.map((goal) => {
      const order = random.pick(slots['order'] ?? []);
      const text = fill(fill(order, slots, random), { goal: [goal.text] }, random);
      return { text: random.next() < 0.25 ? voice(capital(text), random) : text, labels: labelsOf(goal) };
    });
  },
};

const isHarmful = (goal: Seed): boolean => goal.labels.general_harmful === 1;

/** Each goal is used twice, with two different settings. */
const repeated = (seeds: readonly Seed[]): Seed[] => [...seeds, ...seeds];

/** Whether a setting around a harmful goal makes it a jailbreak is unknown. */
const labelsOf = ({ labels }: Seed): Labels =>
  labels.general_harmful === 1 ? { ...labels, jailbreak: null } : labels;
