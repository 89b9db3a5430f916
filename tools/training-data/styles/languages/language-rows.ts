import { harmless } from '../../style.ts';
import type { Random } from '../../../../src/base/random.ts';
import type { Labels, Row } from '../../style.ts';
import { shortLabels } from '../../words/short-labels.ts';
import { keyedList } from '../../words/text-list.ts';
import type { Language } from './language.ts';
import { moreStatements } from './more-statements.ts';
import { yetMoreStatements } from './yet-more-statements.ts';

const unknownHarm: Partial<Labels> = { general_harmful: null, unethical_illegal: null };
const injected = harmless({ prompt_injection: 1, jailbreak: null, ...unknownHarm });
const freed = harmless({ jailbreak: 1, prompt_injection: null, ...unknownHarm });

const capital = (text: string): string => text.slice(0, 1).toLocaleUpperCase() + text.slice(1);

const put = (frame: string, goal: string): string => {
  const text = frame.replace('{goal}', () => goal);
  return frame.startsWith('{goal}') ? capital(text) : text;
};

function rowsOf(language: Language, random: Random): Row[] {
  const { lang, frames } = language;
  const goals = keyedList(language.harmfulGoals);
  const row = (text: string, labels: Labels): Row => ({ text, labels, lang });
  return [
    ...language.everyday.map((text) => row(text, harmless())),
    ...language.harmlessGoals.flatMap((goal) =>
      random.sample(frames, 4).map((frame) => row(put(frame, goal), harmless())),
    ),
    ...goals.flatMap(({ key, text }) =>
      random.sample(frames.slice(0, -1), 3).map((frame) => row(put(frame, text), shortLabels(key))),
    ),
    ...language.injections.map((text) => row(text, injected)),
    ...language.jailbreaks.flatMap((wrapper) =>
      wrapper.includes('{goal}')
        ? random
            .sample(goals, 3)
            .map(({ key, text }) =>
              row(put(wrapper, text), { ...shortLabels(key), jailbreak: 1, prompt_injection: null }),
            )
        : [row(wrapper, freed)],
    ),
    ...keyedList(language.statements).map(({ key, text }) => row(text, shortLabels(key))),
  ];
}

const statementRows = (lang: string): Row[] =>
  keyedList([...moreStatements, ...yetMoreStatements])
    .filter(({ key }) => key === lang)
    .flatMap(({ text }) => keyedList([text]))
    .map(({ key, text }) => ({ text, labels: shortLabels(key), lang }));

/** All rows of a group of languages. */
export const languageRows = (languages: readonly Language[], random: Random): Row[] =>
  languages.flatMap((language) => [...rowsOf(language, random), ...statementRows(language.lang)]);

/** Common text of the data cards of all groups. */
export const aboutLanguages =
  'Everyday texts and requests, harmless and harmful wishes in the same sentence shapes (intent only), injections, jailbreaks, and ' +
  'statements with swearing, hate, threats, sex and self-harm with harmless twins. Written for each language, with the ' +
  'same subjects in all, so that the language alone never decides.';
