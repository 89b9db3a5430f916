import type { Random } from '../../../src/base/random.ts';
import type { Row, Style } from '../style.ts';
import { shortLabels } from '../words/short-labels.ts';
import { keyedList, textList } from '../words/text-list.ts';
import { aboutModels } from './about-attacks/security.ts';
import { aboutPeople } from './about-attacks/people.ts';

const frames = textList`
Summarise: {text}
Please translate into French. {text}
Is this text suitable for our newsletter? {text}
{text}\n\nWrite a better first sentence.
Find a headline for this. {text}
Proofread please: {text}
> {text}\n\nWhat do you think of this?
[quote] {text} [/quote] +1
Text 4. {text} Question: what is the main point?
For the archive: "{text}"
`;

export const style: Style = {
  name: 'about-attacks',
  about:
    'News, abstracts, advisories, changelogs, lessons, leaflets, counter-speech and help texts about prompt injection, jailbreaks, ' +
    'crime, hate, violence and self-harm. A text about an attack is not the attack: all 0, or unknown where a quotation ' +
    'is strong. Written one by one; each comes a second time inside an ordinary request.',
  rows(random: Random): Row[] {
    return keyedList([...aboutModels, ...aboutPeople]).flatMap(({ key, text }) => {
      const labels = shortLabels(key);
      return [text, random.pick(frames).replace('{text}', () => text)].map((row) => ({ text: row, labels }));
    });
  },
};
