import type { Condition } from '../../clauses.ts';
import { phrasesOf } from '../../things.ts';
import { placesOf, ranksOf } from './places.ts';

const negative =
  /\b(?:that|which|who|where|whose)?\s*(?:(?:is|are|was|were|has|have|had|do|does|did)\s+(?:not|never)(?: (?:yet|been))?|not (?:yet )?(?:been )?)\s*([a-z][^,;]{2,60})$/;

/** "Reports that have no receipt". */
const lacking =
  /\b(?:(?:that|which|who) (?:have|has|carry|carries|contain|contains|include|includes|come with|comes with) no|(?:that|which|who) (?:lacks?|miss(?:es)?)|lacking|missing|with no)\s+(?:an? |any |the |valid )*([a-z][^,;]{2,60})$/;

const outsideShape =
  /\b(?:outside(?: of)?|other than|(?<=\b(?:anything|anyone|anybody|anywhere|someone|everyone) )but|not from|not in|except(?: for)?|apart from|different from|else than)\s+(?:the |our |an? |any |that |those )*([a-z][^,;]{1,60})$/;

const persons =
  /\b(?:anyone|anybody|someone|somebody|people|persons?|recipients?|users?|parties|everyone|else)\s*$/;

const recipientSlot = [
  'to',
  'recipient',
  'with',
  'email',
  'channel',
  'audience',
  'user',
  'cc',
  'bcc',
  'member',
  'viewer',
  'receiver',
];

const lastNoun = (text: string): string[] =>
  persons.test(text.toLowerCase())
    ? recipientSlot
    : (text.toLowerCase().match(/[a-z-]+/g) ?? [])
        .filter((word) => word.length > 2 && !/^(?:any|all|the|some|other|our|with|for|from|and)$/.test(word))
        .slice(-2)
        .map((word) => word.replace(/s$/, ''));

const rankShape =
  /\b(?:(?:for|by|from|to) )?(?:anyone|anybody|people|staff|employees|users)?\s*(?:below|under|junior to|less senior than|lower than)\s+(?:the )?(director|manager|vp|executive|lead|senior|admin|supervisor)(?:'s)?(?: level| rank| grade)?\b/;

const companyShape =
  /^(?:the |our |your |my )?(?:compan|organi|firm|corporat|business|domain|enterprise|network|perimeter|part(?:y|ies)|people|address|recipient|vendor|servers?|services?|cloud|tenant|premises|infrastructure|vpc|systems?|building|hours|working|office|normal|regular|\/|~|\.)/i;

/** "Outside of the family group": a circle of its own, and not our company. */
export function cutOutside(text: string): { text: string; differs: Condition[] } {
  const match = /\boutside(?: of)?\s+((?:the |our |my )?[a-z][a-z -]{2,40})$/i.exec(text);
  const circle = match?.[1] ?? '';
  if (match === null || companyShape.test(circle)) return { text, differs: [] };
  const phrases = phrasesOf(circle.toLowerCase(), () => false).map(placesOf);
  const before = text.slice(0, match.index);
  return phrases.length === 0
    ? { text, differs: [] }
    : { text: before, differs: [{ test: 'differs', slot: lastNoun(before), phrases }] };
}

interface Cut {
  text: string;
  need: string[];
  differs: Condition[];
}

/** "Files that were not scanned" needs a scan; "regions outside the EU" wants another value. */
export function cutNegative(source: string): Cut {
  const rank = rankShape.exec(source);
  if (rank !== null)
    return {
      text: source.replace(rank[0], ' '),
      need: [],
      differs: [
        {
          test: 'differs',
          slot: ['level', 'title', 'rank', 'role', 'grade', 'position', 'seniority'],
          phrases: [ranksOf(rank[1] ?? '')],
        },
      ],
    };
  const outside = outsideShape.exec(source);
  if (outside !== null && outside.index >= 0) {
    const phrases = phrasesOf(outside[1] ?? '', () => false).map(placesOf);
    const before = source.slice(0, outside.index);
    if (phrases.length > 0)
      return { text: before, need: [], differs: [{ test: 'differs', slot: lastNoun(before), phrases }] };
  }
  const not = [lacking, negative]
    .map((shape) => shape.exec(source))
    .find((match) => (match?.index ?? 0) >= 3);
  return not
    ? { text: source.slice(0, not.index), need: [not[1] ?? ''], differs: [] }
    : { text: source, need: [], differs: [] };
}
