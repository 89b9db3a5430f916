/**
 * The language of a text, by its script and its function words; coarse on purpose. The detector of refusals goes by it, as
 * a refusal in a language that it does not read must not pass for an answer, and what a policy says of its own quality.
 */

/** Languages in which refusals are read. */
export const languagesRead = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'tr',
  'ru',
  'ja',
  'zh',
  'ko',
  'ar',
  'hi',
  'sv',
] as const;
export type LanguageRead = (typeof languagesRead)[number];

export type Language =
  | { readonly read: true; readonly code: LanguageRead }
  /** `name`: what it probably is, where that can be told. */
  | { readonly read: false; readonly name?: string };

const words = (text: string) => new Set(text.split(' '));

/** Frequent function words; of languages that are not read too, so that those do not pass for their neighbours. */
const functionWords: readonly (readonly [LanguageRead | `${string} language`, ReadonlySet<string>])[] = [
  [
    'en',
    words(
      "the and of to a in is it you that for on with this i are be not as have can or your at from but an if we will my do what your they which no there so by how here was more about don't can't i'm",
    ),
  ],
  [
    'de',
    words(
      'und der die das nicht ich sie ist ein eine zu den mit du es auf für von im dem auch wie wenn man oder aber kann hier wir sich noch nur bei dir mir ihr einen was keine',
    ),
  ],
  [
    'fr',
    words(
      "le la les de des et un une je vous est pas ne que pour dans en sur ce qui au avec plus votre tu du il nous c'est ou mais si cela aux cette sont",
    ),
  ],
  [
    'es',
    words(
      'el la los las de que y en un una no por con para es se lo su tu del al como más puede si te mi esto pero o eso está son este',
    ),
  ],
  [
    'it',
    words(
      'il la le di che e un una non per con è in si lo gli del della sono mi ti come più o ma se questo dei nel al alla anche i',
    ),
  ],
  [
    'pt',
    words(
      'o a os as de que e em um uma não por com para é se do da no na você seu sua mais como mas ou isso eu ao dos das está são este',
    ),
  ],
  [
    'nl',
    words(
      'de het een en van ik je niet is dat in op voor met u te zijn er die aan kan om ook als maar of dit we naar bij wat geen',
    ),
  ],
  [
    'pl',
    words(
      'nie się w na z do jest to że i o po jak co za dla od tego ale czy może ich tym przez lub jako są tej być mogę ci tak mnie',
    ),
  ],
  [
    'tr',
    words(
      'bir ve bu için da de ile ne mi olarak daha çok ama gibi var en kadar ben sen size bana olan değil şu her ya veya o',
    ),
  ],
  [
    'sv',
    words('och att det som en är på för av med inte jag du kan om ett vi har till den så men eller från'),
  ],
  [
    'Danish or Norwegian language',
    words('og at det er en på for af med ikke jeg du kan om et vi har til den så men eller fra av'),
  ],
  [
    'Czech or Slovak language',
    words('a se v na je že to s z do o jsem není pro jak by ale nebo si jsou mohu vám bych které tak'),
  ],
  [
    'Romanian language',
    words('și de la în nu un o cu pe că este pentru să din care mai sau dar nu pot vă ca sunt'),
  ],
  [
    'Hungarian language',
    words('a az és hogy nem is egy van ez de meg ha csak ezt vagy mint már még el nem tudok hogyan'),
  ],
  [
    'Finnish language',
    words('ja on ei se että en ole hän mutta tai niin kun voi sen tämä ovat olen voin mitä jos'),
  ],
  [
    'Vietnamese language',
    words('và của là không tôi có bạn cho được này trong với một các để người những thể xin'),
  ],
  [
    'Indonesian or Malay language',
    words(
      'dan yang tidak saya untuk di ini itu dengan anda dalam bisa dapat ke dari adalah atau akan membantu',
    ),
  ],
  ['Swahili language', words('na ya wa kwa ni katika hii kuwa la si cha za siwezi samahani wewe kama')],
  [
    'Catalan language',
    words('el la els les de que i en un una no per amb és es al del com més però o aquest això puc'),
  ],
];

