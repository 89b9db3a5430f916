import type { Frame } from './frame-readers.ts';
import { readMain } from './main-clause.ts';

const emptyFrame = (): Frame => ({
  action: '',
  isVerbPhrase: false,
  isLimit: false,
  given: [],
  about: '',
  after: [],
  unless: [],
  need: [],
  onlySo: [],
  duty: '',
  asks: false,
});

const approvalNoun = String.raw`(?=(?:the |a |an |prior |explicit |written |documented )*(?:\w+(?:'s)? )?(?:approv|consent|permission|confirm|author|sign|ok))`;
const connectors = new RegExp(
  String.raw`,?\s*\b(` +
    [
      String.raw`if and only if`,
      String.raw`only (?:if|when|after|once|where|upon|while|as long as|provided(?: that)?|with ${approvalNoun})`,
      String.raw`but only (?:if|when|after|once|with)`,
      String.raw`unless`,
      String.raw`except(?:ing|ions?:?)?(?: (?:when|if|where|that|during|as|after|with ${approvalNoun}))+`,
      String.raw`(?<!\b(?:any|some|every)(?:one|body) )except(?:ing|ions?:?)?(?: (?:for|in|on|to|with|by|from|via|through|at))*`,
      String.raw`other than (?:when|if|in|for)`,
      String.raw`(?:apart|aside) from`,
      String.raw`save for`,
      String.raw`provided(?: that)?`,
      String.raw`(?:as|so) long as`,
      String.raw`without(?= (?!tls|https|encryption|a where|where|limit|a limit|any? filter))`,
      String.raw`until|till`,
      String.raw`instead of|rather than`,
      String.raw`in case(?: of)?`,
      String.raw`if|when(?:ever)?|where(?! clause)|while|once|as soon as`,
      String.raw`(?<!\b(?:\d+|an?|one|two|three|four|five|six|seven|ten|few) ?(?:hours?|days?|minutes?|weeks?|months?|years?|h) )(?:after|before|prior to)(?! \d)(?! (?:noon|midnight|hours))`,
    ].join('|') +
    String.raw`)\s+`,
  'i',
);

type Role = 'need' | 'unless' | 'given' | 'after' | 'before' | 'not';

const roleOf = (connector: string): Role => {
  const word = connector.toLowerCase();
  if (/\bonly\b/.test(word) || /^(?:provided|as long|so long)/.test(word)) return 'need';
  if (/^(?:unless|except|other than|apart|aside|save|without|until|till)/.test(word)) return 'unless';
  if (/^(?:before|prior)/.test(word)) return 'before';
  if (/^(?:instead|rather)/.test(word)) return 'not';
  return word.startsWith('after') ? 'after' : 'given';
};

interface Part {
  role: Role;
  text: string;
}

const leadShape =
  /^(if and only if|only (?:if|when|after|once|with)|unless|except (?:when|if|for|in)|without|until|before|prior to|after|if|when(?:ever)?|where|while|once|as soon as|during|on|in|at|for|within|inside|with|regarding|as for|in case(?: of)?)\s+((?:[^,]|,(?=\d{3}\b)){2,160}),\s*(?:then |please |always )?(.{3,})$/i;

/** "If X, Y" and "Y if X": the main clause, and what hangs on it. */
function partsOf(text: string): { main: string; parts: Part[] } {
  const lead = leadShape.exec(text);
  const parts: Part[] = [];
  let rest = text;
  if (lead !== null) {
    const [, word = '', said = '', main = ''] = lead;
    parts.push({ role: roleOf(word), text: said });
    rest = main;
  }
  const main = takeTail(rest, parts);
  return { main, parts };
}

function takeTail(text: string, parts: Part[]): string {
  const match = connectors.exec(text);
  if (match === null || match.index < 3) return text;
  const main = text.slice(0, match.index);
  let rest = text.slice(match.index + match[0].length);
  let role = roleOf(match[1] ?? '');
  for (let round = 0; round < 4; round++) {
    const next = connectors.exec(rest);
    if (next === null || next.index < 2) break;
    parts.push({ role, text: rest.slice(0, next.index) });
    role = roleOf(next[1] ?? '');
    rest = rest.slice(next.index + next[0].length);
  }
  parts.push({ role, text: rest });
  return main;
}

