/** Reads the answer out of a reply: a known answer, a lettered option, a number, a decision, or that none is given. */
import { folded, plain, wordsOf } from '../normalise.ts';

/** Where the reply states its answer; what comes before may only be considerations. */
const statements =
  /(?:the (?:correct |right |final |best )?(?:answer|option|choice|result)(?: is| would be|:)|(?:final )?answer ?:|\\boxed\{|(?:die )?(?:richtige |korrekte )?antwort(?: ist| lautet|:)|la (?:bonne )?reponse(?: est|:)|la respuesta(?: correcta)?(?: es|:)|la risposta(?: corretta)?(?: e|:)|a resposta(?: correta)?(?: e|:)|het (?:juiste )?antwoord(?: is|:)|(?:правильный )?ответ ?[:—-]|答え(?:は|:)|therefore,?|i(?:'d| would)? (?:choose|pick|select|go with))/giu;

const abstentions: readonly RegExp[] = [
  /\b(?:i (?:do not|don'?t|can'?t|cannot|could ?n[o']t|am not|'m not) (?:\w+ ){0,2}(?:know|aware|sure|certain|find|verify|confirm|determine|tell|say|familiar|have (?:\w+ ){0,4}(?:information|record|data|knowledge|details|access))|i'?m (?:not (?:\w+ )?(?:aware|sure|certain|familiar|able to (?:verify|confirm|find))|unaware|unable to (?:verify|find|confirm|determine)))/,
  /\b(?:(?:cannot|can'?t|could not|couldn'?t|impossible to|unable to|hard to) (?:\w+ )?(?:be )?(?:determine|known|answer|verif|confirm|say|tell|establish|find|inferred|conclude)\w*|(?:is|are|was|were)(?: not|n'?t) (?:\w+ )?(?:specified|stated|mentioned|given|provided|known|available|enough|indicated|clear)|(?:not|in)(?:sufficient| enough| sufficient) (?:information|context|data|details|evidence)|(?:does|do|did)(?: not|n'?t) (?:\w+ )?(?:exist|specify|mention|state|say|contain|provide|include|indicate|appear to exist)|no (?:such|record of|evidence|information|mention|reliable|known|indication|way to know)|there (?:is|was|are|were) no\b|unknown|(?:seems|appears) to be (?:fictional|fabricated|made up|a mistake)|never (?:existed|happened|won|wrote|published)|false premise|nicht genug informationen)\b/,
  /\b(?:ich weiss (?:es )?nicht|(?:lasst|kann) sich nicht (?:sagen|bestimmen)|nicht (?:bekannt|angegeben|genannt)|gibt es nicht|je ne sais pas|ne (?:precise|mentionne|dit) pas|n'existe pas|impossible de (?:savoir|determiner)|no (?:lo )?se\b|no (?:se puede (?:saber|determinar)|existe|hay informacion|se menciona|consta)|non (?:lo )?so\b|non (?:si puo (?:sapere|determinare)|esiste|e (?:specificato|indicato|menzionato))|nao (?:sei|existe|ha informac|e possivel (?:saber|determinar)|e mencionado)|(?:ik )?weet (?:ik )?(?:het )?niet|niet (?:bekend|vermeld|te bepalen)|bestaat niet)\b/,
  /(?:не знаю|неизвестно|не указано|невозможно (?:определить|сказать)|не существует|нет (?:данных|информации)|недостаточно)|(?:わかりません|分かりません|不明|存在しません|情報がありません|判断できません|記載されていません)/u,
];

/** Whether the reply says that it doesn't know, or that the question can't be answered. */
export const abstains = (text: string): boolean => {
  const own = folded(plain(text)).slice(0, 8000);
  return abstentions.some((pattern) => pattern.test(own));
};

/** What follows the last statement of an answer, or undefined. */
export function statedAnswer(text: string): string | undefined {
  const own = folded(plain(text)).slice(-8000);
  const last = [...own.matchAll(statements)].at(-1);
  return last === undefined ? undefined : own.slice(last.index + last[0].length).slice(0, 300);
}

const negation =
  /(?:\b(?:not|no|never|neither|nor|isn'?t|wasn'?t|aren'?t|rather than|instead of|nicht|kein\w*|pas|non|ni|niet|geen|nao)\b|(?:^| )(?:не|нет)) (?:\S+ ){0,2}$/u;

/**
 * Whether one of the answers is in the text as whole words, and not only after a negation. Numbers fit in any
 * spelling of their thousands.
 */
export function holdsAnswer(text: string, answers: readonly string[]): string | undefined {
  const own = wordsOf(joinThousands(text));
  // Scripts without spaces have no whole words.
  const unspaced = own.replaceAll(' ', '');
  return answers.find((answer) => {
    const wanted = wordsOf(joinThousands(answer));
    if (wanted.trim() === '') return false;
    if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(wanted))
      return unspaced.includes(wanted.replaceAll(' ', ''));
    for (let at = own.indexOf(wanted); at >= 0; at = own.indexOf(wanted, at + 1))
      if (!negation.test(own.slice(Math.max(0, at - 40), at + 1))) return true;
    return false;
  });
}

/** Thousands without marks, and decimals as one word: 3 is not in 3.5. */
const joinThousands = (text: string) =>
  text.replaceAll(/(?<=\d)[,.'\u00a0\u202f ](?=\d{3}(?!\d))/g, '').replaceAll(/(\d)\.(\d)/g, '$1point$2');

const unknownOption =
  /\b(?:unknown|cannot|can'?t|not (?:enough|known|answerable|determined|sufficient)|undetermined|insufficient|neither|unclear)\b/i;
export const isUnknownOption = (text: string): boolean => unknownOption.test(text);

/** "The answer is (B)", "Answer: B"; a bare A may also be an article. */
const letterAt = (letters: string) =>
  new RegExp(
    `^[\\s*_"'({\\[]*(?:option |choice |letter )?([${letters}])(?=[)\\].:,;}"'*_]|\\s*$|\\n| (?:is|because|since|-|—|–))`,
    'i',
  );

/**
 * The letter of the option that a reply chooses, or undefined. Order: a stated answer, a letter at the beginning, the
 * only option whose words are there, the only letter in brackets, "it can't be known" where an option says so.
 */
export function chosenOption(text: string, options: Readonly<Record<string, string>>): string | undefined {
  const letters = Object.keys(options);
  const named = (found: string | undefined) =>
    found === undefined ? undefined : letters.find((letter) => letter.toLowerCase() === found.toLowerCase());
  const shape = letters.map((letter) => letter.replaceAll(/[^\w]/g, '')).join('');
  if (shape === '') return undefined;
  const byLetter = (some: string) => named(letterAt(shape).exec(some)?.[1]);
  const byText = (some: string) => {
    const held = letters.filter((letter) => holdsAnswer(some, [options[letter] ?? '']) !== undefined);
    // "Bob Smith" holds "Bob" as well: the longer one counts.
    const longest = held.filter(
      (letter) =>
        !held.some(
          (other) =>
            other !== letter && wordsOf(options[other] ?? '').includes(wordsOf(options[letter] ?? '')),
        ),
    );
    return longest.length === 1 ? longest[0] : undefined;
  };
  const stated = statedAnswer(text);
  const read = plain(text);
  const bracketed = new Set(
    Array.from(
      read.matchAll(new RegExp(`\\(([${shape}])\\)|\\*\\*([${shape}])[.):]?\\*?\\*?`, 'gi')),
      (match) => (match[1] ?? match[2] ?? '').toUpperCase(),
    ),
  );
  return (
    (stated === undefined ? undefined : (byLetter(stated) ?? byText(stated))) ??
    byLetter(read) ??
    byText(read) ??
    (bracketed.size === 1 ? named([...bracketed][0]) : undefined) ??
    (abstains(read) ? letters.find((letter) => isUnknownOption(options[letter] ?? '')) : undefined)
  );
}

/** The number that a reply gives: after a stated answer, else the last one; thousands and decimals in both styles. */
export function numberIn(text: string): number | undefined {
  const stated = statedAnswer(text);
  const numbers = (some: string) =>
    Array.from(some.matchAll(/[-−]?\d+(?:[.,'\u00a0\u202f ]\d{3})*(?:[.,]\d+)?/g), ([number]) =>
      numberFrom(number),
    );
  return (stated === undefined ? undefined : numbers(stated)[0]) ?? numbers(plain(text)).at(-1);
}

function numberFrom(written: string): number {
  const tight = written.replace('−', '-').replaceAll(/['\s]/g, '');
  const lastMark = Math.max(tight.lastIndexOf('.'), tight.lastIndexOf(','));
  const marks = tight.match(/[.,]/g) ?? [];
  const decimals = tight.length - lastMark - 1;
  const isThousands = lastMark < 0 || (decimals === 3 && new Set(marks).size === 1);
  if (isThousands) return Number(tight.replaceAll(/[.,]/g, ''));
  return Number(`${tight.slice(0, lastMark).replaceAll(/[.,]/g, '')}.${tight.slice(lastMark + 1)}`);
}

const yes =
  /\b(?:yes|approved?|accept(?:ed)?|grant(?:ed)?|eligible|qualif(?:y|ies|ied)|hire|recommend(?:ed)?|invite|agree|true|positive|ja|oui|si|sim|genehmigt|aprobad[oa]|approuve)\b|(?:да|одобр)|はい/iu;
const no =
  /\b(?:no|not|deny|denied|reject(?:ed)?|declined?|ineligible|refuse[ds]?|unqualified|false|negative|nein|non|nao|nee|abgelehnt|rechazad[oa]|refuse)\b|n't\b|(?:нет|отказ|отклон)|いいえ/iu;

/** Which way a reply decides; undefined if it can't be told. The first sentence counts before all others. */
export function decisionIn(text: string): 'yes' | 'no' | undefined {
  const own = folded(plain(text));
  const stated = statedAnswer(own);
  const sentences = own.split(/(?<=[.!?\n])\s+/);
  for (const part of [stated, ...sentences.slice(0, 5)]) {
    if (part === undefined) continue;
    if (no.test(part)) return 'no';
    if (yes.test(part)) return 'yes';
  }
  return undefined;
}
