import type { Condition } from '../clauses.ts';
import { type ActionReading, readAction } from './rule-action.ts';
import { thingPhrases } from '../things.ts';
import { textWords } from '../words.ts';

/** What stands after "unless", "only if", "requires", read. */
export interface ConditionReading {
  conditions: Condition[];
  /** Somebody has to say yes. */
  asks: boolean;
  /** Whether a trace can show it. */
  known: boolean;
}

const approvalShape =
  /\b(?:approv\w*|authori[sz]\w*|confirm\w*|consent\w*|permission|sign(?:ed|s|ing)?[- ]?off|okays?|(?:manager|supervisor|user|lead|owner|boss|human|customer)'?s? ok|\w+s?'s? (?:ok|okay|nod|say-so|word|yes)|blessing|nod|agree\w*|go[- ]?ahead|allow(?:s|ed)|yes|decid\w+|decision|cleared|clearance|green ?light|says? (?:yes|ok)|asking|consult\w*|human in the loop|human review)\b/;
/** "Reviewed by the legal team". */
const reviewedBy =
  /\b(?:reviewed|checked|vetted|inspected|double-checked) by (?:the |an? |our )?([a-z][a-z -]{2,40})$/;
const byPhone =
  /\bconfirm\w*\b.{0,30}\b(?:by (?:phone|telephone)|over the phone|on the phone|by calling|with a (?:phone )?call)\b/;

