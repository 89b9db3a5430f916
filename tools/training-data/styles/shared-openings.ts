import { linesOf, readSeeds, type Seed } from '../seeds.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Row, Style } from '../style.ts';
import { voice } from '../voice.ts';

const families = ['self-harm', 'violence', 'sexual', 'illegal', 'hate'];

/** Rows per ending, with different openings. */
const perEnding = 4;

export const style: Style = {
  name: 'shared-openings',
  about:
    'Two sentences: an opening that could go either way, and an ending that is harmful or not. Both kinds of endings share the openings, and the harmless endings keep the build of the harmful ones. By hand, joined at random.',
  rows: (random) => families.flatMap((family) => stories(readSeeds('shared-openings', family), random)),
};

function stories(seeds: readonly Seed[], random: Random): Row[] {
  const openings = linesOf(seeds, 'opening');
  return seeds
    .filter(({ section }) => section !== 'opening')
    .flatMap((ending) =>
      random.sample(openings, perEnding).map((opening) => {
        const text = `${opening}${/[.!?]$/.test(opening) ? '' : ','} ${ending.text}`;
        return { text: voice(text, random), labels: ending.labels };
      }),
    );
}
