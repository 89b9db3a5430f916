import { readSeeds } from '../seeds.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Row, Style } from '../style.ts';
import { voice } from '../voice.ts';

export const style: Style = {
  name: 'assistant-replies',
  about:
    'What an assistant says: refusals and safe answers (harmless, although they name the harm), replies that comply in tone with a harmful wish (without anything that would help), and ordinary helpful ones with trigger words and without. The labels are those of the reply. Each reply stands alone once, and once more with the question as context where there is one. By hand.',
  rows: (random) =>
    ['refusing', 'complying', 'helpful', 'more', 'advice'].flatMap((part) =>
      readSeeds('assistant-replies', part).flatMap(({ text, labels }): Row[] => {
        const [reply = '', question] = text.split(' <- ');
        const alone: Row = { text: reply, labels };
        return question === undefined
          ? [alone]
          : [alone, { text: reply, labels, context: asked(question, random) }];
      }),
    ),
};

const asked = (question: string, random: Random): NonNullable<Row['context']> => [
  { role: 'user', content: voice(question, random) },
];