/** "Their identity has been confirmed": a check may have done that as well as a person. */
const checkedShape =
  /\b(?:identity|ownership|eligibility|availability|address|account|age|balance|number|details|receipt|payment|delivery|stock|licen[cs]e)\b.{0,20}\b(?:is|are|was|has been|have been|been) (?:\w+ly )?confirmed\b(?! by)|\bconfirm(?:ing|ation of)? (?:the |their |his |her |its )?(?:[a-z']+ )?(?:identity|ownership|eligibility|availability|age|balance)\b/;
const askedShape =
  /\b(?:user|customer|they|he|she|requester|client|person)\b.{0,25}\b(?:ask\w*|request\w*|want\w*|instruct\w*|told|tells|names?|named|specif\w*|mention\w*|says? so|insist\w*|wishes)\b|\b(?:asked|requested|instructed|told|named|specified|mentioned|demanded) (?:to |so )?(?:explicitly |specifically )?(?:by|from) the (?:user|customer)\b|\b(?:explicit|direct|specific|clear|express) (?:user )?(?:request|instruction|ask)\b|\bexplicitly (?:asked|requested|instructed|told)\b/;
const neededShape = /\b(?:task|request|job|work|question)\b.{0,15}\b(?:needs?|requires?|calls for|wants)\b/;
const personWords =
  'user customer manager supervisor admin administrator human person owner lead director cfo ceo legal compliance security finance hr doctor physician reviewer team approver operator boss dpo colleague specialist patient client parent guardian accountant'.split(
    ' ',
  );
const verifyShape =
  /\b(?:verif\w+|validat\w+|authenticat\w+|identif\w+|check\w*|review\w*|test\w*|scan\w*|back(?:ed|ing)?[- ]?up|backup|look\w* up|read\w*|inspect\w*|search\w*|calculat\w+|log\w*|notif\w+|inform\w*|creat\w+|open\w*|fetch\w*|retriev\w+|get\w*|dry[- ]run|preview\w*|list\w*|run\w*|pass\w*|sav\w+|export\w*|record\w*|complet\w+|submit\w*|encrypt\w*|anonymi[sz]\w+|redact\w*)\b/;
/** What has to have come about; the word itself is looked for in an earlier step. */
const happened = /\b(?:returned|received|arrived|delivered|shipped|refunded)\b/;
const argumentShape =
  /\b(?:reason|justification|ticket(?: number| id)?|reference(?: number)?|case number|incident (?:number|id)|change request|comment|description|subject|memo|dry[- ]run|expiry|expiration(?: date)?|order (?:number|id)|purchase order|invoice number|confirmation code|explanation|note|attachment|signature|disclaimer|limit)\b/;
const environmentShape =
  /\b(?:in|on|to|within|against|for) (?:the |a |our )?(staging|test|testing|sandbox|development|dev|demo|local)(?: (?:environment|server|database|system|account|branch|data|cluster))?\b|\b(?:it is|it's|they are|is|are) (?:in |on )?(?:a |the )?(draft|drafts|staging|test|sandbox|archived|temporary|temp|internal|empty|their own|his own)\b/;

/** "The CEO asked for it": their word, as an approval is. */
const roleAsks =
  /^(?:the |our |a |an )?([a-z]+)(?: has| have)? (?:explicitly )?(?:asked|requested|asks|requests|wants|told|said)\b/;
const userWords = new Set(['user', 'customer', 'client', 'human', 'person', 'patient', 'parent', 'guardian']);

function roleWord(text: string): Condition | undefined {
  const who = roleAsks.exec(text)?.[1];
  return who !== undefined && personWords.includes(who) && !userWords.has(who)
    ? { test: 'approved', by: [who], explicit: false }
    : undefined;
}

/** Where somebody's word is as good as a step that shows it. */
function wordOrStep(text: string): Condition[][] | undefined {
  if (checkedShape.test(text)) return [[approvalOf(text)], [earlierOf(text, ['verify'])]];
  const reviewer = reviewedBy.exec(text)?.[1];
  if (reviewer !== undefined) return [[approvalOf(`approved by ${reviewer}`)], [earlierOf(reviewer, [])]];
  if (!byPhone.test(text)) return undefined;
  return [
    [approvalOf(text)],
    [{ test: 'earlier', senses: [], phrases: [{ words: ['call', 'phone'], hard: [] }] }],
  ];
}

/** Reads an exception or a requirement. */
export function readCondition(source: string): ConditionReading {
  const text = source.toLowerCase().trim();
  const word = roleWord(text);
  if (word !== undefined) return { conditions: [word], asks: true, known: true };
  if (askedShape.test(text) || neededShape.test(text)) return known([{ test: 'user_asked', about: [] }]);
  const either = wordOrStep(text);
  if (either !== undefined) return known([{ test: 'any', of: either }]);
  if (approvalShape.test(text)) return { conditions: [approvalOf(text)], asks: true, known: true };
  const environment = environmentShape.exec(text);
  if (environment !== null)
    return known([
      { test: 'about', phrases: [{ words: [environment[1] ?? environment[2] ?? ''], hard: [] }] },
    ]);
  const action = readAction(text, true);
  const measured = action.conditions.filter(({ test }) => measuredTests.has(test));
  if (measured.length > 0) return known(measured);
  return readStep(text, action) ?? readState(text, action);
}

const known = (conditions: Condition[]): ConditionReading => ({ conditions, asks: false, known: true });
const measuredTests = new Set<Condition['test']>([
  'amount',
  'amount_under',
  'count',
  'destination',
  'time',
  'path',
  'extension',
  'tool',
  'literal',
]);

function approvalOf(source: string): Condition {
  // Whose account it is talks to the agent; "the customer's manager" is not the customer.
  const text = source.replace(/\baccount (?:owner|holder)\b/, 'user').replace(ofSomebody, '');
  const words = textWords(text);
  const by = personWords.filter((person) =>
    words.some((word) => word === person || word === `${person}s` || word === `${person}'s`),
  );
  const named = rolesIn(text);
  const all = [...by.filter((one) => named.length === 0 || !vagueRoles.has(one)), ...named];
  return { test: 'approved', by: [...new Set(all)], explicit: /\bconfirm|\bask/.test(text) };
}

const ofSomebody = new RegExp(String.raw`\b\w+'s (?=(?:${personWords.join('|')})\b)`, 'g');

const vagueRoles = new Set(['team', 'person', 'colleague', 'human', 'lead', 'reviewer']);
const roleShape =
  /\b(?:from|by|past|through|of|with)\s+(?:the |a |an |our |their |its |your )?((?:[a-z&-]+ ){1,3}?)(?:team|department|office|committee|desk|board|officer|group|unit|division)\b|\b([a-z]{3,20}) (?:team|department|office|committee|desk|board)'s\b|\b([a-z]{3,20})'s? (?:approval|sign-?off|ok|okay|green light|consent|permission|blessing|go-ahead)\b|\bby (?:the |a |an |our |your )?(?:[a-z-]+ ){0,3}?([a-z]{4,20})(?: first| beforehand| in writing| by phone| again)?$/;

/** "The treasury department", "marketing's green light": who may say yes, where it is none of those that we know. */
function rolesIn(text: string): string[] {
  const match = roleShape.exec(text);
  const words = textWords(match?.slice(1).find((group) => group !== undefined) ?? '');
  return words.filter(
    (word) =>
      word.length > 2 &&
      !/^(?:approval|confirmation|authori[sz]ation|consent|permission|first|beforehand|before|again|writing|phone|email|call|least|the|second|other|another|our|their|user|customer|human|person|prior|written|manager)$/.test(
        word,
      ),
  );
}

/** "There is a matching order": in an argument, or found before. */
const existing =
  /\b(?:there (?:is|are|exists?)|exists?|matching|on file|is found|has been found|valid|available)\b/;

/** An argument that has to be there, or a step that has to come before. */
function readStep(text: string, action: ActionReading): ConditionReading | undefined {
  const argument = argumentShape.exec(text);
  if (argument !== null && !/\b(?:verif|check|review|creat|open)/.test(text)) {
    const words = textWords(argument[0]);
    const given: Condition = { test: 'argument', words };
    const found: Condition = { test: 'earlier', senses: ['read', 'verify'], phrases: [{ words, hard: [] }] };
    return known(existing.test(text) ? [{ test: 'any', of: [[given], [found]] }] : [given]);
  }
  if (verifyShape.test(text) || happened.test(text)) return known([earlierOf(text, action.senses)]);
  return action.senses.length > 0 && /(?:ing|ed)\b/.test(text) ? known([earlierOf(text, [])]) : undefined;
}

/** A state of the world; the trace shows it at best by a word. */
function readState(text: string, action: ActionReading): ConditionReading {
  const things = action.conditions.filter(({ test }) => test === 'about' || test === 'data');
  const spoken = things.length === 0 || /\b(?:user|customer|they|he|she)\b/.test(text);
  return { conditions: spoken ? [saidOf(text)] : things, asks: false, known: false };
}

const passive = /^(?:been|look|looking|up|is|are|was|were|the|has|have|first|it|a|an)$/;

/** "verifying the customer's identity" → an earlier step that did so. */
export function earlierOf(text: string, senses: readonly string[]): Condition {
  const read = new Set(['read', 'verify', 'print', 'compute']);
  const wide = senses.some((sense) => read.has(sense)) ? ['read', 'verify', ...senses] : [...senses];
  const runs =
    /^(?:the )?(?:run|running|execute|perform|pass|complete)\b/.test(text) ||
    /\b(?:tests?|checks|scans?|builds?)\b.{0,20}\bpass/.test(text);
  const phrases = thingPhrases(
    text,
    (word) =>
      passive.test(word) ||
      (verifyShape.test(word) && !(runs && /^(?:tests?|checks?|scans?|builds?)$/.test(word))),
  );
  const done = ended.test(text) ? { done: true } : {};
  return { test: 'earlier', senses: [...new Set(wide)], phrases, ...done };
}

const ended =
  /\b(?:complete[d]?|done|passed|successful(?:ly)?|succeed(?:ed|s)?|finished|cleared|clear|green|came back|come back|is in|arrived|received|returned|delivered|settled|landed)\b/;

const saidOf = (text: string): Condition => ({
  test: 'user_said',
  words: thingPhrases(text, () => false)
    .flatMap(({ words, hard }) => [...words, ...hard])
    .slice(0, 8),
});
