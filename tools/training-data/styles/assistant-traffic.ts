import { expand } from '../expand.ts';
import type { Style } from '../style.ts';

export const style: Style = {
  name: 'assistant-traffic',
  about:
    'What assistants are asked all day, harmless throughout: code, mails, spreadsheets, travel, cooking, homework, office, law, money, health, home, small talk, role-play, imperative and rule wording (ignore the header row, you are now connected to), pasted texts. By hand, about half of it by templates with slots.',
  rows: (random) => [
    ...expand('assistant-traffic', ['slots', 'templates'], random, { perTemplate: 6 }),
    ...expand('assistant-traffic', ['jobs', 'role-and-rules', 'more', 'further', 'pasted'], random),
  ],
};
