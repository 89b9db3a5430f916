/** In which language a user writes: what is asked for can be read in English alone. */
import { textWords } from '../words.ts';

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Words of every sentence, without those that other languages have too. */
const english = setOf(
  `the and of to my that what with please for this your is are was can could would you it from i me we our their they on
  at by if then which how when where all any there have has not`,
);

const others = setOf(
  `der die das den dem des ein eine einen einem und für auf mit nicht bitte von zu bis im ist wie noch alle mir uns ihn le
  la les des du une et pour avec dans sur vous est ce qui moi el los las y para con por una del al lo que mi su es il gli
  di per da della delle mia os as uma em não na no para quem hoje het een van voor de niet mijn dla się nie oraz przez
  wszystkie jest ile och att på är inte för av till från ve bir için`,
);

/** Letters of no Latin alphabet, and Latin ones that English has not. */
const otherScript = /[^\P{L}\p{Script=Latin}]/gu;
const accented = /[^\P{Script=Latin}A-Za-z]/u;

const longest = 4000;

/** Whether the words of a text, in lower case, are those of another language than English. */
export function isOtherLanguage(lower: string): boolean {
  const text = lower.slice(-longest);
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return false;
  if ((text.match(otherScript)?.length ?? 0) > 0.3 * letters) return true;
  let [own, foreign] = [0, 0];
  for (const word of textWords(text)) {
    if (english.has(word)) own += 1;
    else if (others.has(word) || accented.test(word)) foreign += 1;
  }
  return foreign >= 2 && foreign > own;
}
