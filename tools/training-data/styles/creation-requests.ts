import { readSeeds } from '../seeds.ts';
import type { Style } from '../style.ts';
import { spoken } from '../voice.ts';

export const style: Style = {
  name: 'creation-requests',
  about:
    'Requests to write something (a tweet, a rap, a news article) whose content would do harm, and requests for the same forms with a harmless subject from the same field. Forms and subjects are written by hand and joined at random.',
  rows(random) {
    const formats = readSeeds('creation-requests', 'formats').map((seed) => seed.text);
    return readSeeds('creation-requests', 'abouts').flatMap(({ text, labels }) =>
      random.sample(formats, 3).map((format) => ({
        text: spoken(`${format.replace('{about}', text)}${random.next() < 0.5 ? '.' : ''}`, random),
        labels,
      })),
    );
  },
};