const scripts: readonly (readonly [RegExp, Language])[] = [
  [/\p{Script=Hiragana}|\p{Script=Katakana}/u, { read: true, code: 'ja' }],
  [/\p{Script=Hangul}/u, { read: true, code: 'ko' }],
  [/\p{Script=Han}/u, { read: true, code: 'zh' }],
  [/[іїєґўђћџљњјѓќ]/iu, { read: false, name: 'a Cyrillic language other than Russian' }],
  [/\p{Script=Cyrillic}/u, { read: true, code: 'ru' }],
  [/[پچژگکیےٹڈںہ]/u, { read: false, name: 'Persian or Urdu' }],
  [/\p{Script=Arabic}/u, { read: true, code: 'ar' }],
  [/\p{Script=Devanagari}/u, { read: true, code: 'hi' }],
  [/\p{Script=Thai}/u, { read: false, name: 'Thai' }],
  [/\p{Script=Hebrew}/u, { read: false, name: 'Hebrew' }],
  [/\p{Script=Greek}/u, { read: false, name: 'Greek' }],
  [/\p{Script=Bengali}/u, { read: false, name: 'Bengali' }],
];

const looked = 3000;
/** Fewer Latin words tell no language; refusals in such replies are read as they are. */
const fewestWords = 5;

/** By letters that are not Latin; `letters` is their number in the text, Latin ones included. */
function byScript(part: string, letters: number): Language {
  // Japanese holds more Han than kana, and Russian words hold no letter of its neighbours.
  const least = (language: Language) =>
    language.read && language.code === 'zh' ? letters / 3 : letters / 40;
  const found = scripts.find(
    ([pattern, language]) => (part.match(new RegExp(pattern, 'giu'))?.length ?? 0) > least(language),
  );
  return found?.[1] ?? { read: false };
}

const wordsOf = (part: string): string[] => part.toLowerCase().match(/[\p{L}']+/gu) ?? [];

/** How many function words of each language there are, most first. */
const counted = (said: readonly string[]) =>
  functionWords
    .map(([code, list]) => ({ code, count: said.filter((word) => list.has(word)).length }))
    .toSorted((a, b) => b.count - a.count);

/** Latin letters that English has only in words from elsewhere. */
const accented = /[^\P{Script=Latin}A-Za-z]/u;

/**
 * Whether a text that may be too short for `languageOf` is English: nothing in it speaks more for another language.
 * Names and words without any sign of a language count as English.
 */
export function seemsEnglish(text: string): boolean {
  const part = text.slice(0, looked);
  if (/[^\p{Script=Latin}\P{L}]/u.test(part)) return false;
  const said = wordsOf(part);
  const [most] = counted(said);
  const english = said.filter((word) => functionWords[0]?.[1].has(word)).length;
  if (most !== undefined && most.count > english) return false;
  return english > 0 || !said.some((word) => accented.test(word));
}

/** By function words: at least two, and one in twelve. */
function byWords(part: string): Language | undefined {
  const said = wordsOf(part);
  if (said.length < fewestWords) return undefined;
  const best = counted(said)[0];
  if (best === undefined || best.count < Math.max(2, said.length / 12)) return undefined;
  return best.code.endsWith(' language')
    ? { read: false, name: best.code.slice(0, -' language'.length) }
    : { read: true, code: best.code as LanguageRead };
}

/**
 * The language in which most of a text is written; undefined where there is too little of it, or where it is in Latin
 * script and like none of the languages known here (names, numbers, code).
 */
export function languageOf(text: string): Language | undefined {
  const part = text.slice(0, looked);
  const letters = part.match(/\p{L}/gu)?.length ?? 0;
  const latin = part.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters === 0) return undefined;
  return latin < letters / 2 ? byScript(part, letters) : byWords(part);
}
