/**
 * Varies a text as people type it: in lower case, without punctuation, with typos, with a greeting or a thank-you.
 * Applied alike to harmful and harmless rows, so that the style carries no information.
 */
import type { Random } from '../../src/base/random.ts';

/** About half of the texts stay as they are. */
export function voice(text: string, random: Random): string {
  const roll = random.next();
  if (roll < 0.45) return text;
  if (roll < 0.6) return text.toLowerCase();
  if (roll < 0.76) return bare(text);
  if (roll < 0.86) return slips(text, random);
  if (roll < 0.93) return slips(shorthand(bare(text)), random);
  return shorthand(text.toLowerCase());
}

/** `voice`, and sometimes a sentence before or after that is unrelated to the subject. */
export function spoken(text: string, random: Random): string {
  const roll = random.next();
  if (roll < 0.1) return voice(`${random.pick(openers)} ${text}`, random);
  if (roll < 0.2) return voice(`${ended(text)} ${random.pick(closers)}`, random);
  return voice(text, random);
}

/** First letter upper case. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const ended = (text: string): string => (/[.!?)"…]$/.test(text) ? text : `${text}.`);

const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[,;:"]|[.!?](?=\s|$)/g, '')
    .replaceAll("'", '');

const short: [RegExp, string][] = [
  [/\byou\b/gi, 'u'],
  [/\byour\b/gi, 'ur'],
  [/\bplease\b/gi, 'pls'],
  [/\bbecause\b/gi, 'cuz'],
  [/\bwant to\b/gi, 'wanna'],
  [/\bgoing to\b/gi, 'gonna'],
  [/\bwithout\b/gi, 'w/o'],
  [/\bpeople\b/gi, 'ppl'],
  [/\bi do not know\b|\bi don't know\b/gi, 'idk'],
  [/\bright now\b/gi, 'rn'],
];

const shorthand = (text: string): string =>
  short.reduce((result, [long, brief]) => result.replace(long, brief), text);

/** One to three typos in longer words. */
function slips(text: string, random: Random): string {
  const words = text.split(' ');
  const long = words.map((word, at) => (/^[a-z]{5,}$/i.test(word) ? at : -1)).filter((at) => at >= 0);
  const count = Math.min(3, 1 + Math.floor(words.length / 14));
  for (const at of random.sample(long, count)) words[at] = slip(words[at] ?? '', random);
  return words.join(' ');
}

function slip(word: string, random: Random): string {
  const at = 1 + Math.floor(random.next() * (word.length - 3));
  const [before, one, two, after] = [
    word.slice(0, at),
    word.charAt(at),
    word.charAt(at + 1),
    word.slice(at + 2),
  ];
  const roll = random.next();
  if (roll < 0.4) return before + two + one + after;
  if (roll < 0.75) return before + two + after;
  return before + one + one + two + after;
}

const openers = [
  'Hi there.',
  'Hello!',
  'Quick question.',
  'Sorry if this is a stupid question.',
  'Not sure where else to ask this.',
  'OK so,',
  'Hey, me again.',
  'Second try, the last answer got cut off.',
  'I am on my phone so excuse the typing.',
  'This has been bugging me for days.',
  'Long story short:',
  'Right, next one.',
  'Serious question.',
  'My brother and I had an argument about this.',
  'Good morning.',
  'I saw something about this yesterday.',
  'You were useful last time, so here goes.',
  'Been thinking about this on the bus.',
];

const closers = [
  'Thanks!',
  'Thank you in advance.',
  'Keep it short please.',
  'Please answer in a numbered list.',
  'Explain it like I am twelve.',
  'Any help is appreciated.',
  'Two paragraphs at most.',
  'No need to be formal.',
  'I need this by tonight.',
  'Just the answer, no introduction.',
  'In plain English please.',
  'Sorry for my English, it is my third language.',
  'Let me know if you need more details.',
  'I live in a small town if that matters.',
  'Cheers.',
  'Go into detail.',
  'I asked two other people and got nowhere.',
  'What do you think?',
];
