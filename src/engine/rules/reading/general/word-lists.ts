/** Words of rules that name nothing, or stand for a verb in another form. */
import { isGrammatical } from '../sentence-words.ts';

/** Says little, whatever the rule is about. */
export const filler = new Set(
  `case cases exception exceptions reason way whole full own himself herself someone anyone everybody somebody nobody nothing
  anything everything everyone here there today tomorrow now soon always usually normally generally already still again yet
  longer first last before after beforehand advance time times day days matter matters kind sort really even too
  immediately silently quietly twice once often ever instead above below following else also allowed permitted forbidden
  prohibited okay ok fine right wrong good enough alone exactly only sole solely exclusively anywhere somewhere part row
  session conversation hour hours week weeks month months year years quarter minute minutes per
  another other such same one two three four five six seven eight nine ten me my mine i you your us our`.split(
    /\s+/,
  ),
);
/** Verbs that leave what is done to another word. */
export const light = new Set(
  'be is are was been have has had do does did done make makes made take takes taken put puts go goes went gone come comes get gets got keep kept leave leaves left stay stays let give gives given may must can want wants wanted need needs sits cannot shall should will would'.split(
    ' ',
  ),
);

/** Words that join or command, in any reading. */
export const functional = new Set(
  `a an the this that these those it its they them their he him his she her we us our you your i me my who whom whose which what
  there here of in on at to for from by with into onto as about over under via and or but nor so yet not no nothing none is are was
  were be been being am do does did has have had will would shall should can could may might must cannot never always only any all
  each every some than then if when where while unless except without until till before after because instead also too both
  either neither nobody anybody anyone everyone everybody please`.split(/\s+/),
);

/** Whether the word may name something. */
export const says = (word: string) =>
  !isGrammatical(word) && !filler.has(word) && !/^\d/.test(word) && word.length > 1;

const irregular: Readonly<Record<string, string>> = {
  spent: 'spend',
  lent: 'lend',
  seen: 'see',
  told: 'tell',
  shown: 'show',
  drawn: 'draw',
  withdrawn: 'withdraw',
  knives: 'knife',
  wives: 'wife',
  lives: 'life',
  leaves: 'leave',
  lost: 'lose',
  held: 'hold',
  built: 'build',
  hung: 'hang',
  taught: 'teach',
  rung: 'ring',
  flown: 'fly',
  driven: 'drive',
  overwritten: 'overwrite',
  sung: 'sing',
  bought: 'buy',
  thrown: 'throw',
  laid: 'lay',
  cut: 'cut',
};
/** The word without the end of a genitive; an irregular form as its verb or singular. */
export const bare = (word: string): string => {
  const plain = word.replace(/'s?$/, '');
  return Object.hasOwn(irregular, plain) ? (irregular[plain] ?? plain) : plain;
};
