/** A rule in plain sentences: short forms written out, courtesies left out, remarks in brackets apart. */

import { verbSenses } from '../../../actions/verbs.ts';

const shortForms: readonly (readonly [RegExp, string])[] = [
  [/[’‘]/g, "'"],
  [/[“”]/g, '"'],
  [/\bcan'?t\b|\bcan not\b/gi, 'cannot'],
  [/\bwon'?t\b/gi, 'will not'],
  [/\b(do|does|did|is|are|was|were|has|have|must|should|would|could|may)n'?t\b/gi, '$1 not'],
  [/\b(?:max|maximal)\b\.?/gi, 'maximum'],
  [/\bmin\b\.(?=\s|$)/gi, 'minimum'],
  [/\bno more than\b|\bnot more than\b|\bnever more than\b/gi, 'at most'],
  [/\bno (?:less|fewer) than\b|\bnot (?:less|fewer) than\b/gi, 'at least'],
  [/\bno one\b/gi, 'nobody'],
  [/\bunder no circumstances\b|\bon no account\b|\bin no case\b|\bat no time\b|\bby no means\b/gi, 'never'],
  [/\bin excess of\b|\bgreater than\b|\bhigher than\b|\blarger than\b|\bupwards of\b|\bnorth of\b/gi, 'more than'],
];

const courtesies = [
  /^(?:please|kindly|pls|remember|note|important|reminder)\b[:,]?\s*/i,
  /^i (?:should|would) (?:be (?:most |very )?grateful|appreciate it|like it|prefer it) if\s+/i,
  /^(?:be so kind (?:as )?to|it would be (?:nice|kind|good) (?:if|to))\s+/i,
  /^(?:the|our|your) (?:assistant|agent|bot|system) (?:must|shall|should|is to|has to)\s+/i,
];
const stresses = /,?\s*\b(?:please|kindly|thank you|thanks|if you please|of course|as a rule|in any case|at all|ever|whatsoever|by all means|strictly|absolutely|simply|just|quite)\b/gi;

/** "I would rather you didn't tell", "gifts were never spent": wishes say what is to be. */
const wishes: readonly (readonly [RegExp, string])[] = [
  [/\bi(?:'d| would) rather you (?:do|did) not\b/gi, 'do not'],
  [/\bi(?:'d| would) (?:rather|prefer)(?: that)?\b/gi, ''],
  [/\bwere (never|not)\b/gi, 'are $1'],
  [/\bwhatever (?:reason|the reason)[^,.;]*|\bno matter (?:who|what|how|why)[^,.;]*|\bhowever [a-z]+ [^,.;]*|\bnot even (?:if|to|when)[^,.;]*/gi, ''],
];

/** Idioms of trade in the words of tools. */
const idioms: readonly (readonly [RegExp, string])[] = [
  [/\bmoney back\b/gi, 'refunds'],
  [/\b(?:write|writing|writes) to\b/gi, 'send to'],
  [/\bkids?\b/gi, 'children'],
  [/\bgrown-?ups?\b/gi, 'adult'],
  [/\b2fa\b|\bsecond factor\b/gi, 'mfa'],
];

/** Says only that the rule is meant: no part of it. */
const emphasis =
  /^(?:no exceptions?|full stop|period|no ifs|no discussion|that includes? (?:me|you)|i mean it|thanks?|one of the two is not enough|do not)\b[^a-z]*$/i;

export interface Plain {
  /** Each with its subject, where it stands before a colon. */
  readonly sentences: readonly { readonly text: string; readonly topic: string }[];
  /** What stood in brackets. */
  readonly asides: readonly string[];
}

function writtenOut(text: string): string {
  let plain = text;
  for (const [shape, form] of shortForms) plain = plain.replace(shape, form);
  for (const [shape, form] of wishes) plain = plain.replace(shape, form);
  for (const [shape, form] of idioms) plain = plain.replace(shape, form);
  return plain;
}

const topicShape = /^([^:"]{2,60}):\s+(.+)$/s;
const modalInTopic = /\b(?:must|may|never|not|shall|cannot|when|if|reports?|may)\b/i;

/** "Don't push to main, open a pr", "max 3 per hour, then page me": what to do instead is no part of what is forbidden. */
function withoutAdvice(text: string): string {
  const then = /^(.{8,}?),? (?:then|instead|otherwise|else)\b.*$/i.exec(text);
  const plain = then?.[1] ?? text;
  const parts = /^((?:do not|never|no|not)\b[^,]+), (?:but )?(?:rather )?([a-z]+)\b(.*)$/i.exec(plain);
  const isAct = parts !== null && verbSenses(parts[2] ?? '').length > 0 && !/ing$|ed$/.test(parts[2] ?? '');
  return isAct && !/\b(?:or|nor|and|unless|without|until|before|if)\b/.test(parts[3] ?? '') ? (parts[1] ?? plain) : plain;
}

/** The sentences of a rule in plain words. */
export function plainText(rule: string): Plain {
  const asides: string[] = [];
  const open = writtenOut(rule.trim()).replaceAll(/\s*\(([^()]{1,200})\)/g, (_, aside: string) => {
    asides.push(aside);
    return '';
  });
  let topic = '';
  const sentences = open
    .split(/(?<=[.!?])\s+(?=[\p{L}\d"])|;\s+|\s+[–—]\s+|\n+/u)
    .map((one) => one.trim().replace(/[.!?]+$/, ''))
    .flatMap((sentence) => {
      let text = sentence;
      for (const shape of courtesies) text = text.replace(shape, '');
      const parts = topicShape.exec(text);
      if (parts !== null && !modalInTopic.test(parts[1] ?? '')) {
        topic = (parts[1] ?? '').trim();
        text = (parts[2] ?? '').trim();
      }
      text = withoutAdvice(text.replace(stresses, '')).replaceAll(/\s+/g, ' ').replace(/^[,\s]+|[,\s]+$/g, '');
      return text === '' || emphasis.test(text) ? [] : [{ text: text.toLowerCase(), topic: topic.toLowerCase() }];
    });
  return { sentences, asides };
}
