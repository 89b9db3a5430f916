/**
 * Values that people write in several ways, brought to one: "€12 400" and "12,400", "March 20th" and "20 March",
 * "2:30 pm" and "14:30", "3 %" and "3 percent", "one hundred and fifty" and "150". A reply is not wrong because of how it
 * writes a figure that is right.
 */

const months = 'january february march april may june july august september october november december'.split(
  ' ',
);
const monthNames = new Map(
  months.flatMap((name, at) => [[name, at] as const, [name.slice(0, 3), at] as const]).concat([['sept', 8]]),
);
const month = String.raw`(${[...monthNames.keys()].sort((a, b) => b.length - a.length).join('|')})\b\.?`;
const day = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const dayFirst = new RegExp(String.raw`(?<![\d:])${day}(?: of)?[ -]${month}`, 'g');
const monthFirst = new RegExp(String.raw`\b${month} (?:the )?${day}(?![\d:])`, 'g');
const isoDate = /(?<!\d)(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?!\d)/g;
const yearAfter = /(\d{1,2} [a-z]+),? (\d{4})(?!\d)/g;
const halfDay = /(?<![\d:.])(\d{1,2})(?:[:.](\d\d))? ?([ap])\.?m\b\.?/g;
const percent = /(?<=\d) ?(?:%|per cent\b)/g;
const grouped = /(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])|(?<![\d.,])\d{1,3}(?:['’ ]\d{3})+(?![\d,'’])/g;
const continental = /(?<![\d.,])(\d{1,3}(?:\.\d{3})+),(\d\d)(?!\d)/g;

const dated = (number: string, name: string) => `${Number(number)} ${months[monthNames.get(name) ?? 0]}`;

function onTheClock(hours: string, minutes: string | undefined, half: string): string {
  const hour = (Number(hours) % 12) + (half === 'p' ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes ?? '00'}`;
}

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ordinals =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');
const wordValues = new Map<string, number>([
  ...units.map((word, at) => [word, at] as const),
  ...tens.map((word, at) => [word, (at + 2) * 10] as const),
]);
const numberWord = [...wordValues.keys(), 'hundred', 'thousand'].join('|');
const numberWords = new RegExp(
  String.raw`\b(?:a (?=hundred|thousand))?(?:${numberWord})(?:(?:[ -]| and )(?:${numberWord}))*\b`,
  'g',
);
const ordinalWords = new RegExp(String.raw`\b(?:${ordinals.slice(1).join('|')})\b`, 'g');

/** "two thousand one hundred and fifty" → 2150. */
function numberOf(words: string): string {
  let total = 0;
  let group = 0;
  for (const word of words.split(/[ -]/)) {
    if (word === 'thousand') {
      total += (group || 1) * 1000;
      group = 0;
    } else if (word === 'hundred') group = (group || 1) * 100;
    else group += wordValues.get(word) ?? 0;
  }
  return String(total + group);
}

const withWords = (text: string): string =>
  text
    .replaceAll(numberWords, numberOf)
    .replaceAll(ordinalWords, (word) => `${ordinals.indexOf(word)}th`)
    .replaceAll(/(?<=\d)(?:st|nd|rd)\b/g, 'th');

/**
 * A text with dates, times, numbers and percentages written in one way.
 * @param text in lower case, with single spaces
 */
export function plainValues(text: string): string {
  const noted = text
    .replaceAll(
      isoDate,
      (_, year: string, at: string, number: string) => `${Number(number)} ${months[Number(at) - 1]} ${year}`,
    )
    .replaceAll(dayFirst, (_, number: string, name: string) => dated(number, name))
    .replaceAll(monthFirst, (_, name: string, number: string) => dated(number, name))
    .replaceAll(yearAfter, '$1 $2')
    .replaceAll(halfDay, (_, hours: string, minutes: string | undefined, half: string) =>
      onTheClock(hours, minutes, half),
    )
    .replaceAll(continental, (_, whole: string, cents: string) => `${whole.replaceAll('.', '')}.${cents}`)
    .replaceAll(grouped, (number) => number.replaceAll(/[^\d]/g, ''))
    .replaceAll(percent, ' percent');
  return withWords(noted);
}

/** Codes and telephone numbers: at least six digits with separators between them, and no date or amount. */
const digitCode = /^\+?\d(?:[ ()/.-]{0,2}\d){5,}$/;
const separators = /(?<=\d)[ ()/.-]{1,2}(?=\d)/g;

/** The digits of a code or telephone number without their separators, or undefined where a text is something else. */
export function digitsOfCode(text: string): string | undefined {
  return digitCode.test(text) && !/^\d{4}-\d\d-\d\d$/.test(text)
    ? text.replaceAll(separators, '')
    : undefined;
}

/** A text in which digits that separators part stand together. */
export const joinedDigits = (text: string): string => text.replaceAll(separators, '');