const asking =
  /^(?:always |first |must |please )*(?:ask|confirm|consult|check (?:in )?with|get|obtain|seek|request|wait for|require|involve|escalate|hand|refer|transfer|route|forward|pass|call in|notify|alert|inform|verify|validate|make sure|ensure|show|tell|review|run|take|create|back ?up|test|look up|read|do|perform|double[- ]check|check|authenticate|identify|preview|present|display|warn|log|record|document|open|use)\b/i;

/** "Ask before you X", "before X, verify Y": what is bound is X, what has to be done first is the main clause. */
function asOrder(main: string, parts: readonly Part[], frame: Frame): Frame | undefined {
  const before = parts.find(({ role }) => role === 'before');
  if (before === undefined || /\bmust not\b/i.test(main)) return undefined;
  const inner = main
    .replace(/^(?:always |must |first |please )+/i, '')
    .replace(/^.{2,60}?\bmust (?:always |first )?(?:be )?/i, (said) =>
      /\bbe $/i.test(said) ? said.replace(/\bmust .*$/i, '') : '',
    );
  const subject = /^(?:the |an? |any |all |each |every )?(.{3,160}?)\s+must\s/i.exec(main)?.[1] ?? '';
  const isBare = /^(?:it is |they are |being )?\w+(?:ing|ed|en)$/i.test(before.text.trim()) && subject !== '';
  const action = isBare && !/^(?:you|it|we|they|agents?|the agent)$/i.test(subject);
  const meant =
    /^(?:make sure|ensure|verify|check|confirm|see to it)(?: that)? (?:the |an? |each |every |their |its )?([\w' -]{2,40}?) (?:has|have|is|are|was|contains?)\b/i.exec(
      inner,
    )?.[1];
  return {
    ...frame,
    action: (action ? `${act(before.text)} ${subject}` : act(before.text)).replace(
      /\b(?:it|them)$/i,
      (it) => meant ?? it,
    ),
    isVerbPhrase: true,
    need: [...frame.need, askText(inner)],
  };
}

/** "A maintenance visit is scheduled" is the scheduling of a visit. */
const done =
  /^(?:the |an? |any |all |each |every |its |their )?([\w' -]{2,60}?) (?:is|are|gets?|can be|may be|will be|has been|have been|being) (?:being )?(\w+(?:ed|en|sent|paid|made|put|run|set|sold|given|shown|built))\b(.*)$/i;

const act = (text: string) =>
  text
    .replace(done, (whole, subject: string, verb: string, rest: string) =>
      /^(?:it|they|you|this|that)$/i.test(subject) ? whole : `${verb} ${subject}${rest}`,
    )
    .replace(
      /^(?:you|it|the agent|an agent|the assistant|we|they|agents|anything is|the bot)\s+(?:(?:are about to|may|can|must|is about to) )?/i,
      '',
    )
    .trim();

/** What is asked for counts as somebody's yes. */
const askText = (text: string) =>
  askingFor.test(text) ? text.replace(askingFor, 'asking for ') : askApproval(text);

/** "Ask for the order number": what is asked for is no yes. */
const askingFor =
  /^(?:always )?ask (?:the \w+ |them |him |her )?for (?=(?:the |an? |their |his |her )?(?:\w+ ){0,2}(?:numbers?|id|address|name|reason|code|date|details|receipt)\b)/i;

const askApproval = (text: string) =>
  /^(?:ask|confirm|consult|check (?:in )?with|escalate|hand|refer|route|call in|involve|double[- ]check with)\b/i.test(
    text,
  )
    ? `approved ${text}`
    : text;

const instead = /\b(?:instead of|rather than)\b/i;

/** Reads a statement; undefined where it commands nothing that is understood. */
export function frameOf(text: string): Frame | undefined {
  const { main, parts } = partsOf(text);
  const told = toldIn(parts);
  const isBound = /\b(?:only|solely)\b/i.test(main);
  const bounds = isBound ? [...told('given'), ...told('after')] : [];
  const frame = { ...emptyFrame(), unless: told('unless'), need: [...told('need'), ...bounds] };
  const order = asOrder(main, parts, frame);
  if (order !== undefined)
    return {
      ...order,
      given: told('given').filter((one) => !one.includes(order.action)),
      after: told('after'),
    };
  const not = told('not')[0];
  if (not !== undefined && instead.test(text)) return asInstead(main, not, told('given'), frame);
  const duty = dutyShape.exec(main)?.[1];
  if (duty !== undefined && told('given').some((one) => situation.test(one)))
    return { ...frame, action: 'alter', isVerbPhrase: true, given: told('given'), duty };
  const read = readMain(main, frame);
  if (read === undefined) return asAsking(main, [...told('given'), ...told('after')], frame);
  return {
    ...read,
    given: [...read.given, ...(isBound ? [] : told('given'))],
    after: isBound ? [] : told('after'),
    unless: [...read.unless, ...told('before')],
  };
}

const toldIn = (parts: readonly Part[]) => (role: Role) =>
  parts.filter((part) => part.role === role).map((part) => part.text);

/** "Escalate rather than blocking the card": what is named last is forbidden. */
function asInstead(main: string, not: string, given: readonly string[], frame: Frame): Frame {
  const isOther = /\b(?:it|them|one|that)(?: (?:yourself|themselves|itself|directly))?\s*$/i.test(not);
  return {
    ...frame,
    action: missingAction(main, not, given),
    isVerbPhrase: true,
    given: isOther ? [] : [...given],
  };
}

/** What people say or feel is no act of the agent: whatever is done then, the duty comes first. */
const situation =
  /^(?:(?:the |an? |any |our |some)?(?:user|customer|client|guest|caller|patient|person|somebody|someone|member|passenger|tenant|student|employee|parent|lead|prospect|sender|message|ticket|email|conversation|they|he|she)s?\s+(?:mentions?|talks? about|speaks? (?:of|about)|brings? up|threatens?|refers? to|reports?|complains?|says?|claims?|seems?|sounds?|expresses?|describes?|alleges?|is (?:angry|upset|abusive|hostile|suicidal|in danger|a minor)|gets? (?:angry|abusive|upset)|becomes?|shows? signs|has symptoms|appears)|there (?:is|are)|an emergency)\b/i;

/** "The conversation must be transferred to a human agent". */
const dutyShape =
  /^(?:the |this |that |their |a )?(?:conversation|chat|call|case|matter|issue|it|request|session|contact|customer|user|them|they)\s+must (?:always |immediately |first )?be ((?:escalated|transferred|handed|routed|referred|forwarded|passed|reported|flagged)\b.*)$/i;

/** What is to be done where something is said, or before something is done. */
const asDuty = (main: string, given: readonly string[], frame: Frame): Frame =>
  given.every((one) => situation.test(one))
    ? { ...frame, action: 'alter', isVerbPhrase: true, given: [...given], duty: main }
    : {
        ...frame,
        action: given.join(' '),
        need: [askText(main.replace(/^(?:always|must|first|please)\s+/i, ''))],
      };

/** "If X, ask Y": without the asking, X is forbidden. "You may X if Y": without Y. */
function asAsking(main: string, given: readonly string[], frame: Frame): Frame | undefined {
  if (given.length > 0 && asking.test(main)) return asDuty(main, given, frame);
  if (frame.need.length === 0 && frame.unless.length === 0) return undefined;
  const passive = /^(?:the |an? |any |all )?(.{2,80}?)\s+(?:may|can|must)\s+be\s+(\w+)\b(.*)$/i.exec(main);
  if (passive !== null)
    return {
      ...frame,
      action: `${passive[2] ?? ''} ${passive[1] ?? ''}${passive[3] ?? ''}`,
      isVerbPhrase: true,
      given: [...given],
    };
  const action = main.replace(/^(?:.{0,40}?\b(?:may|can|must)\s+)?(?:be )?/i, '') || main;
  return { ...frame, action, isVerbPhrase: !/^(?:the|a|an|any|all|no)\b/i.test(main), given: [...given] };
}

/** "Escalate instead of granting it": granting is forbidden; `it` is what was spoken of. */
function missingAction(main: string, not: string, given: readonly string[]): string {
  const clean = not.replace(/\b(?:yourself|themselves|itself|directly)\b/gi, '').trim();
  if (/\b(?:it|them|one|that)$/i.test(clean))
    return clean.replace(
      /\b(?:it|them|one|that)$/i,
      (given[0] ?? main).replace(/^(?:the |a |an )?\w+ (?:asks?|wants?|requests?|calls?) (?:for )?/i, ''),
    );
  const verb = /^(?:must |always )*([a-z]+)\b/i.exec(main)?.[1] ?? '';
  return /^[a-z]+ing\b/i.test(clean) ? clean : `${verb} ${clean}`;
}
