import { readSeeds, type Seed } from '../seeds.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Row, Style } from '../style.ts';
import { capital, spoken } from '../voice.ts';

const families = [
  'violence',
  'weapons',
  'drugs',
  'fraud',
  'hacking',
  'theft-and-privacy',
  'harassment-and-misinformation',
  'hate-and-extremism',
  'self-harm',
  'sexual',
  'exploitation',
];

export const style: Style = {
  name: 'twin-requests',
  about:
    'Short chat requests in eleven families of harm and their harmless near-twins. Harmful and harmless goals share the trigger words (kill, shoot, crack, dope, strip, inject) and the same sentence frames, so that neither word nor frame decides; only the goal does. Goals and frames are written by hand, joined at random and typed in many ways. Intent alone, never how it is done.',
  rows(random) {
    const frames = readSeeds('twin-requests', 'frames').map((seed) => seed.text);
    return families.flatMap((family) =>
      readSeeds('twin-requests', family).flatMap((seed) => requests(seed, frames, random)),
    );
  },
};

/** A goal in two frames, or a full sentence unchanged. */
function requests({ section, text, labels }: Seed, frames: readonly string[], random: Random): Row[] {
  if (section === 'full') return [{ text: spoken(text, random), labels }];
  return random.sample(frames, 2).map((frame) => {
    const asked = frame.replace('{goal}', text);
    return { text: spoken(capital(asked), random), labels };
  });
}
